// What one address can send at its worst.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The bytes are sent again after each response; of a slow one, a byte follows each tenth of a second until the connection ends. */
type Flood = { bytes: Buffer | (() => Buffer); connections?: number; isSlow?: boolean };

const KB = 1024;
const STATUS = /^HTTP\/1\.1 (\d{3})/gm;
const DRIP_MS = 100;
const CONNECTIONS = 10;

const head = (path: string, ...headers: string[]): Buffer =>
  Buffer.from([`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n'));

const logIn = (body: string | Buffer, ...headers: string[]): Buffer => {
  const bytes = Buffer.from(body);
  const length = `Content-Length: ${bytes.length}`;
  return Buffer.concat([head('/login', 'Content-Type: application/json', length, ...headers), bytes]);
};

const manyKeys = (bytes: number): string =>
  `{${Array.from({ length: Math.floor(bytes / 11) }, (_, index) => `"k${10_000 + index}":1`).join(',')}}`;

const nested = (bytes: number): string => `{"email":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`;

const pictureForm = (): Buffer => {
  const part =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  const body = Buffer.concat([Buffer.from(part), Buffer.alloc(5 * KB * KB), Buffer.from('\r\n--b--\r\n')]);
  const headers = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${body.length}`];
  return Buffer.concat([head('/signup', ...headers), body]);
};

const tryAccount = (): Buffer =>
  logIn(JSON.stringify({ email: `${randomUUID()}@people.test`, password: 'not the password' }));

/** By what the address does. */
export const FLOODS: Readonly<Record<string, Flood>> = {
  'while an address tries accounts': { bytes: tryAccount, connections: 200 },
  'unknown keys, 64 KB': { bytes: logIn(manyKeys(64 * KB)) },
  'unknown keys, 4 KB': { bytes: logIn(manyKeys(4_000)) },
  'a long text, 4 KB': { bytes: logIn(`{"email":"${'\ufdfa'.repeat(1_300)}","password":"x"}`) },
  'deep nesting, 4 KB': { bytes: logIn(nested(4_000)) },
  'gzip of 8 MB': { bytes: logIn(gzipSync(Buffer.alloc(8 * KB * KB, ' ')), 'Content-Encoding: gzip') },
  'slow bodies': {
    bytes: head('/login', 'Content-Type: application/json', 'Content-Length: 4000'),
    connections: 500,
    isSlow: true,
  },
  'forms of 5 MB': { bytes: pictureForm() },
};

/** Keeps connections from one address busy with a flood. The result ends it, and returns how often each status came back. */
export const startFlood = (
  port: number,
  localAddress: string,
  { bytes, connections = CONNECTIONS, isSlow = false }: Flood,
): (() => Map<string, number>) => {
  const statuses = new Map<string, number>();
  const sockets = new Set<Socket>();
  let isOver = false;
  const send = (socket: Socket) => socket.write(typeof bytes === 'function' ? bytes() : bytes);
  const attack = (): void => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    sockets.add(socket);
    const drip = isSlow ? setInterval(() => socket.write('a'), DRIP_MS) : undefined;
    send(socket);
    socket.on('data', (chunk: Buffer) => {
      for (const [, status = ''] of chunk.toString('latin1').matchAll(STATUS)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (!isSlow) send(socket);
      }
    });
    socket.on('error', () => undefined); // the server ends connections of which it has not read the body
    socket.on('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
      if (!isOver) setTimeout(attack, 1);
    });
  };
  Array.from({ length: connections }, attack);
  return () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    return statuses;
  };
};
