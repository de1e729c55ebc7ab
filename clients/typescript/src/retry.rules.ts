// A request is repeated after what passes by itself: a lost connection, a reply of something else in between, 429, 503 and 504. The pause
// doubles each time, and is at least what the server says; a random part keeps clients apart that failed together.
import type { ShortlistError } from './shortlist-error.ts';

const REPEATED = [429, 503, 504];
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

type Failure = Pick<ShortlistError, 'code' | 'status'>;

/** Whether the API did not say anything about the request. */
export const isUnreachable = ({ code, status }: Failure): boolean =>
  code.startsWith('network.') || status >= 500;

export const isRepeated = ({ code, status }: Failure): boolean =>
  code.startsWith('network.') || REPEATED.includes(status);

/** `random`: from 0 to 1. */
export const pauseMs = (tries: number, random: number, retryAfterSeconds = 0): number => {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  return Math.max(longest * (0.5 + random / 2), retryAfterSeconds * 1_000);
};
