import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBacking } from '../src/backing/backing.ts';
import { checkDatabase } from '../src/backing/mariadb.ts';
import { checkRedis } from '../src/backing/redis.ts';
import { findFreePorts } from '../src/host/ports.ts';
import { makeSecrets } from '../src/host/secrets.ts';
import { processesOf, untilNoneOf } from './processes-of.ts';

let directory: string;
const printed: string[] = [];
const print = (line: string): void => void printed.push(line);

const fakeDocker = (script: string): Promise<void> =>
  writeFile(join(directory, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlist-backing-test-'));
  printed.length = 0;
  // Independent of the machine: no addresses in the environment, no Docker engine.
  for (const name of ['DATABASE_ADMIN_URL', 'SESSIONS_REDIS_URL', 'QUEUE_REDIS_URL', 'KAFKA_BROKERS']) {
    vi.stubEnv(name, '');
  }
  await fakeDocker('exit 1');
  vi.stubEnv('PATH', `${directory}:${process.env.PATH}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

const portOf = (url: string): number => Number(new URL(url).port);

describe('the choice of backing services', () => {
  it('uses the addresses of the environment and starts nothing', async () => {
    vi.stubEnv('DATABASE_ADMIN_URL', 'mysql://root:pw@db.test:3306');
    vi.stubEnv('SESSIONS_REDIS_URL', 'redis://sessions.test');
    vi.stubEnv('QUEUE_REDIS_URL', 'redis://queue.test');
    vi.stubEnv('KAFKA_BROKERS', 'kafka.test:9092');
    const backing = await startBacking({ print });
    expect(backing).toMatchObject({
      databaseAdminUrl: 'mysql://root:pw@db.test:3306',
      sessionsRedisUrl: 'redis://sessions.test',
      queueRedisUrl: 'redis://queue.test',
      kafkaBrokers: 'kafka.test:9092',
    });
    expect(printed).toEqual(['The environment gives the address of: database, redis, kafka.']);
    await expect(backing.database.stop()).rejects.toThrow('not started here');
    await backing.stop();
  });

  it('falls back to programs of this machine when no Docker engine is running', async () => {
    vi.stubEnv('KAFKA_BROKERS', 'kafka.test:9092');
    const backing = await startBacking({ parts: ['redis', 'kafka'], print });
    expect(printed).toEqual([
      'The environment gives the address of: kafka.',
      'No Docker engine is running.',
      'Starting redis as programs of this machine …',
    ]);
    expect(await checkRedis(portOf(backing.queueRedisUrl))).toBeNull();
    await backing.stop();
  });

  it('falls back to programs of this machine when the engine cannot start the containers', async () => {
    await fakeDocker('[ "$1" = info ] && exit 0; echo no such image >&2; exit 1');
    const backing = await startBacking({ parts: ['redis'], print });
    expect(printed[1]).toMatch(/^The containers could not be used\./);
    expect(await checkRedis(portOf(backing.sessionsRedisUrl))).toBeNull();
    await backing.stop();
  });

  it('names in one sentence the programs to install when nothing works', async () => {
    vi.stubEnv('PATH', directory);
    await expect(startBacking({ parts: ['database', 'redis'], print })).rejects.toThrow(
      /^Missing on this machine: MariaDB 10\.11 or newer, Redis 6\.2 or newer\. Install them \(on Debian: apt-get install mariadb-server redis-server\)/,
    );
  });
});

describe('native servers', () => {
  it('run side by side and leave nothing behind', async () => {
    const folders = ['a', 'b'].map((name) => join(directory, name));
    const both = await Promise.all(
      folders.map((folder) => startBacking({ directory: folder, parts: ['database', 'redis'] })),
    );
    expect(new Set(both.map((one) => one.databaseAdminUrl)).size).toBe(2);
    for (const { databaseAdminUrl } of both) expect(await checkDatabase(databaseAdminUrl)).toBeNull();
    await Promise.all(both.map((one) => one.stop()));
    await untilNoneOf(directory);
  });

  it('keep their data and refuse another password', async () => {
    const options = { directory, parts: ['database'] as const, secrets: makeSecrets() };
    const first = await startBacking(options);
    const connection = await createConnection(first.databaseAdminUrl);
    await connection.query('CREATE DATABASE example');
    await connection.end();
    await first.database.kill();
    await first.database.start();
    await first.stop();
    const second = await startBacking(options);
    expect(await checkDatabase(`${second.databaseAdminUrl}/example`)).toBeNull();
    expect(await checkDatabase(second.databaseAdminUrl.replace(/:[^:@]+@/, ':@'))).toMatch(/^Access denied/);
    await second.stop();
  });

  it('remove their temporary folder when stopped', async () => {
    const folder = await mkdtemp(join(directory, 'tmp-'));
    vi.stubEnv('TMPDIR', folder);
    const backing = await startBacking({ parts: ['redis'] });
    expect(await readdir(folder)).toHaveLength(1);
    await backing.stop();
    expect(await readdir(folder)).toEqual([]);
  });

  it('are all stopped when one of them cannot start', async () => {
    const [first = 0] = await findFreePorts(1);
    const otherProgram = createServer();
    await new Promise<void>((resolve) => otherProgram.listen(first + 2, '127.0.0.1', resolve));
    const starting = startBacking({ directory, portBase: first, parts: ['database', 'redis'] });
    await expect(starting).rejects.toThrow(`Port ${first + 2} is in use`);
    await untilNoneOf(directory);
    otherProgram.close();
  });

  it('end when their parent is killed', async () => {
    const script = join(import.meta.dirname, 'stand-ins/parent.ts');
    const parent = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    expect(await processesOf(directory)).not.toEqual([]);
    parent.kill('SIGKILL');
    await untilNoneOf(directory);
  });
});
