/** Waits for `work` for `limitMs` at most, then rejects with what `late` makes. The work itself goes on: nothing can end it from outside. */
export const withTimeout = async <T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};
