import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '@shortlist/kit/testing/sample';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import type { Breach } from '@shortlist/operator/audit/sources';
import { type Clocks, createClocks } from './clocks.ts';
import { createHistory, type History } from './history.ts';
import { runNemesis } from './nemesis.ts';
import { ALL_POINTS, createSwitch, type Switch, tally } from './points.ts';
import { preloading } from './preload.ts';
import { simulateWhile } from './recruiter.ts';
import { SETTLE_LIMIT_MS, waitUntilSettled } from './settled.ts';

export type FaultRun = {
  seed: number;
  rounds: number;
  recruiters: number;
  roundMs: number;
  print: (line: string) => void;
};
export type Report = {
  operations: number;
  acked: number;
  breaches: Breach[];
  settledMs: number;
  /** The fail points that fired, in order. */
  fired: string[];
};

type Parts = {
  system: System;
  history: History;
  random: () => number;
  run: FaultRun;
  points: Switch;
  clocks: Clocks;
};

const countAcked = (history: History): number =>
  history.all().filter(({ outcome }) => outcome === 'acked').length;

/** What succeeds in a round at least, and how many times its length a busy machine may take for it. */
const ACKED_MIN = 20;
const LENGTHS_MAX = 6;

/** The length of a round: killed processes of a busy machine may take most of it to come back. */
const waitForRound = async (history: History, roundMs: number): Promise<void> => {
  const before = countAcked(history);
  for (let lengths = 0; lengths < LENGTHS_MAX; lengths += 1) {
    await sleep(roundMs);
    if (countAcked(history) - before >= ACKED_MIN) return;
  }
};

const runRound = async ({ system, history, random, run, points, clocks }: Parts): Promise<void> => {
  const nemesisEnd = new AbortController();
  await points.on();
  const nemesis = runNemesis({ system, random, clocks, print: run.print }, nemesisEnd.signal);
  await simulateWhile({ system, history, random }, run.recruiters, () => waitForRound(history, run.roundMs));
  await points.off();
  nemesisEnd.abort();
  await nemesis;
};

const runRounds = async (parts: Parts): Promise<Report> => {
  const { system, history, run, points } = parts;
  let breaches: Breach[] = [];
  let settledMs = 0;
  for (let round = 1; round <= run.rounds && breaches.length === 0; round += 1) {
    await runRound(parts);
    const settled = await waitUntilSettled(system, history, SETTLE_LIMIT_MS);
    ({ breaches } = settled);
    settledMs = Math.max(settledMs, settled.ms);
    run.print(
      breaches.length === 0
        ? `round ${round}: settled after ${(settled.ms / 1000).toFixed(1)} s`
        : `round ${round}: not settled after ${SETTLE_LIMIT_MS / 1000} s`,
    );
  }
  const fired = await points.fired();
  run.print(`fail points that fired: ${tally(fired)}`);
  const { length: operations } = history.all();
  return { operations, acked: countAcked(history), breaches, settledMs, fired };
};

/** Runs rounds of normal use under faults, each followed by the auditor once the system has settled. Ends at the first breach. */
export const runFaults = async (run: FaultRun): Promise<Report> => {
  const points = await createSwitch();
  const clocks = await createClocks();
  const env = points.environment(ALL_POINTS, run.seed);
  const system = await startSystem({
    restart: true,
    env: Object.fromEntries(
      PROCESS_NAMES.map((name) => [
        name,
        name === 'sandbox'
          ? {}
          : {
              ...env,
              ...clocks.environment(name),
              ...WITHOUT_LIMITS,
              ...preloading('armed-points.ts', 'skewed-clock.ts'),
            },
      ]),
    ),
  });
  try {
    const random = randomFrom(run.seed);
    return await runRounds({ system, history: createHistory(), random, run, points, clocks });
  } finally {
    await system.stop();
    await points.remove();
    await clocks.remove();
  }
};
