import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@shortlist/kit/testing/until';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl } from '../src/databases.ts';
import { startSystem, type System } from '../src/system.ts';
import { waitUntil } from '../src/wait.ts';
import { processesOf } from './processes-of.ts';
import { makeStandInRepository } from './stand-ins.ts';

const answer = async (url: string): Promise<{ pid: number }> =>
  (await (await fetch(url)).json()) as { pid: number };

let root: string;
let directory: string;
let adminCalls: string;

beforeAll(async () => {
  root = await makeStandInRepository();
  directory = await mkdtemp(join(tmpdir(), 'shortlist-system-test-'));
  adminCalls = join(directory, 'admin-calls');
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
});

const start = (more: Parameters<typeof startSystem>[0] = {}): Promise<System> =>
  startSystem({ root, directory, env: { identity: { ADMIN_CALLS: adminCalls } }, ...more });

describe('a system that starts', () => {
  let system: System;
  beforeAll(async () => {
    system = await start();
  });
  afterAll(() => system.stop());

  it('has every process answering on its own port', async () => {
    const pids = await Promise.all(Object.values(system.urls).map(async (url) => (await answer(url)).pid));
    expect(new Set(pids).size).toBe(7);
    expect(pids).toContain(system.process('billing').pid);
  });

  it('lets a service into its own database only', async () => {
    const url = databaseUrl(system.backing.databaseAdminUrl, system.secrets, 'credits');
    const connection = await createConnection(url);
    const [rows] = await connection.query('SHOW DATABASES');
    await connection.end();
    expect((rows as { Database: string }[]).map((row) => row.Database)).toEqual([
      'credits',
      'information_schema',
    ]);
  });

  it('creates the first admin by the command of an operator', async () => {
    expect((await readFile(adminCalls, 'utf8')).trim()).toBe(system.admin.email);
  });

  it('brings a killed process back when asked, and not before', async () => {
    const credits = system.process('credits');
    const before = credits.pid;
    credits.kill('SIGKILL');
    expect(await waitUntil(() => Promise.resolve(credits.hasEnded()), { limitMs: 5_000 })).toBe(true);
    await expect(answer(system.urls.credits)).rejects.toThrow();
    await credits.restart();
    expect((await answer(system.urls.credits)).pid).not.toBe(before);
  });

  it('keeps its secrets readable for its owner alone', async () => {
    expect((await stat(join(directory, 'secrets.env'))).mode & 0o777).toBe(0o600);
  });
});

describe('a system that stops', () => {
  it('ends its processes in order, once, and leaves nothing', async () => {
    const system = await start();
    await Promise.all([system.stop(), system.stop()]);
    expect(system.process('bff').logs()).toBe('ended in order\n');
    expect(await processesOf(directory)).toEqual([]);
    expect(await processesOf(root)).toEqual([]);
  });

  it('starts again what dies when it is told to keep it alive', async () => {
    const told: string[] = [];
    const system = await start({ restart: true, tell: (line) => told.push(line) });
    const before = system.process('worker').pid;
    system.process('worker').kill('SIGKILL');
    const isBack = async (): Promise<boolean> =>
      system.process('worker').pid !== before && system.process('worker').isReady();
    expect(await waitUntil(isBack, { limitMs: 10_000 })).toBe(true);
    await system.stop();
    expect(told.filter((line) => line.startsWith('worker ended with SIGKILL'))).toHaveLength(1);
  });
});

describe('a system that is watched', () => {
  it('starts a process anew when a file that it is made of changes, and ends it like any other', async () => {
    const own = await makeStandInRepository();
    const main = join(own, 'bff/src/main.ts');
    const source = await readFile(main, 'utf8');
    await rm(main); // it was a link to the stand-in that all share
    await writeFile(main, source);
    const system = await start({ root: own, watch: true });
    const before = (await answer(system.urls.bff)).pid;
    await writeFile(main, `${source}\n`);
    await until('another to answer', async () => {
      const now = await answer(system.urls.bff).catch(() => ({ pid: before }));
      return now.pid !== before;
    });
    await system.stop();
    expect(await processesOf(own)).toEqual([]);
    await rm(own, { recursive: true });
  });
});

describe('a system that cannot start', () => {
  it('says whose fault it is in its own words and leaves nothing', async () => {
    const failing = start({ env: { credits: { END_WITH: 'missing BILLING_URL' } } });
    await expect(failing).rejects.toThrow(/^credits ended before it was ready[\s\S]*missing BILLING_URL/);
    expect(await processesOf(directory)).toEqual([]);
    expect(await processesOf(root)).toEqual([]);
  });

  it('stops what it has when the start is given up', async () => {
    const controller = new AbortController();
    const given = start({ signal: controller.signal, env: { worker: { PORT: '1' } } });
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    expect(await processesOf(directory)).toEqual([]);
  });
});
