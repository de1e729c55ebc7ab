// Each connection is tried against a server that demands encryption and credentials.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startMariadb } from '@shortlist/local/backing/mariadb';
import { findFreePorts } from '@shortlist/local/host/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDb } from '../src/data/db.ts';
import { createRedis } from '../src/data/redis.ts';
import { createQueue, startWorker } from '../src/messaging/jobs.ts';
import { until } from '../src/testing/until.ts';
import { type Certificates, makeCertificates } from '../src/testing/certificates.ts';
import { clock, silent } from './notes-table.ts';
import { type SecuredRedis, startRedisCluster, startSecuredRedis, startSentinel } from './secured-redis.ts';

const authorities = getCACertificates('default');
let directory: string;
let certificates: Certificates;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secured-'));
  certificates = await makeCertificates(directory);
}, 60_000);
afterAll(async () => {
  for (const stop of stops) await stop();
  await rm(directory, { recursive: true });
});

/** As NODE_EXTRA_CA_CERTS does at the start of a process. */
const trust = async (): Promise<void> =>
  setDefaultCACertificates([...authorities, await readFile(certificates.authority, 'utf8')]);
const distrust = (): void => setDefaultCACertificates(authorities);

describe('MariaDB with required encryption', () => {
  let url: string;
  const password = 'p@ss word';
  const connects = async (options: string): Promise<boolean> => {
    const db = createDb({ url: `${url}${options}`, entities: [], migrations: [], poolSize: 1 });
    const isConnected = await db.initialize().then(
      () => true,
      () => false,
    );
    if (isConnected) await db.destroy();
    return isConnected;
  };
  beforeAll(async () => {
    const [port = 0] = await findFreePorts(1);
    const server = await startMariadb({
      print: () => undefined,
      directory: join(directory, 'database'),
      port,
      rootPassword: 'root-password',
      more: [`--ssl-cert=${certificates.certificate}`, `--ssl-key=${certificates.key}`],
    });
    stops.push(server.stop);
    const admin = createDb({ url: server.url, entities: [], migrations: [], poolSize: 1 });
    await admin.initialize();
    await admin.query(`CREATE USER ana@'%' IDENTIFIED BY '${password}' REQUIRE SSL`);
    await admin.query("GRANT ALL ON test.* TO ana@'%'");
    await admin.query('CREATE DATABASE test');
    await admin.destroy();
    url = `mysql://ana:${encodeURIComponent(password)}@127.0.0.1:${port}/test`;
  }, 120_000);

  it('refuses a plain-text connection, and one whose certificate cannot be verified', async () => {
    expect(await connects('')).toBe(false);
    expect(await connects('?ssl-mode=VERIFY_IDENTITY')).toBe(false);
  });

  it('accepts an encrypted one, and one that verifies its certificate with a private authority', async () => {
    expect(await connects('?ssl-mode=REQUIRED')).toBe(true);
    await trust();
    expect(await connects('?ssl-mode=VERIFY_CA')).toBe(true);
    expect(await connects('?ssl-mode=VERIFY_IDENTITY')).toBe(true);
    distrust();
  });
});

describe('Redis with TLS and accounts', () => {
  let secured: SecuredRedis;
  beforeAll(async () => {
    secured = await startSecuredRedis({ directory, certificates });
    stops.push(secured.stop);
  }, 60_000);

  const isConnected = async (url: string): Promise<boolean> => {
    const redis = createRedis(url, silent);
    const status = await new Promise<boolean>((resolve) => {
      redis.once('ready', () => resolve(true));
      redis.once('error', () => resolve(false));
    });
    redis.disconnect();
    return status;
  };

  it('refuses plain text, an unknown authority, and a wrong password', async () => {
    const { port } = secured;
    expect(await isConnected(`redis://ana:${secured.password}@localhost:${port}`)).toBe(false);
    expect(await isConnected(`rediss://ana:${secured.password}@localhost:${port}`)).toBe(false);
    await trust();
    expect(await isConnected(`rediss://ana:wrong@localhost:${port}`)).toBe(false);
    distrust();
  });

  it.each([
    ['a single server', () => `rediss://ana:${secured.password}@localhost:${secured.port}`],
    ['sentinels', async () => startSentinel({ directory, certificates, secured }, stops)],
    ['a cluster', async () => startRedisCluster({ directory, certificates }, stops)],
  ])(
    'sessions and jobs use %s',
    async (_, start) => {
      await trust();
      const url = await start();
      expect(await isConnected(url)).toBe(true);
      const done: string[] = [];
      const name = `jobs-${randomBytes(4).toString('hex')}`;
      const queue = createQueue<string>(name, { url, log: silent, clock });
      const worker = startWorker<string>(name, {
        url,
        log: silent,
        clock,
        concurrency: 1,
        handlers: { note: (data) => Promise.resolve(done.push(data)) },
      });
      await until('the queue', () =>
        queue
          .add('note', 'hello')
          .then(() => true)
          .catch(() => false),
      );
      await until('the job', () => done.includes('hello'));
      await worker.stop();
      await queue.close();
      distrust();
    },
    60_000,
  );
});
