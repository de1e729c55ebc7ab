import type { ServerResponse } from 'node:http';
import { createError } from '@shortlist/kit/process/errors';

/** Room for seven of the largest forms. Each takes about three times its size while it is read and passed on. */
const HELD_MAX_BYTES = 40 * 1024 * 1024;
/** Forms of this size, which have no picture, are not counted. */
const SMALL_BYTES = 64 * 1024;
const RETRY_SECONDS = 2;

// One for the process, whose memory it limits.
let heldBytes = 0;

/**
 * Counts a form of `bytes` among those that this process has in memory, until its response ends. Throws `profile.pictures_busy` when
 * there are too many.
 */
export const holdForm = (bytes: number, response: ServerResponse): void => {
  if (bytes <= SMALL_BYTES) return;
  if (response.closed) throw createError('request.aborted');
  if (heldBytes + bytes > HELD_MAX_BYTES)
    throw createError('profile.pictures_busy', { retryAfterSeconds: RETRY_SECONDS });
  heldBytes += bytes;
  response.once('close', () => (heldBytes -= bytes));
};
