import { setTimeout as sleep } from 'node:timers/promises';
import { createError } from '@shortlist/kit/process/errors';

/** Below the ten seconds in which a person is to be answered (F9), however many calls their deed takes. */
const DEADLINE_MS = 9_000;

/**
 * Answers whoever waits within nine seconds. What is under way goes on behind, still holding its lease, and the next try finds
 * what came of it. Throws `billing.provider_unavailable`.
 */
export const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(DEADLINE_MS, undefined, { signal: answered.signal });
    throw createError('billing.provider_unavailable', { retryAfterSeconds: 5 });
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    answered.abort();
  }
};
