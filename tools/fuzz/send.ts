import { connect } from 'node:net';
import type { FuzzRequest } from './requests.ts';

/** `status` is null for a connection that ended, or stayed silent, without a response. */
export type FuzzResponse = { status: number | null; body: string };

const TIMEOUT_MS = 20_000;
/** A request whose bytes were changed may announce more than it sends. */
const CHANGED_TIMEOUT_MS = 1_500;

export type Identity = { userId: string; tokens: Readonly<Record<FuzzRequest['sender'], string | null>> };

/** The bytes of a request as one client sends them. */
const write = (request: FuzzRequest, { userId, tokens }: Identity, port: number): Buffer => {
  const fill = (text: string): string => text.replaceAll('%25user%25', userId).replaceAll('%user%', userId);
  const body = Buffer.from(fill(request.body), 'utf8');
  const token = tokens[request.sender];
  const headers: [string, string][] = [
    ['Host', `localhost:${port}`],
    ['Connection', 'close'],
    ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as [string, string]]),
    ...request.headers,
    ...(body.length > 0 ? [['Content-Length', String(body.length)] as [string, string]] : []),
  ];
  const head = [
    `${request.method} ${fill(request.target)} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'utf8'), body]);
  for (const { at, byte } of request.changes) bytes[Math.floor(at * (bytes.length - 1))] = byte;
  return bytes;
};

/** The response to `Expect: 100-continue`, ahead of the final one. */
const INTERIM = /^HTTP\/1\.1 100 [^]*?\r\n\r\n/;
/** A live stream does not end by itself. */
const STREAM = /^content-type: text\/event-stream/im;

/** Sends a request over a connection of its own, which the server closes after the response. */
export const sendRequest = (
  request: FuzzRequest,
  identity: Identity,
  port: number,
): Promise<FuzzResponse> => {
  const { promise, resolve } = Promise.withResolvers<FuzzResponse>();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const finish = (): void => {
    socket.destroy();
    const [, status, body = ''] =
      /^HTTP\/1\.1 (\d{3})[^]*?\r\n\r\n([^]*)$/.exec(received.replace(INTERIM, '')) ?? [];
    resolve({ status: status === undefined ? null : Number(status), body });
  };
  socket.setTimeout(request.changes.length > 0 ? CHANGED_TIMEOUT_MS : TIMEOUT_MS, finish);
  socket.on('connect', () => socket.write(write(request, identity, port)));
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (STREAM.test(received)) finish();
  });
  socket.on('error', finish);
  socket.on('close', finish);
  return promise;
};
