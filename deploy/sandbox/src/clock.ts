export type SandboxClock = {
  realNow(): number;
  /** The provider's time in Unix seconds while a due task runs; null when the time passes. */
  pinnedAt: number | null;
};

export const createClock = (realNow: () => number): SandboxClock => ({ realNow, pinnedAt: null });

export const runAt = (clock: SandboxClock, time: number, run: () => void): void => {
  const previous = clock.pinnedAt;
  clock.pinnedAt = time;
  try {
    run();
  } finally {
    clock.pinnedAt = previous;
  }
};
