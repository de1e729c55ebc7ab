import { join } from 'node:path';
import type { Backing } from '../backing/backing.ts';
import { SECRET_NAMES, type SecretName, type Secrets } from '../state/secrets.ts';
import { databaseUrl, type DatabaseOwner } from './databases.ts';
import { PROCESS_NAMES, type ProcessName, type ProcessPorts } from './system-ports.ts';

export type ProcessPlan = {
  name: ProcessName;
  script: string;
  port: number;
  /** Of health and metrics. */
  operatorPort: number;
  env: NodeJS.ProcessEnv;
};

type Addresses = Pick<Backing, 'databaseAdminUrl' | 'sessionsRedisUrl' | 'queueRedisUrl' | 'kafkaBrokers'>;

export type Deployment = {
  root: string;
  /** The folder of logs and data. */
  directory: string;
  ports: ProcessPorts;
  operatorPorts: ProcessPorts;
  publicUrl: string;
  secrets: Secrets;
  backing: Addresses;
  /** The environment of this process. */
  env: NodeJS.ProcessEnv;
};

/** The processes that have an operator program. */
export const IMAGES = PROCESS_NAMES.filter((name) => name !== 'sandbox');
export type ImageName = (typeof IMAGES)[number];

/** The folder of each process. */
export const WORKSPACES: Record<ProcessName, string> = {
  sandbox: 'deploy/sandbox',
  identity: 'services/identity',
  profile: 'services/profile',
  billing: 'services/billing',
  credits: 'services/credits',
  worker: 'services/worker',
  bff: 'bff',
};

/** The program of an operator in the repository, relative to its root. */
export const operatorScript = (name: ImageName): string => `${WORKSPACES[name]}/src/operator.ts`;

const HOST = '127.0.0.1';

export const urlOf = (deployment: Deployment, name: ProcessName): string =>
  `http://${HOST}:${deployment.ports[name]}`;

export const operatorUrlOf = (deployment: Deployment, name: ProcessName): string =>
  `http://${HOST}:${deployment.operatorPorts[name]}`;

const serviceUrls = (deployment: Deployment): Record<string, string> => ({
  IDENTITY_URL: urlOf(deployment, 'identity'),
  PROFILE_URL: urlOf(deployment, 'profile'),
  BILLING_URL: urlOf(deployment, 'billing'),
  CREDITS_URL: urlOf(deployment, 'credits'),
});

const CALLED = ['identity', 'profile', 'billing', 'credits'] as const;

/** The keys of the tokens for a service: it verifies with them, and its callers sign. */
const tokenKeys = ({ secrets }: Deployment, ...names: DatabaseOwner[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => `${name.toUpperCase()}_TOKEN_KEYS` as SecretName)
      .map((name) => [name, secrets[name]]),
  );

const database = ({ backing, secrets }: Deployment, owner: DatabaseOwner): Record<string, string> => ({
  DATABASE_URL: databaseUrl(backing.databaseAdminUrl, secrets, owner),
});

/** Whether payments go to the sandbox: with a key in the environment the same code calls Stripe itself. */
export const usesSandbox = (env: NodeJS.ProcessEnv): boolean => !env.STRIPE_SECRET_KEY;

/** Whether billing reads events from Stripe itself, because no webhook of Stripe's reaches this machine. */
export const pollsEvents = (env: NodeJS.ProcessEnv): boolean =>
  env.STRIPE_EVENTS ? env.STRIPE_EVENTS === 'poll' : !usesSandbox(env);

const webhookUrl = (deployment: Deployment): string => `${urlOf(deployment, 'billing')}/webhooks/stripe`;

const stripe = (deployment: Deployment): Record<string, string> => {
  const { env, secrets } = deployment;
  const events = { STRIPE_EVENTS: pollsEvents(env) ? 'poll' : 'webhook' };
  if (!usesSandbox(env)) {
    return {
      ...events,
      STRIPE_SECRET_KEY: env.STRIPE_SECRET_KEY ?? '',
      STRIPE_WEBHOOK_SECRETS:
        env.STRIPE_WEBHOOK_SECRETS || env.STRIPE_WEBHOOK_SECRET || secrets.STRIPE_WEBHOOK_SECRET,
    };
  }
  return {
    ...events,
    STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRETS: secrets.STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: urlOf(deployment, 'sandbox'),
    STRIPE_WEBHOOK_URL: webhookUrl(deployment),
  };
};

const mail = (deployment: Deployment): Record<string, string> => {
  const { env, secrets } = deployment;
  const from = { MAIL_FROM: env.MAIL_FROM || 'hello@shortlist.test' };
  if (env.SENDGRID_API_KEY) return { ...from, SENDGRID_API_KEY: env.SENDGRID_API_KEY };
  return {
    ...from,
    SENDGRID_API_KEY: secrets.SENDGRID_API_KEY,
    MAIL_API_BASE: urlOf(deployment, 'sandbox'),
  };
};

