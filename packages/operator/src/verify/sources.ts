import { billingEndpoints, type EarningsView } from '@shortlist/contracts/api/billing';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { createRedis, type Redis } from '@shortlist/kit/data/redis';
import { asService, createServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Environment } from '@shortlist/kit/process/config';
import { createLog } from '@shortlist/kit/process/log';
import type { VerifyConfig } from '../config.ts';

export const DATABASES = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

/** The account at the provider, and its API. */
export type Provider = { url: string; key: string };

/** The sources of `verify`, which only reads them. */
export type Sources = Record<(typeof DATABASES)[number], Reader> & {
  provider: Provider;
  /** This year's dashboard in UTC, from billing's endpoint. */
  earnings: () => Promise<EarningsView>;
  /** Kafka. */
  bus: Bus;
  /** The Redis of the sessions. */
  sessions: Redis;
  /** The URL of the sandbox, which knows the sent emails. */
  sandbox: string;
  now: Date;
};
export type SourceName = Exclude<keyof Sources, 'now'>;

/** A violated invariant, with the ids concerned. */
export type Breach = { invariant: string; detail: string };

/** A condition that holds at rest, by its id in docs/requirements.md, and the sources that it compares. */
export type Invariant = {
  id: string;
  about: string;
  needs: readonly SourceName[];
  find: (sources: Sources) => Promise<Breach[]>;
};

type Definition<Needs extends SourceName> = {
  id: string;
  about: string;
  needs: readonly Needs[];
  find: (sources: Pick<Sources, Needs | 'now'>) => Promise<string[]>;
};

/** Declares an invariant. `find` returns one detail for each breach and can use only the sources in `needs`. */
export const defineInvariant = <Needs extends SourceName>({
  find,
  ...rest
}: Definition<Needs>): Invariant => ({
  ...rest,
  find: async (sources) => (await find(sources)).map((detail) => ({ invariant: rest.id, detail })),
});

/** Returns the rows of `left` whose key is not among those of `right`. The two may be on different servers. */
export const withoutMatch = <Row>(
  rows: readonly Row[],
  keys: ReadonlySet<string>,
  keyOf: (row: Row) => string,
): Row[] => rows.filter((row) => !keys.has(keyOf(row)));

/** The ids that a query returns. */
export const idsOf = async (db: Reader, sql: string): Promise<Set<string>> =>
  new Set((await db.select<{ id: string }>(sql)).map(({ id }) => id));

type Closing = () => Promise<unknown> | void;
type OpenedSources = { sources: Partial<Omit<Sources, 'now'>>; close: () => Promise<void> };

const log = createLog('verify', 'silent');
const CONNECT_MS = 10_000;

type Owner = (typeof DATABASES)[number];

/** The URL of each configured database; that of the image's own service may come from its process's variables. */
const databaseUrls = (config: VerifyConfig, image: string): [Owner, string][] => {
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

type Input = { config: VerifyConfig; env: Environment; image: string; clock: Clock };

/** Calls billing's endpoint. */
const openEarnings = (
  { config: { BILLING_URL: url, BILLING_TOKEN_KEYS: keys }, clock }: Input,
  closing: Closing[],
) => {
  if (url === undefined || keys === undefined) return {};
  const pool = createServicePool(url);
  closing.push(() => pool.close());
  const sign = createTokenSigner({ keys: { billing: keys }, clock });
  const ask = createServiceClient({ audience: 'billing', pool, sign });
  const query = { period: 'year', timeZone: 'UTC' } as const;
  return { earnings: async () => (await ask(billingEndpoints.earnings, query, asService())).data };
};

const openAll = async (input: Input, closing: Closing[]): Promise<OpenedSources['sources']> => {
  const { config, env, image } = input;
  const sources: OpenedSources['sources'] = openEarnings(input, closing);
  for (const [name, url] of databaseUrls(config, image)) {
    const reader = await openReader(url);
    closing.push(reader.close);
    sources[name] = reader;
  }
  if (env['KAFKA_BROKERS']) {
    sources.bus = createKafka({ clientId: 'verify', log, settings: readKafkaSettings(env) });
    closing.push(sources.bus.close);
  }
  const { SESSIONS_REDIS_URL: sessionsUrl, STRIPE_SECRET_KEY: key, SANDBOX_URL: sandbox } = config;
  if (sessionsUrl !== undefined) sources.sessions = await connectSessions(sessionsUrl, closing);
  if (key !== undefined) sources.provider = { url: config.STRIPE_API_BASE, key };
  if (sandbox !== undefined) sources.sandbox = sandbox;
  return sources;
};

/** Connects to every configured source. */
export const openSources = async (input: Input): Promise<OpenedSources> => {
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
