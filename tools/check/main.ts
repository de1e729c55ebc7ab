// Runs every static check, one per core at a time, or with files as arguments: their lint, their format and all types. A passing
// check prints one line, a failing one its whole output.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Redocly would report its use, and look for a newer version. */
const WITHOUT_NETWORK = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

type Check = { name: string; command: string; files?: readonly string[] };

const LINT = {
  name: 'lint',
  command: 'eslint --cache --cache-location node_modules/.cache/eslint/ --max-warnings 0 --no-warn-ignored',
};
const LINT_WITH_TYPES = { name: 'lint with types', command: 'oxlint --format=unix' };
const FORMAT = {
  name: 'format',
  command: 'prettier --check --cache --cache-strategy=content --log-level=warn --ignore-unknown',
};
/** TypeScript 7; the package `typescript` is the last version with an API, which ESLint's parser needs. */
const TYPES: readonly Check[] = [
  { name: 'server types', command: 'node node_modules/typescript-7/bin/tsc' },
  { name: 'web types', command: 'node node_modules/typescript-7/bin/tsc -p web/tsconfig.json' },
  {
    name: 'extension types',
    command: 'node node_modules/typescript-7/bin/tsc -p clients/example-extension/tsconfig.json',
  },
];

/** The longest first, so that the others run in parallel with it. */
const CHECKS: readonly Check[] = [
  { ...LINT, files: ['.'] },
  LINT_WITH_TYPES,
  ...TYPES,
  { ...FORMAT, files: ['.'] },
  { name: 'directions', command: 'node tools/check/directions.ts' },
  { name: 'dead code', command: 'knip --no-progress' },
  { name: 'generated files', command: 'node tools/docs/main.ts --check' },
  { name: 'requirements', command: 'node tools/docs/requirements.ts' },
  { name: 'version and licences', command: 'node tools/release/check.ts' },
  { name: 'lint of the API description', command: 'redocly lint bff/openapi.json --extends=recommended' },
];

const checksOf = (files: readonly string[]): readonly Check[] => {
  if (files.length === 0) return CHECKS;
  const code = files.filter((file) => /\.(ts|tsx|js|cjs)$/.test(file));
  const ofCode = [{ ...LINT, files: code }, { ...LINT_WITH_TYPES, files: code }, ...TYPES];
  return [...(code.length > 0 ? ofCode : []), { ...FORMAT, files }];
};

const run = ({ name, command, files = [] }: Check): Promise<boolean> => {
  const [program = '', ...args] = [...command.split(' '), ...files];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const startedAt = performance.now();
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, ...WITHOUT_NETWORK, PATH: path, FORCE_COLOR: '0' };
  const child = spawn(program, args, { cwd: ROOT, env });
  let output = '';
  const append = (text: Buffer): void => void (output += text.toString());
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  child.once('error', (error) => append(Buffer.from(error.message)));
  child.once('close', (code) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)\n`);
    if (code !== 0) process.stdout.write(`${output.trim()}\n\n`);
    resolve(code === 0);
  });
  return promise;
};

const checks = checksOf(process.argv.slice(2));
const queue = [...checks];
let failed = 0;
const lane = async (): Promise<void> => {
  for (let next = queue.shift(); next; next = queue.shift()) if (!(await run(next))) failed += 1;
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));
if (failed > 0) process.stdout.write(`${failed} of ${checks.length} checks failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
