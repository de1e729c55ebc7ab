import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@shortlist/kit/testing/until';
import { createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Backing, startBacking } from '../src/backing/backing.ts';
import { databaseUrl } from '../src/system/databases.ts';
import { startSystem, type System, type SystemOptions } from '../src/system/system.ts';
import { untilNoneOf } from './processes-of.ts';
import { makeStandInRepository } from './stand-ins.ts';

const getPid = async (url: string): Promise<number> =>
  ((await (await fetch(url)).json()) as { pid: number }).pid;

let shared: Backing;
let root: string;
let directory: string;
let adminCalls: string;
let setupCalls: string;

beforeAll(async () => {
  shared = await startBacking({ parts: ['database', 'redis'] });
  root = await makeStandInRepository();
  directory = await mkdtemp(join(tmpdir(), 'shortlist-system-test-'));
  adminCalls = join(directory, 'admin-calls');
  setupCalls = join(directory, 'setup-calls');
});

afterAll(async () => {
  await shared.stop();
  await rm(root, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
});

type StartedServers = 'all' | 'all but Kafka' | 'none';

/** Lets a system start these servers itself; those of the others run already. Kafka, which takes longest to start, is used by no stand-in. */
const provideBacking = (started: StartedServers): void => {
  const names = ['DATABASE_ADMIN_URL', 'SESSIONS_REDIS_URL', 'QUEUE_REDIS_URL', 'KAFKA_BROKERS'] as const;
  const { databaseAdminUrl, sessionsRedisUrl, queueRedisUrl } = shared;
  const addresses = [databaseAdminUrl, sessionsRedisUrl, queueRedisUrl, 'unused.test:9092'];
  names.forEach((name, index) => {
    const isStarted = started === 'all' || (started === 'all but Kafka' && name !== 'KAFKA_BROKERS');
    vi.stubEnv(name, isStarted ? '' : addresses[index]);
  });
};

const start = (options: SystemOptions = {}): Promise<System> =>
  startSystem({
    root,
    directory,
    env: { identity: { ADMIN_CALLS: adminCalls }, billing: { SETUP_CALLS: setupCalls } },
    ...options,
  });

describe('a started system', () => {
  let system: System;
  beforeAll(async () => {
    provideBacking('none');
    system = await start();
  });
  afterAll(async () => {
    await system.stop();
    vi.unstubAllEnvs();
  });

  it('runs every process on its own port', async () => {
    const pids = await Promise.all(Object.values(system.operatorUrls).map((url) => getPid(url)));
    expect(new Set(pids).size).toBe(7);
    expect(pids).toContain(system.process('billing').pid);
  });

  it('gives a service access to its own database alone', async () => {
    const url = databaseUrl(system.backing.databaseAdminUrl, system.secrets, 'credits');
    const connection = await createConnection(url);
    const [rows] = await connection.query('SHOW DATABASES');
    await connection.end();
    expect((rows as { Database: string }[]).map((row) => row.Database)).toEqual([
      'credits',
      'information_schema',
    ]);
  });

  it('has a first admin, made by the admin command', async () => {
    expect((await readFile(adminCalls, 'utf8')).trim()).toBe(system.admin.email);
  });

  it('has an account at the sandbox, set up by the command of billing', async () => {
    expect((await readFile(setupCalls, 'utf8')).trim()).toBe('stripe-check --apply');
  });

  it('starts a killed process again on request, and not before', async () => {
    const credits = system.process('credits');
    const before = credits.pid;
    credits.kill('SIGKILL');
    await until('the end of the process', credits.hasEnded);
    await expect(getPid(system.operatorUrls.credits)).rejects.toThrow();
    await credits.restart();
    expect(await getPid(system.operatorUrls.credits)).not.toBe(before);
  });

  it('starts another process beside one, from another repository, which ends with the system or before', async () => {
    const other = await makeStandInRepository();
    const { process, port } = await system.startBeside('credits', { root: other, label: 'other' });
    expect(port).not.toBe(Number(new URL(system.urls.credits).port));
    expect(await process.isReady()).toBe(true);
    expect(process.pid).not.toBe(system.process('credits').pid);
    await process.stop();
    expect(await system.process('credits').isReady()).toBe(true);
    await rm(other, { recursive: true });
  });

  it('keeps its secrets readable by their owner alone', async () => {
    expect((await stat(join(directory, 'secrets.env'))).mode & 0o777).toBe(0o600);
  });
});

describe('a system', () => {
  beforeEach(() => provideBacking('none'));
  afterEach(() => void vi.unstubAllEnvs());

  it('starts its servers, stops its processes in order, once, and leaves none running', async () => {
    provideBacking('all');
    const system = await start();
    await Promise.all([system.stop(), system.stop()]);
    expect(system.process('bff').logs()).toBe('ended in order\n');
    await untilNoneOf(directory);
    await untilNoneOf(root);
  });

  it('restarts a killed process with the option restart', async () => {
    const printed: string[] = [];
    const system = await start({ restart: true, print: (line) => printed.push(line) });
    const before = system.process('worker').pid;
    system.process('worker').kill('SIGKILL');
    const isBack = async (): Promise<boolean> =>
      system.process('worker').pid !== before && system.process('worker').isReady();
    await until('the process to be back', isBack);
    await system.stop();
    expect(printed.filter((line) => line.startsWith('worker ended with SIGKILL'))).toHaveLength(1);
  });
});

describe('a system with the option watch', () => {
  beforeEach(() => provideBacking('none'));
  afterEach(() => void vi.unstubAllEnvs());

  it('restarts a process when a source file changes, and stops it like any other', async () => {
    const repository = await makeStandInRepository();
    const main = join(repository, 'bff/src/main.ts');
    const source = await readFile(main, 'utf8');
    await rm(main); // a link to the stand-in that all processes share
    await writeFile(main, source);
    const system = await start({ root: repository, watch: true });
    const before = await getPid(system.operatorUrls.bff);
    await writeFile(main, `${source}\n`);
    await until('a new process to respond', async () => {
      const pid = await getPid(system.operatorUrls.bff).catch(() => before);
      return pid !== before;
    });
    await system.stop();
    await untilNoneOf(repository);
    await rm(repository, { recursive: true });
  });
});

describe('a system that cannot start', () => {
  beforeEach(() => provideBacking('none'));
  afterEach(() => void vi.unstubAllEnvs());

  it('names the process that ended and the reason, and leaves nothing running', async () => {
    provideBacking('all but Kafka');
    const failing = start({ env: { credits: { END_WITH: 'missing BILLING_URL' } } });
    await expect(failing).rejects.toThrow(/^credits ended with 1 before it was ready: .*missing BILLING_URL/);
    await untilNoneOf(directory);
    await untilNoneOf(root);
  });

  it('stops all processes when the start is cancelled', async () => {
    provideBacking('all but Kafka');
    const controller = new AbortController();
    const cancelled = start({ signal: controller.signal, env: { worker: { PORT: '1' } } });
    controller.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    await untilNoneOf(directory);
  });

  it('quotes the cause from the log of an ended process in one sentence, without JSON', async () => {
    const failing = start({ env: { credits: { END_WITH_LOG: 'connect ECONNREFUSED 127.0.0.1:1' } } });
    const { message } = await failing.then(
      () => expect.fail('it started'),
      (error: unknown) => error as Error,
    );
    expect(message).toMatch(
      /^credits ended with 1 before it was ready: could not start: connect ECONNREFUSED 127\.0\.0\.1:1\. Its log: \S+\/credits\.log$/,
    );
  });
});
