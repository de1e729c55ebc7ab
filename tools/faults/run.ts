// make faults [rounds=5] [seed=…]: normal use under all faults together; each round ends with the auditor.
// make faults point=<name|all> [rounds=200] [seed=…]: `rounds` deaths at one fail point, or at each in turn.
import type { FailPoint } from '@shortlist/kit/process/fail-point';
import type { Breach } from '@shortlist/operator/audit/sources';
import { runFaults } from './fault-run.ts';
import { runPoint } from './point-run.ts';
import { POINTS } from './points.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const printBreaches = (breaches: Breach[]): boolean => {
  for (const { invariant, detail } of breaches) print(`${invariant} ${detail}`);
  print(
    breaches.length === 0
      ? `every invariant held (seed ${seed})`
      : `${breaches.length} breaches (seed ${seed})`,
  );
  return breaches.length === 0;
};

const runMixed = async (): Promise<boolean> => {
  const report = await runFaults({ seed, rounds: rounds || 5, recruiters: 8, roundMs: 60_000, print: print });
  const { operations, acked, settledMs } = report;
  print(`${operations} operations, ${acked} acked; longest time to settle: ${seconds(settledMs)}`);
  return printBreaches(report.breaches);
};

const runOnePoint = async (point: FailPoint): Promise<boolean> => {
  const startedAt = performance.now();
  const report = await runPoint({ point, rounds: rounds || 200, seed, print: print });
  const { fired, operations, settledMs } = report;
  print(
    `${point}: fired ${fired} times in ${seconds(performance.now() - startedAt)}, ${operations} operations; longest time to settle: ${seconds(settledMs)}`,
  );
  return printBreaches(report.breaches);
};

const main = async (point: string): Promise<boolean> => {
  if (point === '') return runMixed();
  const points = POINTS.filter((name) => point === 'all' || name === point);
  if (points.length === 0) print(`unknown fail point ${point}; the fail points are ${POINTS.join(', ')}`);
  let passed = points.length > 0;
  for (const name of points) passed = (await runOnePoint(name)) && passed;
  return passed;
};

const [roundsText = '', seedText = '', point = ''] = process.argv.slice(2);
const rounds = Number(roundsText);
const seed = Number(seedText) || Math.floor(Math.random() * 1e9);
print(`seed ${seed}`);
process.exit((await main(point)) ? 0 : 1);
