import { connect, type Socket } from 'node:net';
import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterEach, expect, it } from 'vitest';
import { ana, field, filePart, form, MULTIPART } from './multipart.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

const HELD = 7;

const sockets: Socket[] = [];
const bff = await useBff();
bff.upstream.respond = respondWith(
  ({ url }) => (url === '/pictures' ? { name: 'a.png' } : { data: { id: uuidv7(), email: 'a@b.co' } }),
  201,
);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Begins a form that does not end. */
const holdForm = (header: string): void => {
  const socket = connect(bff.port, '127.0.0.1');
  socket.on('error', () => undefined); // expected: it is refused, or ended by the test
  const lines = ['POST /signup HTTP/1.1', 'Host: localhost', `Content-Type: ${MULTIPART}`, header];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  sockets.push(socket);
};

const signUp = (...parts: Buffer[]): Promise<RawResponse> => {
  const fields = field(
    'userData',
    JSON.stringify({ ...ana, email: `${uuidv7()}@talent.test`, password: 'secret1' }),
  );
  const headers = { 'content-type': MULTIPART };
  return send(bff.port, '/signup', { method: 'POST', headers, body: form(fields, ...parts) });
};
const picture = filePart(Buffer.alloc(PICTURE_MAX_BYTES, 7));
const isRefused = async (): Promise<boolean> => (await signUp(picture)).status === 503;

it.each([
  ['with its size', `Content-Length: ${PICTURE_MAX_BYTES}`],
  ['in chunks', 'Transfer-Encoding: chunked'],
])('E3 forms with pictures are held up to a limit of memory, sent %s', async (_, header) => {
  for (let index = 0; index < HELD; index += 1) holdForm(header);
  await until('a limit that is reached', isRefused);
  const refused = await signUp(picture);
  expect(refused.headers['retry-after']).toBe('2');
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'profile.pictures_busy' } });
  expect((await signUp()).status).toBe(201);

  for (const socket of sockets) socket.destroy();
  await until('room for a picture', async () => !(await isRefused()));
});

it('E3 a form that was answered no longer counts', async () => {
  for (let index = 0; index < HELD + 3; index += 1) expect((await signUp(picture)).status).toBe(201);
});
