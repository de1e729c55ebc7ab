import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { bearer } from './requests.ts';
import { send, useBff } from './support.ts';

const TARGET = '/api/credits/history';

const bff = await useBff();
const headers = bearer(await bff.begin('user'));

const read = async (): Promise<Buffer> => {
  const response = await fetch(`http://127.0.0.1:${bff.port}${TARGET}`, { headers });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

it.each([0, 1, 300, 16_384, 16_385, 300_000])('B10 a body of %i bytes arrives as it is', async (size) => {
  // Text outside of ASCII too, and bytes that are no text.
  const body = Buffer.concat([Buffer.from('Zoë 日本 '.repeat(4)), randomBytes(size)]).subarray(0, size);
  for (const length of [{ 'content-length': size }, {}]) {
    bff.upstream.respond = (_request, response) => void response.writeHead(200, length).end(body);
    expect((await read()).equals(body)).toBe(true);
  }
});

it('B10 a body that arrives in pieces is complete', async () => {
  bff.upstream.respond = (_request, response) => {
    response.writeHead(200, { 'content-length': 6 }).write('abc');
    setTimeout(() => response.end('def'), 20);
  };
  expect((await read()).toString()).toBe('abcdef');
});

it('B10 a service that dies after its headers ends the connection, and no other response follows', async () => {
  bff.upstream.respond = (request, response) => {
    response.writeHead(200, { 'content-length': 6, 'content-disposition': 'attachment' }).flushHeaders();
    setTimeout(() => request.socket.destroy(), 20);
  };
  await expect(send(bff.port, TARGET, { headers })).rejects.toThrow();
});

it('B10 a HEAD request has the headers and no body', async () => {
  bff.upstream.respond = (_request, response) => void response.writeHead(200, { 'content-length': 5 }).end();
  const response = await send(bff.port, TARGET, { method: 'HEAD', headers });
  expect([response.status, response.headers['content-length'], response.body]).toEqual([200, '5', '']);
});

it('K5 an error of the call to a service has the id of the request', async () => {
  bff.upstream.respond = (request) => request.socket.destroy();
  const { status, headers: received, body } = await send(bff.port, TARGET, { headers });
  const { error } = JSON.parse(body) as { error: { code: string; requestId: string } };
  expect([status, error.code]).toEqual([503, 'service.unavailable']);
  expect(error.requestId).toBe(received['x-request-id']);
});
