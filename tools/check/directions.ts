// Checks every import against .dependency-cruiser.cjs. A cruise with too few files or imports proves nothing and fails too.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['services', 'bff/src', 'web/src', 'web/test', 'deploy', 'tests', 'tools'];
/** Minimum counts of files and of imports between workspaces: well below the actual counts, far above those of a misread tree. */
const MIN_FILES = 300;
const MIN_CROSSINGS = 200;

type Rules = Pick<IConfiguration, 'forbidden' | 'options'>;
const { forbidden, options } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as Rules;

const workspaceOf = (path: string): string => /^(services\/[^/]+|deploy\/[^/]+|[^/]+)/.exec(path)?.[0] ?? '';
const isOurs = (path: string): boolean => !path.includes('node_modules') && path.includes('/');

const countModules = ({ modules }: ICruiseResult): { files: number; crossings: number } => {
  const ours = modules.filter(({ source }) => isOurs(source));
  const crossings = ours.flatMap(({ source, dependencies }) =>
    dependencies.filter(
      ({ resolved }) =>
        isOurs(resolved) && workspaceOf(resolved) !== workspaceOf(source) && source !== resolved,
    ),
  );
  return { files: ours.length, crossings: crossings.length };
};

const { output } = await cruise(
  FOLDERS.filter((folder) => existsSync(join(ROOT, folder))),
  {
    ...options,
    baseDir: ROOT,
    validate: true,
    ruleSet: { ...(forbidden ? { forbidden } : {}) },
  },
);
const result = output as ICruiseResult;
const { files, crossings } = countModules(result);
const lines = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
if (files < MIN_FILES) lines.push(`only ${files} files were read: the cruise is incomplete`);
if (crossings < MIN_CROSSINGS)
  lines.push(`only ${crossings} imports between workspaces were resolved: package names are not resolved`);
process.stdout.write(`${lines.join('\n')}\n${files} files, ${crossings} imports between workspaces\n`);
process.exitCode = lines.length > 0 ? 1 : 0;
