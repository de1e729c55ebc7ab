export interface Queue {
  add(delayMs: number, task: () => Promise<void>): void;
  clear(): void;
  /** Aborted when the queue is cleared, so that what is under way ends too. */
  signal(): AbortSignal;
}

/** Runs tasks after a delay, first come first served, never more than `width` at a time. */
export function createQueue(width: number): Queue {
  const timers = new Set<NodeJS.Timeout>();
  let waiting: (() => Promise<void>)[] = [];
  let running = 0;
  let stopped = new AbortController();

  function start(): void {
    while (running < width && waiting.length > 0) {
      const task = waiting.shift();
      if (task) void run(task);
    }
  }

  async function run(task: () => Promise<void>): Promise<void> {
    running += 1;
    try {
      await task();
    } finally {
      running -= 1;
      start();
    }
  }

  function enqueue(task: () => Promise<void>): void {
    waiting.push(task);
    start();
  }

  function add(delayMs: number, task: () => Promise<void>): void {
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
  }

  function clear(): void {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    waiting = [];
    stopped.abort();
    stopped = new AbortController();
  }

  return { add, clear, signal: () => stopped.signal };
}
