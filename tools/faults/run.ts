// make faults [rounds=5] [seed=…]: ordinary life under every fault at once, each round ended by the auditor.
// make faults point=<name|all> [rounds=200] [seed=…]: so many deaths at one point, or at each in turn.
import type { FailPoint } from '@shortlist/kit/process/fail-point';
import type { Breach } from '../audit/sources.ts';
import { runFaults } from './fault-run.ts';
import { runPoint } from './point-run.ts';
import { POINTS } from './points.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const tellBreaches = (breaches: Breach[]): boolean => {
  for (const { invariant, what } of breaches) say(`${invariant} ${what}`);
  say(
    breaches.length === 0
      ? `Every invariant held (seed ${seed}).`
      : `${breaches.length} breaches (seed ${seed}).`,
  );
  return breaches.length === 0;
};

const runMixed = async (): Promise<boolean> => {
  const report = await runFaults({ seed, rounds: rounds || 5, recruiters: 8, roundMs: 60_000, tell: say });
  const { operations, acked, settledMs } = report;
  say(`${operations} operations, ${acked} acked; longest until all was in order: ${seconds(settledMs)}`);
  return tellBreaches(report.breaches);
};

const runOnePoint = async (point: FailPoint): Promise<boolean> => {
  const began = performance.now();
  const report = await runPoint({ point, rounds: rounds || 200, seed, tell: say });
  const { fired, operations, settledMs } = report;
  say(
    `${point}: fired ${fired} times in ${seconds(performance.now() - began)}, ${operations} operations; longest until all was in order: ${seconds(settledMs)}`,
  );
  return tellBreaches(report.breaches);
};

const main = async (point: string): Promise<boolean> => {
  if (point === '') return runMixed();
  const points = POINTS.filter((name) => point === 'all' || name === point);
  if (points.length === 0) say(`There is no point ${point}; there are ${POINTS.join(', ')}.`);
  let passed = points.length > 0;
  for (const name of points) passed = (await runOnePoint(name)) && passed;
  return passed;
};

const [roundsText = '', seedText = '', point = ''] = process.argv.slice(2);
const rounds = Number(roundsText);
const seed = Number(seedText) || Math.floor(Math.random() * 1e9);
say(`seed ${seed}`);
process.exit((await main(point)) ? 0 : 1);
