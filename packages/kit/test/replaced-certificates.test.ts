// A private authority is replaced in the order of docs/replacing-secrets.md, while real servers are used without a pause.
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, getCACertificates, type Server, setDefaultCACertificates } from 'node:tls';
import { days, inSeconds } from '@shortlist/contracts/durations';
import { startMariadb } from '@shortlist/local/backing/mariadb';
import { findFreePorts } from '@shortlist/local/host/ports';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDb, type Db } from '../src/data/db.ts';
import { createRedis, type Redis } from '../src/data/redis.ts';
import { createSocketFactory } from '../src/messaging/kafka-socket.ts';
import { followCertificates } from '../src/process/certificates.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { type Certificates, makeCertificates } from '../src/testing/certificates.ts';
import { until } from '../src/testing/until.ts';
import { clock, silent } from './notes-table.ts';
import { type SecuredRedis, startSecuredRedis } from './secured-redis.ts';

const EVERY_MS = 20;
const publicAuthorities = getCACertificates();
const metrics = createMetrics('test');
const stops: (() => unknown)[] = [];
const warnings: unknown[] = [];

let directory: string;
/** The certificates of two authorities, and those that the servers have now. */
let [former, next, served]: Certificates[] = [];
let bundle: string;
let [admin, pool]: Db[] = [];
let databaseUrl: string;
let secured: SecuredRedis;
let redis: Redis;
let broker: Server;

const gaugeOf = async (name: string): Promise<number | undefined> => {
  const value = (await metrics.text())
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.split(' ')
    .at(-1);
  return value === undefined ? undefined : Number(value);
};
const isCurrent = async (): Promise<boolean> => (await gaugeOf('private_authorities_current')) === 1;

/** Replaces the file in one step, as Kubernetes does. */
const writeBundle = async (text: string): Promise<void> => {
  await writeFile(`${bundle}.next`, text);
  await rename(`${bundle}.next`, bundle);
};

const trust = async (...authorities: Certificates[]): Promise<void> => {
  const parts = await Promise.all(authorities.map(({ authority }) => readFile(authority, 'utf8')));
  await writeBundle(parts.join(''));
  await sleep(5 * EVERY_MS);
};

/** Gives every server another certificate, as its operator does. */
const serve = async (certificates: Certificates): Promise<void> => {
  await copyFile(certificates.key, served!.key);
  await copyFile(certificates.certificate, served!.certificate);
  await admin!.query('FLUSH SSL');
  await redis.config('SET', 'tls-cert-file', served!.certificate, 'tls-key-file', served!.key);
  broker.setSecureContext({ key: await readFile(served!.key), cert: await readFile(served!.certificate) });
};

const connectToDatabase = async (): Promise<void> => {
  const db = createDb({ url: databaseUrl, entities: [], migrations: [], poolSize: 1 });
  await db.initialize();
  await db.query('SELECT 1');
  await db.destroy();
};

const connectToRedis = async (): Promise<void> => {
  const client = createRedis(`rediss://ana:${secured.password}@localhost:${secured.port}`, silent);
  try {
    await new Promise((resolve, reject) => client.once('ready', resolve).once('error', reject));
    await client.ping();
  } finally {
    client.disconnect();
  }
};

const connectToBroker = async (): Promise<void> => {
  const { port } = broker.address() as AddressInfo;
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = createSocketFactory(silent)({ host: 'localhost', port, ssl: {}, onConnect: resolve });
  try {
    await Promise.race([promise, once(socket, 'error').then(([error]) => Promise.reject(error as Error))]);
  } finally {
    socket.destroy();
  }
};

const connections: [string, () => Promise<unknown>][] = [
  ['a new connection to the database', connectToDatabase],
  ['a new connection to Redis', connectToRedis],
  ['a new connection to Kafka', connectToBroker],
  ['the pool of the database', () => pool!.query('SELECT 1')],
  ['the client of Redis', () => redis.ping()],
];

/** Uses every server without a pause during the work. Returns how often, and what failed. */
const useDuring = async (work: () => Promise<void>): Promise<{ uses: number[]; failures: string[] }> => {
  let isOver = false;
  const failures: string[] = [];
  const lanes = connections.map(async ([name, use]) => {
    let count = 0;
    for (; !isOver; count += 1)
      await use().catch((error: unknown) => void failures.push(`${name}: ${String(error)}`));
    return count;
  });
  await work();
  isOver = true;
  return { uses: await Promise.all(lanes), failures };
};

