// Holds every import against .dependency-cruiser.cjs. A cruise that saw too little proves nothing, so that fails too.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['services', 'bff/src', 'web/src', 'web/test', 'deploy', 'tests', 'tools'];
/** Files and followed imports between our own workspaces: a good deal below what there is, far above a misread tree. */
const LEAST_FILES = 300;
const LEAST_CROSSINGS = 200;

type Rules = Pick<IConfiguration, 'forbidden' | 'options'>;
const { forbidden, options } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as Rules;

const workspaceOf = (path: string): string => /^(services\/[^/]+|deploy\/[^/]+|[^/]+)/.exec(path)?.[0] ?? '';
const isOurs = (path: string): boolean => !path.includes('node_modules') && path.includes('/');

const countSeen = ({ modules }: ICruiseResult): { files: number; crossings: number } => {
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
const { files, crossings } = countSeen(result);
const lines = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
if (files < LEAST_FILES) lines.push(`only ${files} files were seen: the cruise is misread, not green`);
if (crossings < LEAST_CROSSINGS)
  lines.push(`only ${crossings} imports between workspaces were followed: package names are not resolved`);
process.stdout.write(`${lines.join('\n')}\n${files} files, ${crossings} imports between workspaces\n`);
process.exitCode = lines.length > 0 ? 1 : 0;
