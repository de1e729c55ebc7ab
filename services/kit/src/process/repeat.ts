export type Repetition = {
  /** Starts no further run. Resolves when the run in progress has ended. */
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
