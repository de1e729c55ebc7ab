import { openReader } from '@shortlist/kit/data/reader';
import { createRedis, type Redis } from '@shortlist/kit/data/redis';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import type { Environment } from '@shortlist/kit/process/config';
import { createLog } from '@shortlist/kit/process/log';
import type { AuditConfig } from '../config.ts';
import { DATABASES, type Sources } from './sources.ts';

type Closing = () => Promise<unknown> | void;
export type OpenedSources = { sources: Partial<Omit<Sources, 'now'>>; close: () => Promise<void> };

const log = createLog('auditor', 'silent');
const CONNECT_MS = 10_000;

type Owner = (typeof DATABASES)[number];

/** The address of each database that is configured; that of the image's service may come from its process. */
const databaseUrls = (config: AuditConfig, image: string): [Owner, string][] => {
  const urls: Record<Owner, string | undefined> = {
    identity: config.IDENTITY_DATABASE_URL,
    profile: config.PROFILE_DATABASE_URL,
    billing: config.BILLING_DATABASE_URL,
    credits: config.CREDITS_DATABASE_URL,
    worker: config.WORKER_DATABASE_URL,
  };
  return DATABASES.flatMap((name) => {
    const url = urls[name] ?? (name === image ? config.DATABASE_URL : undefined);
    return url === undefined ? [] : [[name, url] satisfies [Owner, string]];
  });
};

const connectSessions = async (url: string, closing: Closing[]): Promise<Redis> => {
  const sessions = createRedis(url, log);
  closing.push(() => sessions.disconnect());
  if (sessions.status === 'ready') return sessions;
  const limit = AbortSignal.timeout(CONNECT_MS);
  await new Promise<void>((resolve, reject) => {
    sessions.once('ready', resolve);
    limit.addEventListener('abort', () => reject(new Error('no connection to the Redis of the sessions')));
  });
  return sessions;
};

const openAll = async (
  { config, env, image }: { config: AuditConfig; env: Environment; image: string },
  closing: Closing[],
): Promise<OpenedSources['sources']> => {
  const sources: OpenedSources['sources'] = {};
  for (const [name, url] of databaseUrls(config, image)) {
    const reader = await openReader(url);
    closing.push(reader.close);
    sources[name] = reader;
  }
  if (env['KAFKA_BROKERS']) {
    sources.bus = createKafka({ clientId: 'auditor', log, settings: readKafkaSettings(env) });
    closing.push(sources.bus.close);
  }
  const { SESSIONS_REDIS_URL: sessionsUrl, STRIPE_SECRET_KEY: key, SANDBOX_URL: sandbox } = config;
  if (sessionsUrl !== undefined) sources.sessions = await connectSessions(sessionsUrl, closing);
  if (key !== undefined) sources.provider = { url: config.STRIPE_API_BASE, key };
  if (sandbox !== undefined) sources.sandbox = sandbox;
  return sources;
};

/** Connects to every source that is configured. */
export const openSources = async (input: Parameters<typeof openAll>[0]): Promise<OpenedSources> => {
  const closing: Closing[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    return { sources: await openAll(input, closing), close };
  } catch (error) {
    await close();
    throw error;
  }
};
