// Checks every import against .dependency-cruiser.cjs. A cruise with too few imports between workspaces proves nothing and fails too.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = [
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
/** Well below the actual count, and far above that of a misread tree. */
const MIN_CROSSINGS = 200;

type Rules = Required<Pick<IConfiguration, 'forbidden' | 'options'>>;
const { forbidden, options } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as Rules;

const workspaceOf = (path: string): string => /^((services|deploy|clients)\/)?[^/]+/.exec(path)?.[0] ?? '';
const isCrossing = (from: string, to: string): boolean =>
  to.includes('/') && !to.includes('node_modules') && workspaceOf(from) !== workspaceOf(to);

const { output } = await cruise(FOLDERS, {
  ...options,
  baseDir: ROOT,
  validate: true,
  ruleSet: { forbidden },
});
const { modules, summary } = output as ICruiseResult;
const imports = modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => isCrossing(source, resolved)),
);
const crossings = imports.filter(Boolean).length;
const lines = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
if (crossings < MIN_CROSSINGS) lines.push('package names are not resolved');
process.stdout.write([...lines, `${crossings} imports between workspaces`, ''].join('\n'));
process.exitCode = lines.length > 0 ? 1 : 0;
