// make schemathesis: compares a product of its own with the description of the API for tools, and of the public API for each role. `n` examples
// of each operation (200) from `seed` (random, printed).
import { randomInt } from 'node:crypto';
import { startSystem, WITHOUT_LIMITS } from '@shortlist/local/system';
import {
  BFF_SETTINGS,
  comparePublicApi,
  compareToolsApi,
  installSchemathesis,
  SENDERS,
  watchProcesses,
} from './run-schemathesis.ts';

const [n = '', seedText = ''] = process.argv.slice(2);
const [examples, seed] = [Number(n || 200), Number(seedText || randomInt(1, 2 ** 31))];
if (![examples, seed].every((number) => Number.isInteger(number) && number > 0))
  throw new Error('use whole numbers, as in: make schemathesis n=200 seed=1');

const programs = await installSchemathesis();
if ('missing' in programs) throw new Error(`Schemathesis cannot be installed: ${programs.missing}`);
const system = await startSystem({ env: { bff: { ...WITHOUT_LIMITS, ...BFF_SETTINGS } } });
try {
  const problems = watchProcesses(system);
  const results = [await compareToolsApi(system, programs, { examples, seed })];
  for (const sender of SENDERS)
    results.push(await comparePublicApi(system, programs, { sender, examples, seed }));
  for (const { output } of results) process.stdout.write(output);
  process.stdout.write(problems().join('\n'));
  if (problems().length > 0 || results.some(({ code }) => code !== 0)) process.exitCode = 1;
} finally {
  await system.stop();
}
