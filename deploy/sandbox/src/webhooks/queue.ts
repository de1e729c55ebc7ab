export type Queue = {
  add(delayMs: number, task: () => Promise<void>): void;
  clear(): void;
  /** Aborted when the queue is cleared, so that what is under way ends too. */
  signal(): AbortSignal;
};

/** Runs tasks after a delay, first come first served, never more than `width` at a time. */
export const createQueue = (width: number): Queue => {
  const timers = new Set<NodeJS.Timeout>();
  let waiting: (() => Promise<void>)[] = [];
  let running = 0;
  let stopped = new AbortController();

  const start = (): void => {
    while (running < width && waiting.length > 0) {
      const task = waiting.shift();
      if (task) void run(task);
    }
  };

  const run = async (task: () => Promise<void>): Promise<void> => {
    running += 1;
    try {
      await task();
    } finally {
      running -= 1;
      start();
    }
  };

  const enqueue = (task: () => Promise<void>): void => {
    waiting.push(task);
    start();
  };

  const add = (delayMs: number, task: () => Promise<void>): void => {
    if (delayMs < 1) {
      // Not in this turn of the loop: a delivery must never come before the reply that caused it is written.
      setImmediate(enqueue, task);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(task);
    }, delayMs).unref();
    timers.add(timer);
  };

  const clear = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    waiting = [];
    stopped.abort();
    stopped = new AbortController();
  };

  return { add, clear, signal: () => stopped.signal };
};
