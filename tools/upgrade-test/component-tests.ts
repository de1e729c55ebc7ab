// Whether the release before can live with the migrations since: its component tests run against the schema of this source tree.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { schema as billing } from '@shortlist/billing/db';
import { minutes } from '@shortlist/contracts/durations';
import { schema as credits } from '@shortlist/credits/db';
import { schema as identity } from '@shortlist/identity/db';
import { connect, createDb } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { startBacking } from '@shortlist/local/backing';
import { programPath } from '@shortlist/local/host/programs';
import { runProgram } from '@shortlist/local/host/wait';
import type { ServiceName } from '@shortlist/local/system/databases';
import { schema as profile } from '@shortlist/profile/db';
import { schema as worker } from '@shortlist/worker/db';
import { git, type Release } from './release.ts';

const SCHEMAS = { identity, profile, billing, credits, worker };
const LIMIT_MS = minutes(30);

const execute = promisify(execFile);

const migrationsOf = (service: ServiceName): string => `services/${service}/src/migrations.ts`;

/** The services that have other migrations than at this commit. */
const listChanged = async (commit: string): Promise<ServiceName[]> => {
  const services = Object.keys(SCHEMAS) as ServiceName[];
  const changed = await git('diff', '--name-only', commit, '--', ...services.map(migrationsOf));
  return services.filter((service) => changed.split('\n').includes(migrationsOf(service)));
};

/** Migrates an empty database. Returns the statements that make it as it is then. */
const dumpSchema = async (adminUrl: string, service: ServiceName): Promise<string[]> => {
  const url = new URL(adminUrl);
  const admin = createDb({ url: url.href, entities: [], migrations: [], poolSize: 1 });
  await admin.initialize();
  await admin.query(`CREATE DATABASE ${service} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await admin.destroy();
  const db = createDb({ url: new URL(`/${service}`, url).href, ...SCHEMAS[service] });
  await connect(db, createLog('upgrade-test', 'warn'));
  await db.destroy();
  const { hostname, port, username, password } = url;
  const connection = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`];
  const options = ['--compact', `--ignore-table=${service}.migrations`, service];
  const { stdout } = await execute(programPath('mariadb-dump'), [...connection, ...options], {
    env: { ...process.env, MYSQL_PWD: password },
  });
  // Its first line is for the client alone.
  const statements = stdout.replace(/^\/\*M!.*\n/gm, '').split(/;\n/);
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
};

const schemaOf = (service: ServiceName): string => `services/${service}/src/db.ts`;

/** Follows the source of the old release's schema: these statements in the place of its migrations. */
const sourceOf = (statements: readonly string[]): string =>
  `
import { migration as newerMigration } from '@shortlist/kit/data/migration';
schema.migrations = [newerMigration('NewerSchema9000000000000', ${JSON.stringify(statements)})];
`;

type Report = {
  testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
};

const failuresIn = ({ testResults }: Report, root: string): string[] =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const titles = failed.map(({ fullName }) => fullName);
    if (titles.length === 0 && message !== '') titles.push(message.slice(0, 200));
    return titles.map((title) => `${name.slice(root.length + 1)}: ${title}`);
  });

/** Runs the tests of one service, but those about its migrations. Returns the titles of those that fail. */
const runTests = async ({ root }: Release, service: ServiceName): Promise<string[]> => {
  const isOther = (file: string): boolean => !/migrat/i.test(readFileSync(join(root, file), 'utf8'));
  const files = globSync(`services/${service}/test/*.test.ts`, { cwd: root }).filter(isOther);
  const folder = await mkdtemp(join(tmpdir(), 'shortlist-tests-'));
  const report = join(folder, 'report.json');
  const program = {
    name: `tests of ${service}`,
    command: join(root, 'node_modules/.bin/vitest'),
    args: ['run', ...files, '--project=services', '--reporter=json', `--outputFile=${report}`],
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    logFile: join(folder, 'output.log'),
  };
  try {
    // It fails with a test that fails, which the report names.
    const ended = await runProgram(program, { limitMs: LIMIT_MS }).then(() => 'it succeeded', String);
    const content = await readFile(report, 'utf8').catch(() => null);
    return content === null ? [`no report: ${ended}`] : failuresIn(JSON.parse(content) as Report, root);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Runs the component tests of the services whose migrations have changed since. Returns the titles of those that fail. */
export const runComponentTests = async (old: Release, print: (line: string) => void): Promise<string[]> => {
  const changed = await listChanged(old.commit);
  if (changed.length === 0) print('ok    no migration has changed');
  const problems: string[] = [];
  for (const service of changed) {
    const backing = await startBacking({ parts: ['database'] });
    const file = join(old.root, schemaOf(service));
    const original = await readFile(file, 'utf8');
    let failed: string[];
    try {
      await writeFile(file, original + sourceOf(await dumpSchema(backing.databaseAdminUrl, service)));
      failed = await runTests(old, service);
    } finally {
      await writeFile(file, original);
      await backing.stop();
    }
    print(`${failed.length === 0 ? 'ok  ' : 'FAIL'}  tests of ${service} with the new schema`);
    for (const title of failed) print(`      ${title}`);
    problems.push(...failed);
  }
  return problems;
};
