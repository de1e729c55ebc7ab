import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSessions } from '@shortlist/bff/session/sessions';
import { createRedis } from '@shortlist/kit/data/redis';
import { createLog } from '@shortlist/kit/process/log';
import { startBacking } from '@shortlist/local/backing';
import autocannon from 'autocannon';
import { uuidv7 } from 'uuidv7';
import { percentile } from './percentile.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 64;
const VARIANTS = ['pipeline', 'express', 'thin'] as const;
type Variant = (typeof VARIANTS)[number];
type Server = { url: string; stop: () => Promise<void> };
type Result = { perSecond: number[]; p99: number[] };

/** A server pinned to the second core; the generator, Redis and the upstream share the first. */
const startServer = async (variant: Variant, env: Record<string, string>): Promise<Server> => {
  const script = join(import.meta.dirname, 'gateway-server.ts');
  const node = [process.execPath, script, variant];
  const [command = '', ...args] = availableParallelism() > 1 ? ['taskset', '-c', '1', ...node] : node;
  const child = spawn(command, args, {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
};

const measure = async (url: string, authorization: string, seconds: number): Promise<[number, number]> => {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  return [result.requests.average, result.latency.p99];
};

const startUpstream = async (): Promise<{ url: string; close: () => void }> => {
  const body = JSON.stringify({ data: [], total: 0, isCapped: false, next: null, padding: 'x'.repeat(40) });
  const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const median = (values: readonly number[]): number => percentile(values, 0.5);

const report = (results: Map<Variant, Result>, print: (line: string) => void): void => {
  const thin = median(results.get('thin')?.perSecond ?? []);
  for (const [variant, { perSecond, p99 }] of results) {
    const rate = median(perSecond);
    const range = `${Math.min(...perSecond).toFixed(0)}–${Math.max(...perSecond).toFixed(0)}`;
    print(
      `${variant.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s (${range})   p99 ${median(p99).toFixed(0)} ms   of thin ${(rate / thin).toFixed(2)}`,
    );
  }
};

type Fixture = { env: Record<string, string>; authorization: string; close: () => Promise<void> };

/** Redis with a session, an upstream that stands for every service, and the environment of the servers. */
const createFixture = async (): Promise<Fixture> => {
  const backing = await startBacking({ print: () => undefined, parts: ['redis'] });
  const upstream = await startUpstream();
  const webRoot = await mkdtemp(join(tmpdir(), 'shortlist-bench-'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>bench</title>');
  const redis = createRedis(backing.sessionsRedisUrl, createLog('bench', 'silent'));
  if (redis.status !== 'ready') await once(redis, 'ready');
  const userId = uuidv7();
  const { token } = await createSessions(redis, () => new Date()).begin({
    ...{ userId, role: 'admin', access: { role: 'owner', version: 0 } },
  });
  await redis.set('bench:session', JSON.stringify({ userId, role: 'admin' }));
  const secret = 'b'.repeat(64);
  const services = ['IDENTITY', 'PROFILE', 'BILLING', 'CREDITS'].flatMap((name) => [
    [`${name}_URL`, upstream.url],
    [`${name}_TOKEN_KEYS`, `1:${secret}`],
  ]);
  return {
    authorization: `Bearer ${token}`,
    env: {
      PORT: '5000',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      KAFKA_BROKERS: '127.0.0.1:1',
      SESSIONS_REDIS_URL: backing.sessionsRedisUrl,
      XSRF_KEY: secret,
      PUBLIC_URL: 'http://localhost:5000',
      WEB_ROOT: webRoot,
      ...(Object.fromEntries(services) as Record<string, string>),
    },
    close: async () => {
      redis.disconnect();
      upstream.close();
      await rm(webRoot, { recursive: true });
      await backing.stop();
    },
  };
};

/** Alternates the variants, so that other work of the machine affects them alike. */
const compare = async (path: string, print: (line: string) => void): Promise<void> => {
  const { env, authorization, close } = await createFixture();
  const results = new Map<Variant, Result>(VARIANTS.map((variant) => [variant, { perSecond: [], p99: [] }]));
  const servers = new Map<Variant, Server>();
  try {
    for (const variant of VARIANTS) servers.set(variant, await startServer(variant, env));
    for (const { url } of servers.values()) await measure(`${url}${path}`, authorization, 3); // warm-up
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [variant, { url }] of servers) {
        const [rate, p99] = await measure(`${url}${path}`, authorization, SECONDS);
        results.get(variant)?.perSecond.push(rate);
        results.get(variant)?.p99.push(p99);
      }
    report(results, print);
  } finally {
    for (const server of servers.values()) await server.stop();
    await close();
  }
};

/** P1 a session check through bff, with the pipeline, with Express in front of it, and as bare node:http with one Redis GET. */
export const benchSession = (print: (line: string) => void): Promise<void> =>
  compare('/api/check_authentication', print);

/** P2 a proxied GET with a session, beside the same with bare node:http and undici. */
export const benchProxy = (print: (line: string) => void): Promise<void> =>
  compare('/api/users?limit=5', print);
