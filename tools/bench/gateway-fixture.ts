import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
// Sessions begin, and keys are stored, in Redis as bff begins them: there is no identity to log in to.
import { createKey } from '@shortlist/bff/api-keys/key';
import { createKeyStore } from '@shortlist/bff/api-keys/key-store';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { createSessions } from '@shortlist/bff/session/sessions';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { createRedis, type Redis } from '@shortlist/kit/data/redis';
import { startBacking } from '@shortlist/local/backing';
import { uuidv7 } from 'uuidv7';
import { listen } from './listen.ts';
import { type Load, measureInTurns, type Print, printCompared, requesting } from './measure.ts';
import { clock, log, type ServerProcess, startServerProcess } from './surroundings.ts';

/** What the services return to a read, and to each change that the benchmarks send: its fields serve all of them. */
const READ_REPLY = JSON.stringify({
  data: [],
  total: 0,
  isCapped: false,
  next: null,
  plan: 'premium',
  limit: 500,
  used: 3,
  available: 497,
  windowStart: '2026-01-01T00:00:00.000Z',
  windowEnd: '2026-02-01T00:00:00.000Z',
  buckets: [],
});
const CHANGE_REPLY = JSON.stringify({
  name: `${'0'.repeat(32)}.jpg`,
  data: { id: uuidv7(), email: 'bench@people.test', createdAt: '2026-01-01T00:00:00.000Z' },
});

/** Stands for every service. */
const startUpstream = async () => {
  let receivedBytes = 0;
  const listening = await listen((request, response) => {
    const body = request.method === 'GET' ? READ_REPLY : CHANGE_REPLY;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
    request.once('end', () => response.writeHead(200, headers).end(body));
  });
  return { ...listening, receivedBytes: () => receivedBytes };
};

type Headers = { authorization: string };
export type Fixture = {
  upstream: Awaited<ReturnType<typeof startUpstream>>;
  /** The headers of a session. */
  admin: Headers;
  user: Headers;
  /** Those of a tool with an API key. */
  tool: Headers;
  /** Starts a server, once, on the second core; the generator, Redis and the upstream share the first. */
  start: (variant: 'bff' | 'thin', flags?: readonly string[]) => Promise<ServerProcess>;
};

const headersOf = ({ token }: { token: string }): Headers => ({ authorization: `Bearer ${token}` });

/** Begins the sessions of an admin and of a user, and of an admin in the form that the thin server reads. */
const beginSessions = async (redis: Redis) => {
  const sessions = createSessions(redis, clock);
  const [adminId, generation] = [uuidv7(), 0];
  const access = { role: 'owner', version: 0 } as const;
  const admin = await sessions.begin({ userId: adminId, role: 'admin', generation, access });
  const user = await sessions.begin({ userId: uuidv7(), role: 'user', generation });
  const toolsUser = uuidv7();
  const { key, hash } = createKey('test', toolsUser);
  const client = {
    id: uuidv7(),
    userId: toolsUser,
    scopes: [...SCOPES],
    expiresAt: null,
    restriction: null,
    toolId: null,
    toolGeneration: 0,
  };
  await createKeyStore(redis).store({ kind: 'key', tag: tagOfUser(toolsUser), hash }, '', client);
  await redis.set('bench:session', JSON.stringify({ userId: adminId, role: 'admin' }));
  return { admin: headersOf(admin), user: headersOf(user), tool: headersOf({ token: key }) };
};

type Environment = { sessionsRedisUrl: string; upstreamUrl: string; webRoot: string };

const environmentOf = ({ sessionsRedisUrl, upstreamUrl, webRoot }: Environment): Record<string, string> => {
  const secret = 'b'.repeat(64);
  const services = ['IDENTITY', 'PROFILE', 'BILLING', 'CREDITS', 'WORKER'].flatMap((name) => [
    [`${name}_URL`, upstreamUrl],
    [`${name}_TOKEN_KEYS`, `1:${secret}`],
  ]);
  return {
    PORT: '5000',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'production',
    KAFKA_BROKERS: '127.0.0.1:1',
    SESSIONS_REDIS_URL: sessionsRedisUrl,
    XSRF_KEY: secret,
    PUBLIC_URL: 'http://localhost:5000',
    WEB_ROOT: webRoot,
    API_KEY_LIMIT: '1000000000',
    API_USER_LIMIT: '1000000000',
    ...(Object.fromEntries(services) as Record<string, string>),
  };
};

type Starter = { start: Fixture['start']; stop: () => Promise<void> };

const createStarter = (env: Record<string, string>): Starter => {
  const pinning = availableParallelism() > 1 ? ['taskset', '-c', '1'] : [];
  const script = join(import.meta.dirname, 'gateway-server.ts');
  const started = new Map<string, ServerProcess>();
  return {
    start: async (variant, flags = []) => {
      const command = [...pinning, process.execPath, ...flags, script, variant];
      const server = started.get(String(command)) ?? (await startServerProcess(command, env));
      started.set(String(command), server);
      return server;
    },
    stop: async () => {
      for (const server of started.values()) await server.stop();
    },
  };
};

/** Redis with sessions, an upstream, and the servers that the work starts. */
export const withGateway = async (work: (fixture: Fixture) => Promise<void>): Promise<void> => {
  const backing = await startBacking({ parts: ['redis'] });
  const upstream = await startUpstream();
  const webRoot = await mkdtemp(join(tmpdir(), 'shortlist-bench-'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>bench</title>');
  const redis = createRedis(backing.sessionsRedisUrl, log);
  if (redis.status !== 'ready') await once(redis, 'ready');
  const { sessionsRedisUrl } = backing;
  const servers = createStarter(environmentOf({ sessionsRedisUrl, upstreamUrl: upstream.url, webRoot }));
  try {
    await work({ upstream, start: servers.start, ...(await beginSessions(redis)) });
  } finally {
    await servers.stop();
    redis.disconnect();
    upstream.close();
    await rm(webRoot, { recursive: true });
    await backing.stop();
  }
};

const CONNECTIONS = 64;

/** Compares a request through bff with the same through the thin server. */
export const compareWithThin = async (
  { start }: Pick<Fixture, 'start'>,
  { title, path, ...load }: { title: string; path: string } & Pick<Load, 'headers' | 'body'>,
  print: Print,
): Promise<void> => {
  const subjects = [];
  for (const name of ['thin', 'bff'] as const)
    subjects.push(
      requesting(name, { ...load, url: `${(await start(name)).url}${path}`, connections: CONNECTIONS }),
    );
  printCompared(print, title, await measureInTurns(subjects));
};
