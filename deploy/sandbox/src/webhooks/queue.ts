export type Queue = {
  add(delayMs: number, task: () => Promise<void>): void;
  clear(): void;
  /** Returns a signal that aborts running tasks when the queue is cleared. */
  signal(): AbortSignal;
};

/** Runs delayed tasks in FIFO order, at most `maxConcurrency` at a time. */
export const createQueue = (maxConcurrency: number): Queue => {
  const timers = new Set<NodeJS.Timeout>();
  let pending: (() => Promise<void>)[] = [];
  let running = 0;
  let abortController = new AbortController();

  const start = (): void => {
    while (running < maxConcurrency && pending.length > 0) {
      const task = pending.shift();
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
    pending.push(task);
    start();
  };

  const add = (delayMs: number, task: () => Promise<void>): void => {
    if (delayMs < 1) {
      // Deferred to the next turn of the event loop: the API response is written before the webhook is sent.
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
    pending = [];
    abortController.abort();
    abortController = new AbortController();
  };

  return { add, clear, signal: () => abortController.signal };
};