const sandbox = (deployment: Deployment): Record<string, string> => ({
  // The sandbox's own address for a browser, which serves the checkout page.
  PUBLIC_URL: `http://localhost:${deployment.ports.sandbox}`,
  WEBHOOK_URL: webhookUrl(deployment),
  WEBHOOK_SECRET: deployment.secrets.STRIPE_WEBHOOK_SECRET,
  STRIPE_SECRET_KEY: deployment.secrets.STRIPE_SECRET_KEY,
  MAIL_API_KEY: deployment.secrets.SENDGRID_API_KEY,
  SANDBOX_STATE_FILE: join(deployment.directory, 'sandbox.json'),
  CAPTURE_DELAY_SECONDS: deployment.env.CAPTURE_DELAY_SECONDS || '5',
});

/** The pages that admins open for a customer: those of the sandbox, or of the mode that the key at Stripe belongs to. */
const providerPages = ({ env, ports }: Deployment): string => {
  if (env.LINK_PROVIDER) return env.LINK_PROVIDER;
  if (usesSandbox(env)) return `http://localhost:${ports.sandbox}`;
  const isTest = env.STRIPE_SECRET_KEY?.startsWith('sk_live_') !== true;
  return `https://dashboard.stripe.com${isTest ? '/test' : ''}`;
};

const browserFacing = (deployment: Deployment): Record<string, string> => ({
  SESSIONS_REDIS_URL: deployment.backing.sessionsRedisUrl,
  XSRF_KEY: deployment.secrets.XSRF_KEY,
  // An admin of a local system logs in with a password alone, unless the environment says otherwise.
  ADMIN_TWO_STEP: deployment.env.ADMIN_TWO_STEP || 'optional',
  // Payments can be tried without a mail first.
  REQUIRE_VERIFIED_EMAIL: 'nothing',
  // Every client of a local system has the same address.
  LOGIN_LIMIT: '100000',
  SIGNUP_LIMIT: '100000',
  LINK_PROVIDER: providerPages(deployment),
  WEB_ROOT: join(deployment.root, 'web/dist'),
});

const settingsOf = (deployment: Deployment, name: ProcessName): Record<string, string> => {
  const { backing, secrets } = deployment;
  const urls = serviceUrls(deployment);
  switch (name) {
    case 'sandbox':
      return sandbox(deployment);
    case 'identity':
      return {
        ...database(deployment, name),
        ...tokenKeys(deployment, name),
        FACTOR_KEY: secrets.FACTOR_KEY,
      };
    case 'profile':
      return { ...database(deployment, name), ...tokenKeys(deployment, name) };
    case 'billing':
      return { ...database(deployment, name), ...tokenKeys(deployment, name), ...stripe(deployment) };
    case 'credits':
      return {
        ...database(deployment, name),
        ...tokenKeys(deployment, 'credits', 'billing'),
        BILLING_URL: urlOf(deployment, 'billing'),
      };
    case 'worker':
      return {
        ...database(deployment, name),
        ...mail(deployment),
        ...urls,
        ...tokenKeys(deployment, ...CALLED),
        QUEUE_REDIS_URL: backing.queueRedisUrl,
      };
    case 'bff':
      return { ...urls, ...tokenKeys(deployment, ...CALLED), ...browserFacing(deployment) };
  }
};

const NOT_INHERITED = new Set<string>([
  ...SECRET_NAMES,
  ...[
    'STRIPE_WEBHOOK_SECRETS',
    'DATABASE_ADMIN_URL',
    'SESSIONS_REDIS_URL',
    'QUEUE_REDIS_URL',
    'KAFKA_BROKERS',
  ],
]);

// Settings for tracing, proxies, certificates, BRAND and LINK_* reach every process; secrets reach their owner alone.
const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.has(name)));

// A small young generation keeps an idle process well under its 160 MB (measured: bff 146 down to 114). A limit of the
// old one makes V8 collect early instead of by the memory of the machine, and what it once took it does not return
// (measured: bff after 40 s at 2,000 requests/s 226 down to 138).
export const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=256'];

// Few arenas and a fixed threshold return the memory of a burst to the system (measured: a worker that starts without a
// compile cache 165 MB down to 135, with one 139 down to 127).
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

const common = ({ env, root, backing, publicUrl }: Deployment): Record<string, string> => ({
  NODE_ENV: 'production',
  HOST,
  ...ALLOCATOR,
  LOG_LEVEL: env.LOG_LEVEL || 'info',
  ROLES: env.ROLES || 'http,consumers,relay',
  KAFKA_BROKERS: backing.kafkaBrokers,
  PUBLIC_URL: publicUrl,
  NODE_COMPILE_CACHE: join(root, '.local/compile-cache'),
  NODE_OPTIONS: [env.NODE_OPTIONS, ...NODE_FLAGS].filter(Boolean).join(' '),
});

/** Returns each process with its program and its complete environment, in the order of `PROCESS_NAMES`. */
export const planProcesses = (deployment: Deployment): ProcessPlan[] =>
  PROCESS_NAMES.map((name) => ({
    name,
    script: join(deployment.root, WORKSPACES[name], 'src/main.ts'),
    port: deployment.ports[name],
    operatorPort: deployment.operatorPorts[name],
    env: {
      ...inherited(deployment.env),
      ...common(deployment),
      ...settingsOf(deployment, name),
      PORT: String(deployment.ports[name]),
      OPS_PORT: String(deployment.operatorPorts[name]),
    },
  }));
