import { withTimeout } from '../process/timeout.ts';

export type Check = () => Promise<unknown>;
export type Health = { ready: () => Promise<{ ready: boolean; checks: Record<string, string> }> };

const LIMIT_MS = 1_000;
/** A part must fail this often in a row before the process calls itself not ready, so that one hiccup does not. */
const FAILURES = 2;

/** Readiness from named checks, each with a time limit. A part that never worked yet counts as failing at once. */
export const createHealth = (checks: Readonly<Record<string, Check>>): Health => {
  const failures = new Map<string, number>(Object.keys(checks).map((name) => [name, FAILURES]));
  const run = async ([name, check]: [string, Check]): Promise<[string, string]> => {
    try {
      await withTimeout(check(), LIMIT_MS, () => new Error('no answer in time'));
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
      return { ready: [...failures.values()].every((count) => count < FAILURES), checks: results };
    },
  };
};
