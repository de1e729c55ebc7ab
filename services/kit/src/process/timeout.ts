/**
 * Waits for `work` for at most `timeoutMs`, then rejects with the error that `createTimeoutError` returns. The work itself
 * continues: a promise cannot be cancelled from outside.
 */
export const withTimeout = async <T>(
  work: Promise<T>,
  timeoutMs: number,
  createTimeoutError: () => Error,
): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createTimeoutError()), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};
