// make test: runs the static checks, all tests and the browser journeys; an argument chooses a part of it (suite/steps.ts).
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { days } from '@shortlist/contracts/durations';
import { startMysql } from './setup/mysql-server.ts';
import type { Counts } from './suite/count-results.ts';
import { countMysqlTests, ROOT, type Step, stepsOf } from './suite/steps.ts';

const [part = 'all'] = process.argv.slice(2);
const isLong = part === 'long';
/** One seed for all processes of a run, also when the day ends meanwhile. */
const seed = process.env.SEED || String(Math.floor(Date.now() / days(1)));

let running: ReturnType<typeof spawn> | null = null;
let interrupted = false;
// Forwards signals to the running step, which stops its own processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });
}

const runCommand = ({ command }: Step, report: string): Promise<number | null> => {
  const [program = '', ...args] = command.map((word) => word.replace('<report>', report));
  const env = {
    ...process.env,
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    // The programs that tests start load in two thirds of the processor time.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile'),
    SEED: seed,
    ...(mysql?.url === undefined ? {} : { MYSQL_URL: mysql.url }),
    ...(isLong ? { TEST_LONG: 'yes' } : {}),
  };
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

type Result = Counts & { name: string; seconds: number };

const runStep = async (step: Step, directory: string): Promise<Result> => {
  process.stdout.write(`\n== ${step.name}\n`);
  const file = join(directory, `${step.name}.json`);
  const startedAt = performance.now();
  const code = await runCommand(step, file);
  const counts = step.count({ code, report: await readReport(file) });
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${step.name}: ${counts.passed} passed, ${counts.failed} failed\n`);
  return { ...counts, name: step.name, seconds };
};

process.stdout.write(`The seed of samples is ${seed}; SEED=${seed} repeats them.\n`);
const directory = await mkdtemp(join(tmpdir(), 'shortlist-results-'));
const results: Result[] = [];
const steps = stepsOf(part);
if (steps.length === 0) process.stdout.write('Nothing has changed.\n');
const mysqlTests = steps.length === 0 ? 0 : countMysqlTests(part);
const mysql = mysqlTests === 0 ? null : await startMysql();
for (const step of steps) {
  if (interrupted) break;
  results.push(await runStep(step, directory));
}
await rm(directory, { recursive: true, force: true });
await mysql?.stop();

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failures = results.reduce((sum, result) => sum + result.failed, 0);
const failed = interrupted || (steps.length > 0 && passed === 0) ? Math.max(failures, 1) : failures;
const notes = results.flatMap(({ name, notes: lines }) => lines.map((line) => `${name}: ${line}\n`));
const reason = mysql?.reason;
if (reason !== undefined) notes.push(`MySQL: not tested, because ${reason} (${mysqlTests} test files)\n`);
const skipped = reason === undefined ? '' : `, ${mysqlTests} skipped`;
const times = results.map(({ name, seconds }) => `${name} ${(seconds / 60).toFixed(1)} min`).join(', ');
// Printed last, where it is found first in a long log.
process.stdout.write(`\n${times}\n\n${notes.join('')}${passed} passed, ${failed} failed${skipped}\n`);
process.exitCode = failed === 0 ? 0 : 1;
