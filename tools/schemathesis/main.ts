// make schemathesis: compares a product of its own with the description of the API for tools. `n` examples of each operation (200) from
// `seed` (random, printed).
import { randomInt } from 'node:crypto';
import { startSystem, WITHOUT_LIMITS } from '@shortlist/local/system';
import { runSchemathesis } from './run-schemathesis.ts';

const [n = '', seedText = ''] = process.argv.slice(2);
const [examples, seed] = [Number(n || 200), Number(seedText || randomInt(1, 2 ** 31))];
if (![examples, seed].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('use whole numbers, as in: make schemathesis n=200 seed=1');

const system = await startSystem({ env: { bff: WITHOUT_LIMITS } });
try {
  const result = await runSchemathesis(system, { examples, seed });
  if ('missing' in result) throw new Error(`Schemathesis cannot be installed: ${result.missing}`);
  process.stdout.write(result.output);
  process.exitCode = result.code ?? 1;
} finally {
  await system.stop();
}
