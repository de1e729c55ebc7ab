/** Returns the current time. Passed as an argument, so that a test can stop it. */
export type Clock = () => Date;

export type Repetition = {
  /** Starts no further run. Resolves when the current run has ended. */
  stop: () => Promise<void>;
};

/** Runs `run` now, and again after the milliseconds that it returns, one run at a time. `run` must not throw. */
export const repeat = (run: () => Promise<number>): Repetition => {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const next = async (): Promise<void> => {
    const pauseMs = await run();
    if (isStopped) return;
    timer = setTimeout(() => {
      running = next();
    }, pauseMs);
  };
  let running = next();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
};

/**
 * Waits for `work` for at most `timeoutMs`, then rejects with the error that `createTimeoutError` returns. The work itself continues, because a
 * promise cannot be cancelled.
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
