import { connect, type Socket } from 'node:net';
import { examplePath, exampleProfile } from '@shortlist/contracts/testing/examples';
import type { Method } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';

export const MULTIPART = 'multipart/form-data; boundary=b';
const END = '--b--\r\n';

export const ana = exampleProfile();

export const field = (name: string, value: string): Buffer =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

export const filePart = (bytes: Buffer, { name = 'a.png', type = 'image/png' } = {}): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);

export const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(END)]);

/** Sends the head of a request with these headers as they are, besides its host, and the beginning of its body. */
export const openRequest = (
  port: number,
  operation: `${string} ${string}`,
  headers: Record<string, string | number> = {},
  start: string | Buffer = '',
): Socket => {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  socket.on('error', () => undefined); // expected: bff may close the connection while more is being sent
  const lines = Object.entries({ host: 'localhost', ...headers }).map((pair) => pair.join(': '));
  socket.write(`${[`${operation} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  socket.write(start);
  return socket;
};

/** Sends a form with an endless picture. Returns the response and the bytes sent until the server closed the connection. */
export const sendEndlessForm = (
  port: number,
  operation: `${string} ${string}`,
  { headers, maxBytes }: { headers: Record<string, string | number>; maxBytes: number },
): Promise<{ response: string; sentBytes: number }> =>
  new Promise((resolve) => {
    const encoding = 'content-length' in headers ? {} : { 'transfer-encoding': 'chunked' };
    const socket = openRequest(port, operation, { ...headers, ...encoding, 'content-type': MULTIPART });
    const part = Buffer.alloc(64 * 1024);
    let response = '';
    const sendChunk = (bytes: Buffer): boolean =>
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
      );
    const fill = (): void => {
      while (!socket.destroyed && socket.bytesWritten < maxBytes) if (!sendChunk(part)) return;
    };
    sendChunk(Buffer.from(filePart(Buffer.alloc(0)).subarray(0, -2)));
    socket.on('drain', fill);
    socket.on('data', (data) => (response += data.toString()));
    socket.on('close', () => resolve({ response, sentBytes: socket.bytesWritten - socket.writableLength }));
    fill();
  });

export type EndpointName = keyof typeof publicEndpoints;
export const endpointNames = Object.keys(publicEndpoints) as EndpointName[];

type Declared = { method: Method; path: string; body: 'json' | 'form' | 'stream' };
/** An endpoint, or a method and a target. */
export type Operation = EndpointName | Declared | `${Method | 'HEAD' | 'OPTIONS'} ${string}`;

export type Input = {
  /** Every parameter of the path; an id that nothing has unless a test names one. */
  id?: string;
  query?: string;
  token?: string;
  /** JSON, or the fields of a form. Text and bytes are sent as they are. */
  body?: object | string;
  headers?: Record<string, string>;
};

const declarationOf = (operation: Operation): Omit<Declared, 'method'> & { method: string } => {
  if (typeof operation !== 'string') return operation;
  if (operation in publicEndpoints) return publicEndpoints[operation as EndpointName];
  const [method = '', path = ''] = operation.split(' ', 2);
  return { method, path, body: 'json' };
};

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** A form with these fields, in addition to what else it has. */
export const userForm = (fields: object, ...parts: Buffer[]): Buffer =>
  form(field('userData', JSON.stringify(fields)), ...parts);

/** The request of an operation as a client sends it. A POST or PUT without a body of its own has an empty object; one of '' has none. */
export const requestOf = (
  operation: Operation,
  { id = uuidv7(), query = '', token, body, headers = {} }: Input = {},
): { target: string; method: string; headers: Record<string, string>; body?: string | Buffer } => {
  const { method, path, body: kind } = declarationOf(operation);
  const input = body ?? (method === 'POST' || method === 'PUT' ? {} : '');
  const encode = kind === 'form' ? userForm : JSON.stringify;
  const content = typeof input === 'string' || Buffer.isBuffer(input) ? input : encode(input);
  return {
    target: `${examplePath({ path }, id)}${query}`,
    method,
    headers: {
      ...(token !== undefined && bearer(token)),
      ...(content !== '' && { 'content-type': kind === 'form' ? MULTIPART : 'application/json' }),
      ...headers,
    },
    ...(content !== '' && { body: content }),
  };
};

/** The value of a JSON text; undefined for another one, which a failed assertion prints. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type RawResponse = {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
  /** The value of a JSON body. */
  readonly json: unknown;
  /** The code of an error. */
  readonly code: string | undefined;
};

/** A network of its own, in the range for documentation. */
export const newNetwork = (): string => `2001:db8:f${uuidv7().slice(-3)}:f${uuidv7().slice(-3)}`;
export const newEmail = (): string => `${uuidv7()}@people.test`;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** How often each status occurs. */
export const countStatuses = (responses: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const responseOf = ({ statusCode = 0, headers }: IncomingMessage, body: string): RawResponse => ({
  status: statusCode,
  headers,
  body,
  get json(): unknown {
    return parseJson(body);
  },
  get code() {
    const { error, code } = (parseJson(body) ?? {}) as { error?: { code: string }; code?: string };
    return error?.code ?? code;
  },
});

/** Of a body whose method usually has none, Node announces no length. */
const lengthOf = (body: string | Buffer | undefined, headers: object): Record<string, number> =>
  body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };

type Sent = { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer };
/** Sends a request with these headers and this target, which fetch would normalise. */
export const send = (
  port: number,
  target: string,
  { method = 'GET', headers: given = {}, body }: Sent = {},
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const headers = { ...lengthOf(body, given), ...given };
    const options = { host: '127.0.0.1', port, path: target, method, headers, agent: false };
    const request = httpRequest(options, (response) => {
      buffer(response).then((received) => resolve(responseOf(response, received.toString())), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
