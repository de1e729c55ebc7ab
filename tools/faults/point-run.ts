import type { FailPoint } from '@shortlist/kit/process/fail-point';
import { randomFrom } from '@shortlist/kit/testing/sample';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { until } from '@shortlist/kit/testing/until';
import type { Breach } from '@shortlist/operator/audit/sources';
import { createHistory } from './history.ts';
import { createSwitch, onlyPoint, type Switch } from './points.ts';
import { simulateWhile } from './recruiter.ts';
import type { Parts } from './retry.ts';
import { SETTLE_LIMIT_MS, waitUntilSettled } from './settled.ts';

type PointRun = { point: FailPoint; rounds: number; seed: number; print: (line: string) => void };
export type PointReport = { fired: number; operations: number; breaches: Breach[]; settledMs: number };

const RECRUITERS = 4;
/** The number of deaths after which the system must settle. */
const DEATHS_PER_CHECK = 50;
/** Normal use passes every fail point far more often, so a point that has not fired by then is unreachable. */
const FIRE_LIMIT_MS = 90_000;
const READY_LIMIT_MS = 60_000;

const isReadyAgain = async (system: System): Promise<boolean> => {
  for (const name of PROCESS_NAMES) if (!(await system.process(name).isReady())) return false;
  return true;
};

/** Arms the fail point until a process has died there, then waits until all processes are ready again. */
const dieOnce = async (system: System, points: Switch): Promise<void> => {
  const before = (await points.fired()).length;
  await points.on();
  const hasFired = async (): Promise<boolean> => (await points.fired()).length > before;
  try {
    await until('the fail point to fire', hasFired, FIRE_LIMIT_MS);
  } finally {
    await points.off();
  }
  await until('the readiness of all processes', () => isReadyAgain(system), READY_LIMIT_MS);
};

type PointParts = Parts & { system: System; points: Switch; run: PointRun };

const runThroughDeaths = async ({ points, run, ...parts }: PointParts): Promise<PointReport> => {
  const { system, history } = parts;
  const count = async (): Promise<number> => (await points.fired()).length;
  let settledMs = 0;
  let breaches: Breach[] = [];
  while ((await count()) < run.rounds && breaches.length === 0) {
    const goal = Math.min((await count()) + DEATHS_PER_CHECK, run.rounds);
    await simulateWhile(parts, RECRUITERS, async () => {
      while ((await count()) < goal) await dieOnce(system, points);
    });
    const settled = await waitUntilSettled(system, history, SETTLE_LIMIT_MS);
    ({ breaches } = settled);
    settledMs = Math.max(settledMs, settled.ms);
    run.print(`${run.point}: ${await count()} times, settled after ${(settled.ms / 1000).toFixed(1)} s`);
  }
  return { fired: await count(), operations: history.all().length, breaches, settledMs };
};

/** Simulates normal use while processes die at one fail point, one after the other. Ends at the first breach. */
export const runPoint = async (run: PointRun): Promise<PointReport> => {
  const points = await createSwitch();
  const env = { ...points.environment(onlyPoint(run.point), run.seed), ...WITHOUT_LIMITS };
  const system = await startSystem({
    restart: true,
    env: Object.fromEntries(PROCESS_NAMES.map((name) => [name, name === 'sandbox' ? {} : env])),
  });
  try {
    const random = randomFrom(run.seed);
    return await runThroughDeaths({ system, history: createHistory(), random, points, run });
  } finally {
    await system.stop();
    await points.remove();
  }
};
