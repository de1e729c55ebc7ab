// make guards [g=name]: takes each guard away in a copy of the sources; its tests must fail there.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBacking } from '@shortlist/local/backing';
import { copyRepository } from './copy.ts';
import { type Guard, GUARDS, withoutGuard } from './guards.ts';

const ROOT = join(import.meta.dirname, '../..');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

type Result = { passed: number; failed: string[] };
type Test = { status: string; title: string; failureMessages?: string[] };
type Report = { testResults: { assertionResults: Test[] }[] };

const tellFailure = ({ title, failureMessages = [] }: Test): string =>
  `${title} (${failureMessages[0]?.split('\n')[0] ?? 'no reason'})`;

/** Counts tests that ran: a file that could not even be read is no proof of anything. */
const readReport = async (file: string): Promise<Result> => {
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status === 'failed').map(tellFailure);
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

type Verdict = { proved: boolean; why: string };

const judge = async (run: Run, guard: Guard): Promise<Verdict> => {
  const file = join(run.copy, guard.file);
  const source = await readFile(file, 'utf8');
  const broken = withoutGuard(source, guard);
  if (broken === null) return { proved: false, why: 'its text is not in its file exactly once' };
  const whole = await runTests(run, guard, 0);
  if (whole.passed === 0 || whole.failed.length > 0)
    return { proved: false, why: `with the guard in place: ${whole.failed[0] ?? 'no test ran'}` };
  await writeFile(file, broken);
  try {
    const { failed } = await runTests(run, guard, 1);
    const [first] = failed;
    return first ? { proved: true, why: first } : { proved: false, why: 'no test noticed' };
  } finally {
    await writeFile(file, source);
  }
};

const judgeAll = async (run: Run, guards: readonly Guard[]): Promise<number> => {
  let unproved = 0;
  for (const guard of guards) {
    const { proved, why } = await judge(run, guard);
    if (!proved) unproved += 1;
    say(`${proved ? 'proved    ' : 'NOT PROVED'}  ${guard.name}: ${guard.protects}\n            ${why}`);
  }
  return unproved;
};

const main = async (name: string): Promise<number> => {
  const guards = GUARDS.filter((guard) => name === '' || guard.name === name);
  if (guards.length === 0) {
    say(`There is no guard ${name}; there are ${GUARDS.map((guard) => guard.name).join(', ')}.`);
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
    const unproved = await judgeAll({ copy: copy.path, env }, guards);
    say(`${guards.length - unproved} of ${guards.length} guards proved.`);
    return unproved === 0 ? 0 : 1;
  } finally {
    await backing.stop();
    await copy.remove();
  }
};

process.exit(await main(process.argv[2] ?? ''));
