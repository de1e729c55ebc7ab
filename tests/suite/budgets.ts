import { availableParallelism } from 'node:os';
import type { TimedFile } from './timed-files.ts';

/** What one test file and one test may take when nothing else runs on the machine. */
const BUDGET = { fileSeconds: 20, testSeconds: 3 };

type Exception = { file?: number; test?: number; reason: string };

type Slow = { line: string; fails: boolean };

/** The files that may take longer, with what they may take in seconds. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'bff/test/worst-bodies.test.ts': {
    file: 40,
    test: 4,
    reason: 'measures the processor time of eleven bodies at each of sixty endpoints',
  },
  'deploy/local/test/system.test.ts': {
    test: 8,
    reason: 'one test starts every server, and Kafka takes seconds',
  },
  'services/billing/test/event-order.test.ts': {
    test: 8,
    reason: 'a sample of the 720 orders of six events, each with the reads and writes of a payment',
  },
  'services/credits/test/charging.test.ts': {
    test: 6,
    reason: 'eight hundred charges, one transaction each',
  },
  'services/credits/test/deletion-races.test.ts': {
    test: 8,
    reason: 'many users with charges, reservations and a change of plan each',
  },
  'services/profile/test/pictures.test.ts': {
    test: 6,
    reason: 'the largest pictures that are accepted are decoded',
  },
  'services/kit/test/lost-topics.test.ts': {
    test: 6,
    reason: 'a member of a group learns from Kafka after seconds that its topic is gone',
  },
  'services/kit/test/rebalance.test.ts': {
    file: 40,
    test: 8,
    reason: 'Kafka takes seconds to end the session of a member and to give its partitions to another',
  },
  'tests/races/log-ins.test.ts': {
    test: 8,
    reason: 'fifty accounts each, with three log-ins around a change',
  },
  'tests/checks/chart-render.test.ts': {
    test: 12,
    reason: 'starts each of the ten processes of the chart',
  },
  'tools/histories/histories.test.ts': {
    file: 40,
    test: 20,
    reason:
      'a history contains a renewal and its retries, and is compared with the model on each of its days',
  },
  'tests/checks/first-paint.test.ts': { test: 8, reason: 'a test builds the scripts of web' },
};

/** A run on a busy machine measures a test up to twice as long as a quiet one: less than that is reported and fails nothing. */
const FAILING_TIMES = 2;

const findOver = ({ path, seconds, slowestTest }: TimedFile, share: number): Slow[] => {
  const { file = BUDGET.fileSeconds, test = BUDGET.testSeconds } = EXCEPTIONS[path] ?? {};
  const over = (what: string, measured: number, limit: number): Slow[] =>
    measured * share > limit
      ? [
          {
            line: `SLOW ${what}: ${(measured * share).toFixed(1)} s, budget ${limit} s (tests/suite/budgets.ts)`,
            fails: measured * share > limit * FAILING_TIMES,
          },
        ]
      : [];
  return [...over(path, seconds, file), ...over(`${path} ${slowestTest.title}`, slowestTest.seconds, test)];
};

/** As many tests run at a time as there are workers, one more than processors, so that each has a part of a processor. */
const PROCESSORS_PER_TEST = availableParallelism() / (availableParallelism() + 1);

/**
 * Returns a line for each file and test over its budget, and whether it fails the run. `share` is the part of the
 * machine's work that was the run's: what else keeps the processors busy does not count against a test.
 */
export const overBudget = (
  files: readonly TimedFile[],
  share: number,
  processorsPerTest = PROCESSORS_PER_TEST,
): Slow[] => files.flatMap((file) => findOver(file, share * processorsPerTest));
