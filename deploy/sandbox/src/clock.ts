/** The provider's time: the machine's time plus an offset, or one moment while something due is carried out. */
export interface SandboxClock {
  realNow(): number;
  pinnedAt: number | null;
}

export function createClock(realNow: () => number): SandboxClock {
  return { realNow, pinnedAt: null };
}

export function atMoment(clock: SandboxClock, moment: number, run: () => void): void {
  const before = clock.pinnedAt;
  clock.pinnedAt = moment;
  try {
    run();
  } finally {
    clock.pinnedAt = before;
  }
}
