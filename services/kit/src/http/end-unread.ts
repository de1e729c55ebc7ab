import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How much of an unread body is still read after the response, and for how long: far longer than a busy client needs to read the
 * response, which the end of the connection would discard.
 */
const DRAIN_BYTES = 1024 * 1024;
const DRAIN_MS = 5_000;

/**
 * Ends the connection of a request whose response is sent before its body is read, after reading a little more of the body.
 * Ending at once could discard the response together with the bytes in flight; reading all would keep the server busy.
 */
export const endUnread = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.complete) return;
  let remaining = DRAIN_BYTES;
  const end = (): void => void request.destroy();
  const timer = setTimeout(end, DRAIN_MS);
  request.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining < 0 && response.writableFinished) end();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
};
