// make faults [rounds=5] [seed=…]: ordinary life under kill -9 and a failing provider, ended by the auditor.
import { runFaults } from './fault-run.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [rounds = '', seedText = ''] = process.argv.slice(2);
const seed = Number(seedText) || Math.floor(Math.random() * 1e9);
say(`seed ${seed}`);
const report = await runFaults({ seed, rounds: Number(rounds) || 5, recruiters: 8, spends: 30, tell: say });
for (const { invariant, what } of report.breaches) say(`${invariant} ${what}`);
say(
  `${report.operations} operations, ${report.acked} acked; longest until all was in order: ${(report.settledMs / 1000).toFixed(1)} s`,
);
say(
  report.breaches.length === 0
    ? `Every invariant held (seed ${seed}).`
    : `${report.breaches.length} breaches (seed ${seed}).`,
);
process.exit(report.breaches.length === 0 ? 0 : 1);
