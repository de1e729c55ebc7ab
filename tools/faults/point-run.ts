import { type FailPoint, randomFrom } from '@shortlist/kit/process/fail-point';
import { PROCESS_NAMES } from '@shortlist/local/processes';
import { startSystem, type System } from '@shortlist/local/system';
import { waitUntil } from '@shortlist/local/wait';
import type { Breach } from '../audit/sources.ts';
import { createHistory } from './history.ts';
import { createSwitch, onlyPoint, type Switch } from './points.ts';
import { liveWhile, type Parts } from './recruiter.ts';
import { SETTLE_LIMIT_MS, waitForOrder } from './verdict.ts';

type PointRun = { point: FailPoint; rounds: number; seed: number; tell: (line: string) => void };
export type PointReport = { fired: number; operations: number; breaches: Breach[]; settledMs: number };

const RECRUITERS = 4;
/** Rounds after which life pauses, and all must be in order. */
const STRETCH = 50;
/** Life passes every point far more often than this, so a point that has not fired by then is not there. */
const FIRE_LIMIT_MS = 90_000;
const BACK_LIMIT_MS = 60_000;

const isBack = async (system: System): Promise<boolean> => {
  for (const name of PROCESS_NAMES) if (!(await system.process(name).isReady())) return false;
  return true;
};

/** One death at the point, and the process is back. */
const dieOnce = async (system: System, points: Switch): Promise<void> => {
  const before = (await points.fired()).length;
  await points.on();
  const hasFired = async (): Promise<boolean> => (await points.fired()).length > before;
  const fired = await waitUntil(hasFired, { limitMs: FIRE_LIMIT_MS, everyMs: 20 });
  await points.off();
  if (!fired) throw new Error(`the point has not fired in ${FIRE_LIMIT_MS / 1000} s`);
  if (!(await waitUntil(() => isBack(system), { limitMs: BACK_LIMIT_MS, everyMs: 100 })))
    throw new Error(`not all processes were back within ${BACK_LIMIT_MS / 1000} s`);
};

type Stretches = Parts & { points: Switch; run: PointRun };

const liveThroughDeaths = async ({ points, run, ...parts }: Stretches): Promise<PointReport> => {
  const { system, history } = parts;
  const count = async (): Promise<number> => (await points.fired()).length;
  let settledMs = 0;
  let breaches: Breach[] = [];
  while ((await count()) < run.rounds && breaches.length === 0) {
    const goal = Math.min((await count()) + STRETCH, run.rounds);
    await liveWhile(parts, RECRUITERS, async () => {
      while ((await count()) < goal) await dieOnce(system, points);
    });
    const verdict = await waitForOrder(system, history, SETTLE_LIMIT_MS);
    ({ breaches } = verdict);
    settledMs = Math.max(settledMs, verdict.ms);
    run.tell(`${run.point}: ${await count()} times, then in order after ${(verdict.ms / 1000).toFixed(1)} s`);
  }
  return { fired: await count(), operations: history.all().length, breaches, settledMs };
};

/** Life while processes die at one point, again and again, each death once the one before is over. Ends at the first breach. */
export const runPoint = async (run: PointRun): Promise<PointReport> => {
  const points = await createSwitch();
  const env = points.environment(onlyPoint(run.point), run.seed);
  const system = await startSystem({
    restart: true,
    env: Object.fromEntries(PROCESS_NAMES.map((name) => [name, name === 'sandbox' ? {} : env])),
  });
  try {
    const random = randomFrom(run.seed);
    return await liveThroughDeaths({ system, history: createHistory(), random, points, run });
  } finally {
    await system.stop();
    await points.remove();
  }
};
