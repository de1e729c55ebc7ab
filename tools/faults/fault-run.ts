import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';
import { randomFrom } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import type { Breach } from '@shortlist/operator/verify/sources';
import { countAcked, createHistory, type Parts } from '../../harness/history.ts';
import {
  ALL_POINTS,
  type Chances,
  createInjection,
  type FailPoint,
  type Injection,
  onlyPoint,
} from './injection.ts';
import { runNemesis } from './nemesis.ts';
import { simulateWhile } from './recruiter.ts';
import { SETTLE_LIMIT_MS, waitUntilSettled } from '../../harness/settled.ts';

type Run = { seed: number; rounds: number; recruiters: number; print: (line: string) => void };
type RunParts = Parts & { system: System; injection: Injection };
type Plan = {
  chances: Chances;
  work: (parts: RunParts) => Promise<void>;
  isOver: (progress: { round: number; fired: number }) => boolean;
};

/** What succeeds in a round at least, and how many times its length a busy machine may take for it. */
const ACKED_MIN = 20;
const LENGTHS_MAX = 6;
/** The number of deaths after which the system must settle. */
const DEATHS_PER_CHECK = 50;
/** Normal use passes every fail point far more often, so a point that has not fired by then is unreachable. */
const FIRE_LIMIT_MS = 90_000;
const READY_LIMIT_MS = minutes(1);

/** A product whose processes are killed, at the fail points of the injection or from outside. */
const startInjected = (injection: Injection): Promise<System> => {
  const environment = PROCESS_NAMES.map((name) => [
    name,
    name === 'sandbox' ? {} : { ...injection.environment(name), ...WITHOUT_LIMITS },
  ]);
  return startSystem({ restart: true, env: Object.fromEntries(environment) });
};

type Subject = Pick<Plan, 'work' | 'isOver'> & { parts: RunParts; print: Run['print'] };

const runRounds = async ({ parts, work, isOver, print }: Subject) => {
  const { system, history, injection } = parts;
  let breaches: Breach[] = [];
  let [settledMs, fired]: [number, string[]] = [0, []];
  for (let round = 0; !isOver({ round, fired: fired.length }) && breaches.length === 0; round += 1) {
    await work(parts);
    const settled = await waitUntilSettled(system, history, SETTLE_LIMIT_MS);
    ({ breaches } = settled);
    fired = await injection.fired();
    settledMs = Math.max(settledMs, settled.ms);
    const state = breaches.length === 0 ? 'settled' : 'not settled';
    print(`round ${round + 1}: ${fired.length} deaths, ${state} after ${(settled.ms / 1000).toFixed(1)} s`);
  }
  return { breaches, settledMs, fired };
};

/** Works with a product again and again, each time until it has settled. Ends at the first breach. */
const runProduct = async ({ seed, print }: Run, { chances, work, isOver }: Plan) => {
  const injection = await createInjection(chances, seed);
  const system = await startInjected(injection);
  const history = createHistory();
  const parts = { system, history, injection, random: randomFrom(seed) };
  try {
    const result = await runRounds({ parts, work, isOver, print });
    return { operations: history.all().length, acked: countAcked(history), ...result };
  } finally {
    await system.stop();
    await injection.remove();
  }
};

/** Runs rounds of normal use under faults, each followed by `verify` once the system has settled. Ends at the first breach. */
export const runFaults = (run: Run & { roundMs: number }) =>
  runProduct(run, {
    chances: ALL_POINTS,
    isOver: ({ round }) => round >= run.rounds,
    work: async (parts) => {
      const { system, history, injection, random } = parts;
      const end = new AbortController();
      await injection.switchOn();
      const nemesis = runNemesis({ system, injection, random, print: run.print }, end.signal);
      const before = countAcked(history);
      await simulateWhile(parts, run.recruiters, async () => {
        // Killed processes of a busy machine may take most of a round to come back.
        for (let length = 0; length < LENGTHS_MAX && countAcked(history) - before < ACKED_MIN; length += 1)
          await sleep(run.roundMs);
      });
      await injection.switchOff();
      end.abort();
      await nemesis;
    },
  });

const isReady = async (system: System): Promise<boolean> => {
  for (const name of PROCESS_NAMES) if (!(await system.process(name).isReady())) return false;
  return true;
};

/** Arms the fail point until a process has died there, then waits until all processes are ready again. */
const dieOnce = async ({ system, injection }: RunParts): Promise<void> => {
  const before = (await injection.fired()).length;
  await injection.switchOn();
  const hasFired = async (): Promise<boolean> => (await injection.fired()).length > before;
  try {
    await until('a death at the fail point', hasFired, FIRE_LIMIT_MS);
  } finally {
    await injection.switchOff();
  }
  await until('all processes to be ready again', () => isReady(system), READY_LIMIT_MS);
};

/** Simulates normal use while processes die at one fail point, one after the other. Ends at the first breach. */
export const runPoint = (run: Run & { point: FailPoint }) =>
  runProduct(run, {
    chances: onlyPoint(run.point),
    isOver: ({ fired }) => fired >= run.rounds,
    work: async (parts) => {
      const count = async (): Promise<number> => (await parts.injection.fired()).length;
      const goal = Math.min((await count()) + DEATHS_PER_CHECK, run.rounds);
      await simulateWhile(parts, run.recruiters, async () => {
        while ((await count()) < goal) await dieOnce(parts);
      });
    },
  });
