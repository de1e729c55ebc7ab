import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { until } from '@shortlist/kit/testing/until';
import { useBff } from './support.ts';

const bff = await useBff();

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

it('B10 a response that the client reads slowly arrives byte for byte', async () => {
  const body = randomBytes(8 << 20).toString('hex');
  let isBlocked = false;
  bff.upstream.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    isBlocked = !response.write(body.slice(0, body.length / 2));
    response.end(body.slice(body.length / 2));
  };
  const { token } = await bff.sessions.begin(uuidv7(), 'user');
  const socket = connect(bff.port, '127.0.0.1');
  socket.pause();
  const lines = ['Host: localhost', `Authorization: Bearer ${token}`, 'Connection: close'];
  socket.write(`GET /api/credits/history HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await until('a service that waits for the client', () => isBlocked);
  const received = await text(socket);
  expect(received).toMatch(/^HTTP\/1\.1 200/);
  expect(hashOf(received.slice(received.indexOf('\r\n\r\n') + 4))).toBe(hashOf(body));
});
