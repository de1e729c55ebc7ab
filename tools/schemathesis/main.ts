// make schemathesis: compares a product of its own with the description of the API for tools. `n` examples of each operation (200) from
// `seed` (random, printed).
import { randomInt } from 'node:crypto';
import { startSystem, WITHOUT_LIMITS } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { installSchemathesis, runSchemathesis } from './run-schemathesis.ts';

const [n = '', seedText = ''] = process.argv.slice(2);
const [examples, seed] = [Number(n || 200), Number(seedText || randomInt(1, 2 ** 31))];
if (![examples, seed].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('use whole numbers, as in: make schemathesis n=200 seed=1');

const installed = await installSchemathesis();
if ('missing' in installed) throw new Error(`Schemathesis cannot be installed: ${installed.missing}`);
const system = await startSystem({ env: { bff: WITHOUT_LIMITS } });
try {
  const { made } = await registerWithKey(system);
  const options = { ...installed, url: system.publicUrl, key: made.key, examples, seed };
  const { code, output } = await runSchemathesis(options);
  process.stdout.write(output);
  process.exitCode = code ?? 1;
} finally {
  await system.stop();
}
