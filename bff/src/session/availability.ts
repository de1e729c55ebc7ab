import { createError } from '@shortlist/kit/process/errors';

/** Turns a failure of Redis into `session.unavailable`. */
export const withAvailability = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    throw createError('session.unavailable', { cause, retryAfterSeconds: 2 });
  }
};
