import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSessions } from '@shortlist/bff/session/sessions';
import { createRedis } from '@shortlist/kit/data/redis';
import { createLog } from '@shortlist/kit/process/log';
import { startBacking } from '@shortlist/local/backing';
import { uuidv7 } from 'uuidv7';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export type Variant = 'bff' | 'thin';

type ServerOptions = { env: Record<string, string>; flags?: readonly string[] };

/** A server pinned to the second core; the generator, Redis and the upstream share the first. */
export const startServer = (variant: Variant, { env, flags = [] }: ServerOptions): Promise<ServerProcess> => {
  const script = join(import.meta.dirname, 'gateway-server.ts');
  const node = [process.execPath, ...flags, script, variant];
  const [command = '', ...args] = availableParallelism() > 1 ? ['taskset', '-c', '1', ...node] : node;
  return startServerProcess(command, args, { ...env, NODE_ENV: 'production' });
};

/** What the services return to a read, and to each change that the benchmarks send: its fields serve all of them. */
const READ_REPLY = { data: [], total: 0, isCapped: false, next: null, padding: 'x'.repeat(40) };
const CHANGE_REPLY = {
  name: `${'0'.repeat(32)}.jpg`,
  data: { id: uuidv7(), email: 'bench@people.test', createdAt: '2026-01-01T00:00:00.000Z' },
};
export const REPLIES = { read: JSON.stringify(READ_REPLY), change: JSON.stringify(CHANGE_REPLY) };

export type Upstream = { url: string; receivedBytes: () => number; close: () => void };

const startUpstream = async (): Promise<Upstream> => {
  let receivedBytes = 0;
  const send = (response: ServerResponse, body: string): void => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  };
  const drain = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
    request.once('end', () => send(response, REPLIES.change));
  };
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (request.method === 'GET') send(response, REPLIES.read);
    else drain(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    receivedBytes: () => receivedBytes,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type Fixture = {
  env: Record<string, string>;
  upstream: Upstream;
  /** The headers of a session. */
  admin: { authorization: string };
  user: { authorization: string };
  close: () => Promise<void>;
};

/** Redis with sessions, an upstream that stands for every service, and the environment of the servers. */
export const createFixture = async (): Promise<Fixture> => {
  const backing = await startBacking({ print: () => undefined, parts: ['redis'] });
  const upstream = await startUpstream();
  const webRoot = await mkdtemp(join(tmpdir(), 'shortlist-bench-'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>bench</title>');
  const redis = createRedis(backing.sessionsRedisUrl, createLog('bench', 'silent'));
  if (redis.status !== 'ready') await once(redis, 'ready');
  const sessions = createSessions(redis, () => new Date());
  const userId = uuidv7();
  const admin = await sessions.begin({
    userId,
    role: 'admin',
    generation: 0,
    access: { role: 'owner', version: 0 },
  });
  const user = await sessions.begin({ userId: uuidv7(), role: 'user', generation: 0 });
  await redis.set('bench:session', JSON.stringify({ userId, role: 'admin' }));
  const secret = 'b'.repeat(64);
  const services = ['IDENTITY', 'PROFILE', 'BILLING', 'CREDITS'].flatMap((name) => [
    [`${name}_URL`, upstream.url],
    [`${name}_TOKEN_KEYS`, `1:${secret}`],
  ]);
  return {
    admin: { authorization: `Bearer ${admin.token}` },
    user: { authorization: `Bearer ${user.token}` },
    upstream,
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
