import { createError } from '@shortlist/kit/process/errors';

/** The result of work with the session store; a failure means that the store is away. */
export const withAvailability = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    throw createError('session.unavailable', { cause, retryAfterSeconds: 2 });
  }
};
