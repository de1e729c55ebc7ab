import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closedSignal } from '../src/http/respond.ts';
import { serve, type Serving } from '../src/http/serve.ts';
import { until } from '../src/testing/until.ts';

const BODY_IDLE_MS = 200;

let serving: Serving;
const signals: AbortSignal[] = [];

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  signals.push(closedSignal(response));
  const body = await text(request).catch(() => null);
  if (body === null) return;
  if (request.url === '/slow') await sleep(3 * BODY_IDLE_MS);
  if (request.url !== '/never') response.end(`got ${body}`);
};

beforeAll(async () => {
  serving = await serve((request, response) => void respond(request, response), {
    host: '127.0.0.1',
    port: 0,
    bodyIdleMs: BODY_IDLE_MS,
  });
});
afterAll(() => serving.close());

const HEAD = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`;

const open = async (port = serving.port): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

it('a body that stays shorter than announced is refused with 408, and its connection closed', async () => {
  const socket = await open();
  socket.write(`${HEAD('/', 100)}only this`);
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response).toContain('request.timeout');
});

/**
 * Keeps sending single bytes for some time, more often than the idle limit requires. Returns what was received when the connection ends. A byte
 * that reached the server after its response would discard the response.
 */
const drip = async (
  port: number,
  head: string,
  forMs: number,
): Promise<{ response: string; tookMs: number }> => {
  const socket = await open(port);
  const began = performance.now();
  socket.write(head);
  const dripping = setInterval(() => {
    if (performance.now() - began < forMs) socket.write('a');
  }, BODY_IDLE_MS / 8);
  const response = await text(socket);
  clearInterval(dripping);
  return { response, tookMs: performance.now() - began };
};

it('B14 a body that arrives slowly is refused with 408 when its time is over, and its connection closed', async () => {
  const slow = await serve((request, response) => void respond(request, response), {
    host: '127.0.0.1',
    port: 0,
    bodyIdleMs: 60_000, // the idle limit must not end it
    bodyMs: 800,
  });
  const { response, tookMs } = await drip(slow.port, HEAD('/', 400), 700);
  await slow.close();
  expect(response).toMatch(/^HTTP\/1\.1 408 [^]*request\.timeout/);
  expect(tookMs).toBeGreaterThan(750);
  expect(tookMs).toBeLessThan(5_000); // the whole body would take ten seconds
});

it('B14 headers that arrive slowly are refused with 408 within a second of their time', async () => {
  const slow = await serve(() => undefined, { host: '127.0.0.1', port: 0, headersMs: 300 });
  const { response, tookMs } = await drip(slow.port, 'GET / HTTP/1.1\r\nhost: localhost\r\nx: ', 200);
  await slow.close();
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(tookMs).toBeLessThan(10_000); // Node compares once in thirty seconds by itself
});

it('a complete body may be followed by a long wait for the response, and by a further request', async () => {
  const socket = await open();
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write(`${HEAD('/slow', 3)}one`);
  await until('the first response', () => received.includes('got one'));
  await sleep(3 * BODY_IDLE_MS); // an idle connection is not an incomplete body
  socket.write(`${HEAD('/', 3)}two`);
  await until('the second response', () => received.includes('got two'));
  socket.destroy();
});

it('the signal of a response is aborted if the client leaves before it, and never afterwards', async () => {
  signals.length = 0;
  const left = await open();
  left.write(`${HEAD('/never', 3)}one`);
  await until('the request', () => signals.length === 1);
  expect(signals[0]?.aborted).toBe(false);
  left.destroy();
  await until('the signal', () => signals[0]?.aborted === true);
  expect(signals[0]?.reason).toMatchObject({ code: 'request.aborted' });
  const stayed = await open();
  stayed.write(`${HEAD('/', 3)}two`);
  await once(stayed, 'data');
  stayed.destroy();
  await once(stayed, 'close');
  expect(signals[1]?.aborted).toBe(false);
});

/** Sends one request over the connection and returns the head of its response. */
const requestOver = async (socket: Socket): Promise<string> => {
  socket.write(`${HEAD('/', 3)}one`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  return head.toString();
};

it('responses announce a shorter idle timeout than the server’s own', async () => {
  const socket = await open();
  expect(await requestOver(socket)).toMatch(/^Keep-Alive: timeout=5\r$/m);
  expect(serving.server.keepAliveTimeout + serving.server.keepAliveTimeoutBuffer).toBe(65_000);
  socket.destroy();
});

it('B12 while it drains, a server accepts connections and requests, and announces the end of each connection', async () => {
  const draining = await serve((request, response) => void respond(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  const [first, idle] = [await open(draining.port), await open(draining.port)];
  expect(await requestOver(idle)).not.toContain('connection: close');
  expect(await requestOver(first)).not.toContain('connection: close');
  let isDrained = false;
  const drained = draining.drain(300).then(() => (isDrained = true));
  expect(await requestOver(first)).toContain('connection: close');
  await once(first, 'close');
  const second = await open(draining.port);
  expect(await requestOver(second)).toContain('connection: close');
  expect(isDrained).toBe(false);
  await drained;
  expect(idle.readyState).toBe('open');
  idle.resume();
  await draining.close();
  await until('the end of the idle connection', () => idle.closed);
});