/** What refuses the certificate of its server. */
const refusing = async (): Promise<string[]> => {
  const refused = connections.slice(0, 3).map(async ([name, use]) => {
    const error = await use().then(() => null, String);
    return error === null ? [] : [`${name}: ${/self-signed certificate|unable to verify/.test(error)}`];
  });
  return (await Promise.all(refused)).flat();
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'replaced-'));
  bundle = join(directory, 'authorities.pem');
  for (const name of ['former', 'next', 'served']) await mkdir(join(directory, name));
  former = await makeCertificates(join(directory, 'former'), 10);
  next = await makeCertificates(join(directory, 'next'), 30);
  served = await makeCertificates(join(directory, 'served'));
  await copyFile(former.key, served.key);
  await copyFile(former.certificate, served.certificate);
  await trust(former);
  const log = Object.assign(Object.create(silent) as typeof silent, {
    warn: (...words: unknown[]) => warnings.push(words),
  });
  const lifecycle = { log, onStop: (_part: string, stop: () => unknown) => void stops.push(stop) };
  const config = { NODE_EXTRA_CA_CERTS: bundle };
  followCertificates({ lifecycle, config, clock, metrics, everyMs: EVERY_MS });
  await sleep(5 * EVERY_MS);

  const [port = 0] = await findFreePorts(1);
  const server = await startMariadb({
    print: () => undefined,
    directory: join(directory, 'database'),
    port,
    rootPassword: 'root-password',
    more: [`--ssl-cert=${served.certificate}`, `--ssl-key=${served.key}`],
  });
  stops.push(server.stop);
  databaseUrl = `mysql://root:root-password@localhost:${port}/mysql?ssl-mode=VERIFY_IDENTITY`;
  admin = createDb({ url: server.url, entities: [], migrations: [], poolSize: 1 });
  pool = createDb({ url: databaseUrl, entities: [], migrations: [], poolSize: 2 });
  for (const db of [admin, pool]) {
    await db.initialize();
    stops.push(() => db.destroy());
  }
  secured = await startSecuredRedis({ directory, certificates: { ...served, authority: former.authority } });
  stops.push(secured.stop);
  redis = createRedis(`rediss://ana:${secured.password}@localhost:${secured.port}`, silent);
  stops.push(() => redis.disconnect());
  await once(redis, 'ready');
  broker = createServer({ key: await readFile(served.key), cert: await readFile(served.certificate) });
  await once(broker.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => broker.close());
}, 180_000);
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  setDefaultCACertificates(publicAuthorities);
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  warnings.length = 0;
  await trust(former!);
  await serve(former!);
});

it('a new authority and its certificates are trusted without a restart, and the former ones no more', async () => {
  const { uses, failures } = await useDuring(async () => {
    await sleep(300);
    await trust(former!, next!);
    await serve(next!);
    await sleep(300);
    await trust(next!);
    await sleep(300);
  });
  expect(failures).toEqual([]);
  expect(Math.min(...uses)).toBeGreaterThan(5);
  await serve(former!);
  expect(await refusing()).toEqual(connections.slice(0, 3).map(([name]) => `${name}: true`));
}, 60_000);

it('a server whose certificate came first is refused until its authority is trusted', async () => {
  await serve(next!);
  expect(await refusing()).toHaveLength(3);
  await trust(former!, next!);
  expect(await refusing()).toEqual([]);
}, 60_000);

it.each([
  ['is empty', () => writeBundle('')],
  [
    'has a broken certificate beside a good one',
    async () =>
      writeBundle(
        `${await readFile(former!.authority, 'utf8')}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
      ),
  ],
  ['is gone', () => rm(bundle)],
])(
  'while the file %s, the former authorities stay trusted, and a warning and a metric say so',
  async (_, spoil) => {
    const { failures } = await useDuring(async () => {
      await spoil();
      await until('the metric', async () => !(await isCurrent()));
      await sleep(10 * EVERY_MS);
    });
    expect(failures).toEqual([]);
    expect(warnings).toHaveLength(1);
    await trust(former!);
    expect(await isCurrent()).toBe(true);
  },
  60_000,
);

it('the metric has the first end of the authorities and of the certificates that servers have', async () => {
  const daysUntil = async (secret: string): Promise<number> => {
    const end = (await gaugeOf(`secret_expires_timestamp_seconds{secret="${secret}"`)) ?? 0;
    return Math.round((end - inSeconds(Date.now())) / inSeconds(days(1)));
  };
  expect(await daysUntil('private_authority')).toBe(10);
  await trust(next!);
  expect(await daysUntil('private_authority')).toBe(30);
  await trust(former!, next!);
  expect(await daysUntil('private_authority')).toBe(10);
  expect(await daysUntil('certificate_of_database')).toBe(10);
  expect(await daysUntil('certificate_of_redis')).toBe(10);
  expect(await gaugeOf('secret_expires_timestamp_seconds{secret="certificate_of_kafka"')).toBeUndefined();
  await serve(next!);
  const db = createDb({ url: databaseUrl, entities: [], migrations: [], poolSize: 1 });
  await db.initialize();
  expect(await daysUntil('certificate_of_database')).toBe(10); // the pool has connections from before
  await pool!.destroy();
  await until('the end of its connections', async () => (await daysUntil('certificate_of_database')) === 30);
  await db.destroy();
  await pool!.initialize();
}, 60_000);
