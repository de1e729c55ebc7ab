import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much more is read of a body whose request has been refused, and for how long. */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 1_000;

/**
 * For an answer given before the body was read: reads on a little, then ends the connection. Ending it at once would throw
 * the answer away with the bytes under way; reading to the end would let whoever is refused keep us busy.
 */
export const endUnread = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.complete) return;
  let left = LINGER_BYTES;
  const end = (): void => void request.destroy();
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0 && response.writableFinished) end();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
};
