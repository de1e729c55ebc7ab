import { join } from 'node:path';
import type { Backing } from './backing.ts';
import { databaseUrl, type DatabaseOwner } from './databases.ts';
import { SECRET_NAMES, type Secrets } from './secrets.ts';

export const PROCESS_NAMES = [
  'sandbox',
  'identity',
  'profile',
  'billing',
  'credits',
  'worker',
  'bff',
] as const;

export type ProcessName = (typeof PROCESS_NAMES)[number];
export type ProcessPorts = Record<ProcessName, number>;

const OFFSETS: ProcessPorts = {
  bff: 0,
  ...{ identity: 1, profile: 2, billing: 3, credits: 4, worker: 5 },
  sandbox: 10,
};

/** The backing services take their ports from here on, when we start them. */
export const BACKING_OFFSET = 20;

export const portsFromBase = (base: number): ProcessPorts =>
  Object.fromEntries(PROCESS_NAMES.map((name) => [name, base + OFFSETS[name]])) as ProcessPorts;

export type ProcessPlan = {
  name: ProcessName;
  script: string;
  port: number;
  env: NodeJS.ProcessEnv;
};

type Addresses = Pick<Backing, 'databaseAdminUrl' | 'sessionsRedisUrl' | 'queueRedisUrl' | 'kafkaBrokers'>;

export type Setting = {
  root: string;
  /** Where what the processes write lies. */
  directory: string;
  ports: ProcessPorts;
  publicUrl: string;
  secrets: Secrets;
  backing: Addresses;
  /** What we were started with ourselves. */
  env: NodeJS.ProcessEnv;
};

const WORKSPACES: Record<ProcessName, string> = {
  sandbox: 'deploy/sandbox',
  identity: 'services/identity',
  profile: 'services/profile',
  billing: 'services/billing',
  credits: 'services/credits',
  worker: 'services/worker',
  bff: 'bff',
};

const HOST = '127.0.0.1';

export const urlOf = (setting: Setting, name: ProcessName): string => `http://${HOST}:${setting.ports[name]}`;

const serviceUrls = (setting: Setting): Record<string, string> => ({
  IDENTITY_URL: urlOf(setting, 'identity'),
  PROFILE_URL: urlOf(setting, 'profile'),
  BILLING_URL: urlOf(setting, 'billing'),
  CREDITS_URL: urlOf(setting, 'credits'),
});

const database = ({ backing, secrets }: Setting, owner: DatabaseOwner): Record<string, string> => ({
  DATABASE_URL: databaseUrl(backing.databaseAdminUrl, secrets, owner),
});

// With real keys in the environment the same code talks to the real company.
const stripe = (setting: Setting): Record<string, string> => {
  const { env, secrets } = setting;
  if (env.STRIPE_SECRET_KEY) {
    return {
      STRIPE_SECRET_KEY: env.STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRETS:
        env.STRIPE_WEBHOOK_SECRETS || env.STRIPE_WEBHOOK_SECRET || secrets.STRIPE_WEBHOOK_SECRET,
    };
  }
  return {
    STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRETS: secrets.STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: urlOf(setting, 'sandbox'),
  };
};

const mail = (setting: Setting): Record<string, string> => {
  const { env, secrets } = setting;
  const from = { MAIL_FROM: env.MAIL_FROM || 'hello@shortlist.test' };
  if (env.SENDGRID_API_KEY) return { ...from, SENDGRID_API_KEY: env.SENDGRID_API_KEY };
  return {
    ...from,
    SENDGRID_API_KEY: secrets.SENDGRID_API_KEY,
    MAIL_API_BASE: urlOf(setting, 'sandbox'),
  };
};

const sandbox = (setting: Setting): Record<string, string> => ({
  // Its own address for a browser: the checkout page lies there.
  PUBLIC_URL: `http://localhost:${setting.ports.sandbox}`,
  WEBHOOK_URL: `${urlOf(setting, 'billing')}/webhooks/stripe`,
  WEBHOOK_SECRET: setting.secrets.STRIPE_WEBHOOK_SECRET,
  STRIPE_SECRET_KEY: setting.secrets.STRIPE_SECRET_KEY,
  MAIL_API_KEY: setting.secrets.SENDGRID_API_KEY,
  SANDBOX_STATE_FILE: join(setting.directory, 'sandbox.json'),
});

const ownSettings = (setting: Setting, name: ProcessName): Record<string, string> => {
  const { backing, secrets, root } = setting;
  const urls = serviceUrls(setting);
  switch (name) {
    case 'sandbox':
      return sandbox(setting);
    case 'identity':
    case 'profile':
      return database(setting, name);
    case 'billing':
      return { ...database(setting, name), ...stripe(setting) };
    case 'credits':
      return { ...database(setting, name), BILLING_URL: urlOf(setting, 'billing') };
    case 'worker':
      return {
        ...database(setting, name),
        ...mail(setting),
        ...urls,
        QUEUE_REDIS_URL: backing.queueRedisUrl,
      };
    case 'bff':
      return {
        ...urls,
        SESSIONS_REDIS_URL: backing.sessionsRedisUrl,
        XSRF_KEY: secrets.XSRF_KEY,
        WEB_ROOT: join(root, 'web/dist'),
      };
  }
};

const NOT_FOR_ALL = new Set<string>([
  ...SECRET_NAMES,
  ...[
    'STRIPE_WEBHOOK_SECRETS',
    'DATABASE_ADMIN_URL',
    'SESSIONS_REDIS_URL',
    'QUEUE_REDIS_URL',
    'KAFKA_BROKERS',
  ],
]);

// What an operator sets for tracing, proxies or certificates reaches every process; secrets only their owner.
const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_ALL.has(name)));

// A small young generation keeps a process at rest well under its 160 MB (measured: bff 146 down to 114); kafkajs 2.2 asks for
// timers in the past, about which Node 24 would warn at each start.
export const NODE_FLAGS = ['--max-semi-space-size=4', '--disable-warning=TimeoutNegativeWarning'];

// What a burst took goes back to the system: few arenas, and a threshold that does not grow with use (measured: a worker that
// starts without a compile cache 165 MB down to 135, with one 139 down to 127).
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

const common = ({ env, root, backing, secrets, publicUrl }: Setting): Record<string, string> => ({
  NODE_ENV: 'production',
  HOST,
  ...ALLOCATOR,
  LOG_LEVEL: env.LOG_LEVEL || 'info',
  ROLES: env.ROLES || 'http,consumers,relay',
  KAFKA_BROKERS: backing.kafkaBrokers,
  SERVICE_TOKEN_KEY: secrets.SERVICE_TOKEN_KEY,
  PUBLIC_URL: publicUrl,
  NODE_COMPILE_CACHE: join(root, '.local/compile-cache'),
  NODE_OPTIONS: [env.NODE_OPTIONS, ...NODE_FLAGS].filter(Boolean).join(' '),
});

/** Each process with its program and its whole environment, in the order in which they are told. */
export const planProcesses = (setting: Setting): ProcessPlan[] =>
  PROCESS_NAMES.map((name) => ({
    name,
    script: join(setting.root, WORKSPACES[name], 'src/main.ts'),
    port: setting.ports[name],
    env: {
      ...inherited(setting.env),
      ...common(setting),
      ...ownSettings(setting, name),
      PORT: String(setting.ports[name]),
    },
  }));
