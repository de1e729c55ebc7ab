/** The provider's time: the machine's time plus an offset, or one moment while something due is carried out. */
export type SandboxClock = {
  realNow(): number;
  pinnedAt: number | null;
};

export const createClock = (realNow: () => number): SandboxClock => ({ realNow, pinnedAt: null });

export const runAt = (clock: SandboxClock, moment: number, run: () => void): void => {
  const before = clock.pinnedAt;
  clock.pinnedAt = moment;
  try {
    run();
  } finally {
    clock.pinnedAt = before;
  }
};
