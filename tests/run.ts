// make test: runs the static checks, all tests and the browser journeys. `e2e` runs only the journeys.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countCheck, countJourneys, countUnits, type Counts, type Outcome } from './count-results.ts';

const ROOT = join(import.meta.dirname, '..');

type Step = {
  name: string;
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  count: (outcome: Outcome) => Counts;
};

/** Runs where MYSQL_URL is the admin address of a MySQL server: every statement to a database, on the other kind of server. */
const MYSQL_STEP = 'tests on MySQL';

const STEPS: readonly Step[] = [
  { name: 'check', command: ['node', 'tools/check/main.ts'], count: countCheck },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=dot', '--reporter=json', '--outputFile.json=<report>'],
    count: countUnits,
  },
  {
    name: MYSQL_STEP,
    command: [
      ...['vitest', 'run', '--project', 'services', '--reporter=dot', '--reporter=json'],
      ...['--outputFile.json=<report>', 'services/billing', 'services/credits', 'services/profile'],
      ...['services/identity', 'services/worker', 'services/kit/test/relay.test.ts'],
      ...['services/kit/test/database.test.ts', 'services/kit/test/sql.test.ts', 'services/audit'],
    ],
    env: { DB: 'mysql', DATABASE_ADMIN_URL: process.env.MYSQL_URL ?? '' },
    count: countUnits,
  },
  {
    name: 'journeys',
    command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter=list,json'],
    count: countJourneys,
  },
];

let running: ReturnType<typeof spawn> | null = null;
let interrupted = false;
// Forwards signals to the running step, which stops its own processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });
}

const runCommand = ({ command, env: added }: Step, report: string): Promise<number | null> => {
  const [program = '', ...args] = command.map((part) => part.replace('<report>', report));
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...added };
  const { promise, resolve } = Promise.withResolvers<number | null>();
  running = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  running.once('error', () => resolve(null));
  running.once('close', resolve);
  return promise;
};

const readReport = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
};

const runStep = async (step: Step, directory: string): Promise<Counts> => {
  process.stdout.write(`\n== ${step.name}\n`);
  const file = join(directory, `${step.name}.json`);
  const code = await runCommand(step, file);
  const counts = step.count({ code, report: await readReport(file) });
  process.stdout.write(`${step.name}: ${counts.passed} passed, ${counts.failed} failed\n`);
  return counts;
};

const directory = await mkdtemp(join(tmpdir(), 'shortlist-results-'));
const steps = STEPS.filter(({ name }) =>
  process.argv[2] === 'e2e' ? name === 'journeys' : name !== MYSQL_STEP || process.env.MYSQL_URL,
);
const notes: string[] = [];
let passed = 0;
let failed = 0;
for (const step of steps) {
  if (interrupted) break;
  const counts = await runStep(step, directory);
  passed += counts.passed;
  failed += counts.failed;
  notes.push(...counts.notes.map((note) => `${step.name}: ${note}`));
}
await rm(directory, { recursive: true, force: true });
if (interrupted || passed === 0) failed = Math.max(failed, 1);
// Printed last, where it is found first in a long log.
process.stdout.write(`\n${notes.map((note) => `${note}\n`).join('')}${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
