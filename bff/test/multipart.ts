import { connect } from 'node:net';
import { exampleProfile } from '@shortlist/contracts/testing/examples';

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

/** Sends a form with an endless picture. Returns the response and the bytes sent until the server closed the connection. */
export const sendEndlessForm = (
  port: number,
  {
    target,
    method,
    headers,
    maxBytes,
  }: { target: string; method: string; headers: string[]; maxBytes: number },
): Promise<{ response: string; sentBytes: number }> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const part = Buffer.alloc(64 * 1024);
    let response = '';
    const send = (bytes: Buffer): boolean =>
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
      );
    const fill = (): void => {
      while (!socket.destroyed && socket.bytesWritten < maxBytes) if (!send(part)) return;
    };
    const isChunked = headers.every((header) => !/^content-length/i.test(header));
    const lines = [...headers, 'Host: localhost', `Content-Type: ${MULTIPART}`];
    if (isChunked) lines.push('Transfer-Encoding: chunked');
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    send(Buffer.from(filePart(Buffer.alloc(0)).subarray(0, -2)));
    socket.on('drain', fill);
    socket.on('data', (data) => (response += data.toString()));
    socket.on('error', () => undefined); // expected: the server closes the connection while the form is being sent
    socket.on('close', () => resolve({ response, sentBytes: socket.bytesWritten - socket.writableLength }));
    fill();
  });

/** Sends the beginning of a form and disconnects. */
export const sendAndDisconnect = (port: number, target: string, start: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${MULTIPART}\r\nContent-Length: 100000\r\n\r\n`;
    socket.on('close', () => resolve());
    socket.write(head);
    socket.write(start, () => setImmediate(() => socket.destroy()));
  });
