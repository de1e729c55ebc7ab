/**
 * Returns a function that runs work while fewer than `limit` runs for the same key are in progress in this process, and otherwise throws what
 * `createRefusal` returns.
 */
export const createConcurrencyLimit = (limit: number, createRefusal: () => Error) => {
  const running = new Map<string, number>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const count = running.get(key) ?? 0;
    if (count >= limit) throw createRefusal();
    running.set(key, count + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    }
  };
};
