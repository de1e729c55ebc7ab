// make fuzz: sends generated requests to a product of its own. `n` requests (100,000) from `seed` (random, printed).
import { randomInt } from 'node:crypto';
import { startSystem, WITHOUT_LIMITS } from '@shortlist/local/system';
import { runFuzz } from './run-fuzz.ts';

const [n = '', seedText = ''] = process.argv.slice(2);
const [count, seed] = [Number(n || 100_000), Number(seedText || randomInt(1, 2 ** 31))];
if (![count, seed].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('use whole numbers, as in: make fuzz n=100000 seed=1');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(`seed ${seed}, ${count} requests`);
const system = await startSystem({ env: { bff: WITHOUT_LIMITS } });
try {
  const { statuses, problems } = await runFuzz(system, { seed, count, print });
  print(`responses by status: ${JSON.stringify(statuses)}`);
  print([...problems.slice(0, 50), `${problems.length} problems (seed ${seed})`].join('\n'));
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await system.stop();
}
