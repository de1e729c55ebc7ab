import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { type FailPoint, randomFrom } from '@shortlist/kit/fail-point';
import { PROCESS_NAMES } from '@shortlist/local/processes';
import { startSystem, type System } from '@shortlist/local/system';
import type { Breach } from '../audit/sources.ts';
import { createHistory, type History } from './history.ts';
import { runNemesis } from './nemesis.ts';
import { liveAsRecruiter } from './recruiter.ts';
import { waitForOrder } from './verdict.ts';

export type FaultRun = {
  seed: number;
  rounds: number;
  recruiters: number;
  spends: number;
  tell: (line: string) => void;
};
export type Report = { operations: number; acked: number; breaches: Breach[]; settledMs: number };

/** How likely a process is to die each time that it passes a point. */
const CHANCES: Record<FailPoint, number> = {
  'outbox.before_insert': 0.004,
  'transaction.after_commit': 0.004,
  'relay.before_publish': 0.01,
  'relay.after_publish': 0.02,
  'inbox.before_commit': 0.01,
  'consumer.after_commit': 0.01,
  'stripe_inbox.after_insert': 0.03,
  'stripe_inbox.after_answer': 0.03,
  'mail.after_accept': 0.05,
};

// V10 asks for a minute; a storm of kills has been seen to take two, while the group sessions of the dead run out.
const SETTLE_LIMIT_MS = 180_000;

const armedEnvironment = (seed: number, switchFile: string): Record<string, string> => ({
  FAIL_POINTS: Object.entries(CHANCES)
    .map(([name, chance]) => `${name}=${chance}`)
    .join(','),
  FAIL_SEED: String(seed),
  FAIL_SWITCH: switchFile,
});

type Round = { system: System; history: History; random: () => number; run: FaultRun; switchFile: string };

const liveOneRound = async ({ system, history, random, run, switchFile }: Round): Promise<void> => {
  const stop = new AbortController();
  await writeFile(switchFile, '');
  const nemesis = runNemesis({ system, random, tell: run.tell }, stop.signal);
  await Promise.all(
    Array.from({ length: run.recruiters }, () => liveAsRecruiter({ system, history, random }, run.spends)),
  );
  await rm(switchFile);
  stop.abort();
  await nemesis;
};

/** Rounds of ordinary life under faults, each followed by the auditor once all is quiet. Ends at the first breach. */
export const runFaults = async (run: FaultRun): Promise<Report> => {
  const switchFile = join(tmpdir(), `shortlist-faults-${process.pid}`);
  const env = armedEnvironment(run.seed, switchFile);
  const system = await startSystem({
    restart: true,
    env: Object.fromEntries(PROCESS_NAMES.map((name) => [name, name === 'sandbox' ? {} : env])),
  });
  const history = createHistory();
  const random = randomFrom(run.seed);
  let verdict = { breaches: [] as Breach[], ms: 0 };
  let settledMs = 0;
  try {
    for (let round = 1; round <= run.rounds && verdict.breaches.length === 0; round += 1) {
      await liveOneRound({ system, history, random, run, switchFile });
      verdict = await waitForOrder(system, history, SETTLE_LIMIT_MS);
      settledMs = Math.max(settledMs, verdict.ms);
      run.tell(`round ${round}: in order after ${(verdict.ms / 1000).toFixed(1)} s`);
    }
    const operations = history.all();
    const acked = operations.filter(({ outcome }) => outcome === 'acked').length;
    return { operations: operations.length, acked, breaches: verdict.breaches, settledMs };
  } finally {
    await rm(switchFile, { force: true });
    await system.stop();
  }
};
