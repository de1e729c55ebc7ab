// Checks every import against .dependency-cruiser.cjs. A cruise that finds few imports proves nothing and fails too.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = [
  'packages',
  'services',
  'bff/src',
  'clients',
  'web/src',
  'web/test',
  'deploy',
  'harness',
  'tests',
  'tools',
];
/** Well below the actual count, and far above that of a tree whose TypeScript is not read. */
const MIN_IMPORTS = 5_000;

type Rules = Required<Pick<IConfiguration, 'forbidden' | 'options'>>;
const { forbidden, options } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as Rules;

const { output } = await cruise(FOLDERS, {
  ...options,
  baseDir: ROOT,
  validate: true,
  ruleSet: { forbidden },
});
const { violations, totalDependenciesCruised: imports = 0 } = (output as ICruiseResult).summary;
const lines = violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
if (imports < MIN_IMPORTS) lines.push('most imports were not found');
process.stdout.write([...lines, `${imports} imports`, ''].join('\n'));
process.exitCode = lines.length > 0 ? 1 : 0;
