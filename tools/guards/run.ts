// make guards [g=name]: removes each guard in a copy of the sources, where its tests must then fail.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBacking } from '@shortlist/local/backing';
import { copyRepository } from './copy.ts';
import { type Guard, withoutGuard } from './guard.ts';
import { GUARDS } from './guards.ts';

const ROOT = join(import.meta.dirname, '../..');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Result = { passed: number; failed: string[] };
type Test = { status: string; title: string; failureMessages?: string[] };
type Report = { testResults: { assertionResults: Test[] }[] };

const describeFailure = ({ title, failureMessages = [] }: Test): string =>
  `${title} (${failureMessages[0]?.split('\n')[0] ?? 'no reason'})`;

/** Counts the tests that ran: a test file that cannot be loaded proves nothing. */
const readReport = async (file: string): Promise<Result> => {
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status === 'failed').map(describeFailure);
  return { passed: all.filter(({ status }) => status === 'passed').length, failed };
};

type Run = { copy: string; env: NodeJS.ProcessEnv };

const runTests = async ({ copy, env }: Run, { tests, titles }: Guard, bail: number): Promise<Result> => {
  const report = join(copy, 'guard-report.json');
  await writeFile(report, '{"testResults":[]}');
  const only = titles === undefined ? [] : ['--testNamePattern', titles];
  const output = ['--reporter=json', `--outputFile.json=${report}`, `--bail=${bail}`];
  const vitest = join(copy, 'node_modules/.bin/vitest');
  const args = [vitest, 'run', '--project', 'services', ...tests, ...only, ...output];
  const { promise, resolve } = Promise.withResolvers<unknown>();
  spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore' }).once('close', resolve);
  await promise;
  return readReport(report);
};

type Proof = { proved: boolean; reason: string };

const prove = async (run: Run, guard: Guard): Promise<Proof> => {
  const file = join(run.copy, guard.file);
  const source = await readFile(file, 'utf8');
  const mutated = withoutGuard(source, guard);
  if (mutated === null) return { proved: false, reason: 'its text does not occur exactly once in its file' };
  const intact = await runTests(run, guard, 0);
  if (intact.passed === 0 || intact.failed.length > 0)
    return { proved: false, reason: `with the guard in place: ${intact.failed[0] ?? 'no test ran'}` };
  await writeFile(file, mutated);
  try {
    const { failed } = await runTests(run, guard, 1);
    const [first] = failed;
    return first ? { proved: true, reason: first } : { proved: false, reason: 'no test failed' };
  } finally {
    await writeFile(file, source);
  }
};

const proveAll = async (run: Run, guards: readonly Guard[]): Promise<number> => {
  let unproved = 0;
  for (const guard of guards) {
    const { proved, reason } = await prove(run, guard);
    if (!proved) unproved += 1;
    print(`${proved ? 'proved    ' : 'NOT PROVED'}  ${guard.name}: ${guard.protects}\n            ${reason}`);
  }
  return unproved;
};

const main = async (name: string): Promise<number> => {
  const guards = GUARDS.filter((guard) => name === '' || guard.name === name);
  if (guards.length === 0) {
    print(`unknown guard ${name}; the guards are ${GUARDS.map((guard) => guard.name).join(', ')}`);
    return 2;
  }
  const copy = await copyRepository(ROOT);
  const backing = await startBacking({ parts: ['database', 'redis'] });
  const { databaseAdminUrl, sessionsRedisUrl, queueRedisUrl } = backing;
  const env = {
    ...process.env,
    DATABASE_ADMIN_URL: databaseAdminUrl,
    SESSIONS_REDIS_URL: sessionsRedisUrl,
    QUEUE_REDIS_URL: queueRedisUrl,
  };
  try {
    const unproved = await proveAll({ copy: copy.path, env }, guards);
    print(`${guards.length - unproved} of ${guards.length} guards proved`);
    return unproved === 0 ? 0 : 1;
  } finally {
    await backing.stop();
    await copy.remove();
  }
};

process.exit(await main(process.argv[2] ?? ''));
