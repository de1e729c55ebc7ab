// What one address can send at its worst: each kind returns a request as it is written to a connection.
import { gzipSync } from 'node:zlib';

/** `bytes` are sent again after each response; of a slow one, a byte follows each tenth of a second until the connection ends. */
export type Flood = { bytes: Buffer; isSlow?: boolean };

const KB = 1024;
const SLOW_BYTES = 4_000;

const head = (path: string, type: string, more: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`, ...more, '', ''].join('\r\n');

const post = (body: string | Buffer, more: readonly string[] = []): Buffer => {
  const bytes = Buffer.from(body);
  const length = `Content-Length: ${bytes.length}`;
  return Buffer.concat([Buffer.from(head('/login', 'application/json', [length, ...more])), bytes]);
};

const manyKeys = (bytes: number): string =>
  `{${Array.from({ length: Math.floor(bytes / 11) }, (_, index) => `"k${10_000 + index}":1`).join(',')}}`;

const nested = (bytes: number): string => `{"email":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`;

const pictureForm = (): Buffer => {
  const start =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  const body = Buffer.concat([Buffer.from(start), Buffer.alloc(5 * KB * KB), Buffer.from('\r\n--b--\r\n')]);
  const length = `Content-Length: ${body.length}`;
  return Buffer.concat([Buffer.from(head('/signup', 'multipart/form-data; boundary=b', [length])), body]);
};

export const FLOODS: Readonly<Record<string, Flood>> = {
  'unknown keys, 64 KB': { bytes: post(manyKeys(64 * KB)) },
  'unknown keys, 4 KB': { bytes: post(manyKeys(4_000)) },
  'a long text, 4 KB': { bytes: post(`{"email":"${'\ufdfa'.repeat(1_300)}","password":"x"}`) },
  'deep nesting, 4 KB': { bytes: post(nested(4_000)) },
  'gzip of 8 MB': { bytes: post(gzipSync(Buffer.alloc(8 * KB * KB, ' ')), ['Content-Encoding: gzip']) },
  'slow bodies': {
    bytes: Buffer.from(head('/login', 'application/json', [`Content-Length: ${SLOW_BYTES}`])),
    isSlow: true,
  },
  'forms of 5 MB': { bytes: pictureForm() },
};
