/**
 * Runs at most one job of each kind at a time. A job whose kind is still running is skipped: its next scheduled run follows soon,
 * and a job that hangs delays no other kind.
 */
export const runExclusively = (
  work: (name: string) => Promise<unknown>,
): ((name: string) => Promise<void>) => {
  const running = new Set<string>();
  return async (name) => {
    if (running.has(name)) return;
    running.add(name);
    try {
      await work(name);
    } finally {
      running.delete(name);
    }
  };
};
