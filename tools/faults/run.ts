// make faults [rounds=5] [seed=…]: normal use under all faults together; each round ends with `verify`.
// make faults point=<name|all> [rounds=200] [seed=…]: `rounds` deaths at one fail point, or at each in turn.
import { runFaults, runPoint } from './fault-run.ts';
import { ALL_POINTS, type FailPoint } from './injection.ts';

const [roundsText = '', seedText = '', point = ''] = process.argv.slice(2);
const rounds = Number(roundsText);
const seed = Number(seedText) || Math.floor(Math.random() * 1e9);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const printReport = ({
  operations,
  acked,
  breaches,
  settledMs,
  fired,
}: Awaited<ReturnType<typeof runFaults>>) => {
  const counts = [...Map.groupBy(fired, (name) => name)].map(([name, all]) => `${name} ${all.length}`);
  print(`fail points that fired: ${counts.join(', ') || 'none'}`);
  print(
    `${operations} operations, ${acked} acked; longest time to settle: ${(settledMs / 1000).toFixed(1)} s`,
  );
  for (const { invariant, detail } of breaches) print(`${invariant} ${detail}`);
  print(`${breaches.length === 0 ? 'every invariant held' : `${breaches.length} breaches`} (seed ${seed})`);
  if (breaches.length > 0) process.exitCode = 1;
};

print(`seed ${seed}`);
if (point === '')
  printReport(await runFaults({ seed, rounds: rounds || 5, recruiters: 8, roundMs: 60_000, print }));
else {
  const names = Object.keys(ALL_POINTS) as FailPoint[];
  const points = names.filter((name) => point === 'all' || name === point);
  if (points.length === 0) {
    print(`unknown fail point ${point}; the fail points are ${names.join(', ')}`);
    process.exitCode = 1;
  }
  for (const name of points) {
    print(name);
    printReport(await runPoint({ point: name, rounds: rounds || 200, seed, recruiters: 4, print }));
  }
}
process.exit();
