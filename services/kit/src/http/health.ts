import { withTimeout } from '../process/timeout.ts';

export type Check = () => Promise<unknown>;
export type Health = {
  ready: () => Promise<{ ready: boolean; checks: Record<string, string> }>;
  /** Runs the checks without effect on readiness. Returns by name which succeed. */
  probe: () => Promise<(readonly [name: string, isUp: boolean])[]>;
};

const CHECK_TIMEOUT_MS = 1_000;
/** Consecutive failures of a check after which the process is not ready: a single one changes nothing. */
const MAX_FAILURES = 2;

/** Readiness from named checks, each with a timeout of one second. A check that has never succeeded counts as failing. */
export const createHealth = (checks: Readonly<Record<string, Check>>): Health => {
  const failures = new Map<string, number>(Object.keys(checks).map((name) => [name, MAX_FAILURES]));
  const limited = (check: Check): Promise<unknown> =>
    withTimeout(check(), CHECK_TIMEOUT_MS, () => new Error('timed out'));
  const run = async ([name, check]: [string, Check]): Promise<[string, string]> => {
    try {
      await limited(check);
      failures.set(name, 0);
      return [name, 'ok'];
    } catch (error) {
      failures.set(name, (failures.get(name) ?? 0) + 1);
      return [name, error instanceof Error ? error.message : 'failing'];
    }
  };
  return {
    ready: async () => {
      const results = Object.fromEntries(await Promise.all(Object.entries(checks).map(run)));
      return { ready: [...failures.values()].every((count) => count < MAX_FAILURES), checks: results };
    },
    probe: () =>
      Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const isUp = await limited(check).then(
            () => true,
            () => false,
          );
          return [name, isUp] as const;
        }),
      ),
  };
};
