// make guards [g=xsrf]: removes each guard in a copy of the sources, where its tests must then fail; or those whose files or purposes
// contain a text.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking } from '@shortlist/local/backing';
import { ACCOUNT_GUARDS } from './account-guards.ts';
import { CREDIT_GUARDS } from './credit-guards.ts';
import { type Guard, withoutGuard } from './guard.ts';
import { MONEY_GUARDS } from './money-guards.ts';
import { REQUEST_GUARDS } from './request-guards.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUARDS = { ...MONEY_GUARDS, ...CREDIT_GUARDS, ...REQUEST_GUARDS, ...ACCOUNT_GUARDS };
/** The folder of our own packages among the installed ones: relative links, which lead to the workspaces of a copy. */
const SCOPE = 'node_modules/@shortlist';

type Run = { copy: string; env: NodeJS.ProcessEnv };
type Test = { status: string; title: string; failureMessages?: string[] };
type Report = { testResults: { assertionResults: Test[] }[] };

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Copies the sources, without what git ignores, and links the installed packages. */
const copyRepository = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'shortlist-guards-'));
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
  for (const file of files.filter((path) => path !== '' && existsSync(join(ROOT, path))))
    await cp(join(ROOT, file), join(copy, file));
  await mkdir(join(copy, SCOPE), { recursive: true });
  for (const name of await readdir(join(ROOT, SCOPE)))
    await symlink(await readlink(join(ROOT, SCOPE, name)), join(copy, SCOPE, name));
  const packages = (await readdir(join(ROOT, 'node_modules'))).map((name) => `node_modules/${name}`);
  const links = [...packages, 'web/node_modules'].filter(
    (link) => link !== SCOPE && !link.endsWith('.cache'),
  );
  for (const link of links) await symlink(join(ROOT, link), join(copy, link));
  return copy;
};

/** Returns how many tests passed, and which failed: a test file that cannot be loaded proves nothing. */
const runTests = async ({ copy, env }: Run, tests: string): Promise<{ passed: number; failed: string[] }> => {
  const [file = '', titles] = tests.split(' > ');
  const report = join(copy, 'guard-report.json');
  await writeFile(report, '{"testResults":[]}');
  const only = titles === undefined ? [] : ['--testNamePattern', titles];
  const output = ['--reporter=json', `--outputFile.json=${report}`, '--bail=1'];
  const args = ['run', '--project', 'services', file, ...only, ...output];
  await once(
    spawn(join(copy, 'node_modules/.bin/vitest'), args, { cwd: copy, env, stdio: 'ignore' }),
    'close',
  );
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    passed: all.filter(({ status }) => status === 'passed').length,
    failed: all
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages: [reason = ''] = [] }) => `${title} (${reason.split('\n')[0]})`),
  };
};

/** Returns the test that failed without the guard. Throws when the guard is not proved. */
const prove = async (run: Run, guard: Guard): Promise<string> => {
  const file = join(run.copy, guard.file);
  const source = await readFile(file, 'utf8');
  const mutated = withoutGuard(source, guard);
  if (mutated === null) throw new Error('its text does not occur exactly once in its file');
  const intact = await runTests(run, guard.tests);
  if (intact.passed === 0 || intact.failed.length > 0)
    throw new Error(`with the guard in place: ${intact.failed[0] ?? 'no test ran'}`);
  await writeFile(file, mutated);
  const [failure] = (await runTests(run, guard.tests)).failed;
  await writeFile(file, source);
  if (failure === undefined) throw new Error('no test failed');
  return failure;
};

const proveAll = async (run: Run, guards: [string, Guard][]): Promise<number> => {
  let proved = 0;
  for (const [protects, guard] of guards)
    try {
      print(`proved      ${protects}\n            ${await prove(run, guard)}`);
      proved += 1;
    } catch (error) {
      print(`NOT PROVED  ${protects}\n            ${(error as Error).message}`);
    }
  return proved;
};

const [, , selected = ''] = process.argv;
const guards = Object.entries(GUARDS).filter(([protects, { file }]) =>
  `${protects} ${file}`.includes(selected),
);
if (guards.length === 0) {
  print(`no guard is in a file or has a purpose with '${selected}'`);
  process.exit(2);
}
const copy = await copyRepository();
const backing = await startBacking({ parts: ['database', 'redis'] });
const { databaseAdminUrl, sessionsRedisUrl, queueRedisUrl } = backing;
const env = {
  ...process.env,
  DATABASE_ADMIN_URL: databaseAdminUrl,
  SESSIONS_REDIS_URL: sessionsRedisUrl,
  QUEUE_REDIS_URL: queueRedisUrl,
};
try {
  const proved = await proveAll({ copy, env }, guards);
  print(`${proved} of ${guards.length} guards proved`);
  process.exitCode = proved === guards.length ? 0 : 1;
} finally {
  await backing.stop();
  await rm(copy, { recursive: true, force: true });
}
