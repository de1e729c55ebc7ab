import { join } from 'node:path';
import type { Backing } from '../backing/backing.ts';
import { LOCAL_DIRECTORY, REPOSITORY } from '../host/config.ts';
import { eventPublicKey, SECRET_NAMES, type Secrets } from '../host/secrets.ts';
import { databaseUrl, type ServiceName, SERVICES } from './databases.ts';
import { BACKING_OFFSET, portsFromBase, PROCESS_NAMES, type ProcessName, type SystemPorts } from './ports.ts';

export type ProcessPlan = {
  name: ProcessName;
  script: string;
  /** Of health and metrics. */
  operatorPort: number;
  env: NodeJS.ProcessEnv;
};

type Addresses = Pick<Backing, 'databaseAdminUrl' | 'sessionsRedisUrl' | 'queueRedisUrl' | 'kafkaBrokers'>;

export type Deployment = SystemPorts & {
  root: string;
  /** The folder of logs and data. */
  directory: string;
  publicUrl: string;
  secrets: Secrets;
  backing: Addresses;
  /** The environment of this process. */
  env: NodeJS.ProcessEnv;
};

/** Returns what `make start` runs from this folder with this first port; the address of the database lacks the password. */
export const deploymentAt = (base: number, secrets: Secrets, env: NodeJS.ProcessEnv): Deployment => {
  const first = base + BACKING_OFFSET;
  return {
    ...portsFromBase(base),
    root: REPOSITORY,
    directory: LOCAL_DIRECTORY,
    publicUrl: env.PUBLIC_URL || `http://localhost:${base}`,
    secrets,
    backing: {
      databaseAdminUrl: env.DATABASE_ADMIN_URL || `mysql://127.0.0.1:${first}`,
      sessionsRedisUrl: env.SESSIONS_REDIS_URL || `redis://127.0.0.1:${first + 1}`,
      queueRedisUrl: env.QUEUE_REDIS_URL || `redis://127.0.0.1:${first + 2}`,
      kafkaBrokers: env.KAFKA_BROKERS || `127.0.0.1:${first + 3}`,
    },
    env,
  };
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

/** The keys of the tokens for a service: it verifies with them, and its callers sign. */
const tokenKeys = ({ secrets }: Deployment, ...names: ServiceName[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => `${name.toUpperCase() as Uppercase<ServiceName>}_TOKEN_KEYS` as const)
      .map((name) => [name, secrets[name]]),
  );

const service = (deployment: Deployment, name: ServiceName): Record<string, string> => ({
  DATABASE_URL: databaseUrl(deployment.backing.databaseAdminUrl, deployment.secrets, name),
  ...tokenKeys(deployment, name),
});

/** Whether payments go to the sandbox: with a key in the environment the same code calls Stripe itself. */
export const usesSandbox = (env: NodeJS.ProcessEnv): boolean => !env.STRIPE_SECRET_KEY;

/** Whether billing reads events from Stripe itself, because no webhook of Stripe's reaches this machine. */
export const pollsEvents = (env: NodeJS.ProcessEnv): boolean =>
  env.STRIPE_EVENTS ? env.STRIPE_EVENTS === 'poll' : !usesSandbox(env);

const webhookUrl = (deployment: Deployment): string => `${urlOf(deployment, 'billing')}/webhooks/stripe`;

const stripe = (deployment: Deployment): Record<string, string> => {
  const { env, secrets } = deployment;
  const STRIPE_EVENTS = pollsEvents(env) ? 'poll' : 'webhook';
  if (env.STRIPE_SECRET_KEY) {
    const STRIPE_WEBHOOK_SECRETS =
      env.STRIPE_WEBHOOK_SECRETS || env.STRIPE_WEBHOOK_SECRET || secrets.STRIPE_WEBHOOK_SECRET;
    return { STRIPE_EVENTS, STRIPE_SECRET_KEY: env.STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS };
  }
  return {
    STRIPE_EVENTS,
    STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRETS: secrets.STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: urlOf(deployment, 'sandbox'),
    STRIPE_WEBHOOK_URL: webhookUrl(deployment),
  };
};

const mail = (deployment: Deployment): Record<string, string> => {
  const { env, secrets } = deployment;
  const MAIL_FROM = env.MAIL_FROM || 'hello@shortlist.test';
  if (env.SENDGRID_API_KEY) return { MAIL_FROM, SENDGRID_API_KEY: env.SENDGRID_API_KEY };
  const { SENDGRID_API_KEY } = secrets;
  return {
    MAIL_FROM,
    SENDGRID_API_KEY,
    MAIL_API_BASE: urlOf(deployment, 'sandbox'),
    SENDGRID_WEBHOOK_PUBLIC_KEY: eventPublicKey(secrets),
  };
};

/** A local system also sends webhooks to this machine, where a developer tries a receiver. */
const webhookTargets = ({ env }: Deployment): Record<string, string> => ({
  WEBHOOK_TARGETS: env.WEBHOOK_TARGETS || 'any',
});

const sandbox = (deployment: Deployment): Record<string, string> => ({
  // The sandbox's own address for a browser, which serves the checkout page.
  PUBLIC_URL: `http://localhost:${deployment.ports.sandbox}`,
  WEBHOOK_URL: webhookUrl(deployment),
  WEBHOOK_SECRET: deployment.secrets.STRIPE_WEBHOOK_SECRET,
  STRIPE_SECRET_KEY: deployment.secrets.STRIPE_SECRET_KEY,
  MAIL_API_KEY: deployment.secrets.SENDGRID_API_KEY,
  MAIL_EVENTS_URL: `${urlOf(deployment, 'worker')}/webhooks/sendgrid`,
  MAIL_EVENTS_KEY: deployment.secrets.SENDGRID_WEBHOOK_PRIVATE_KEY,
  SANDBOX_STATE_FILE: join(deployment.directory, 'sandbox.json'),
  CAPTURE_DELAY_SECONDS: deployment.env.CAPTURE_DELAY_SECONDS || '5',
});

/** The pages that admins open for a customer: those of the sandbox, or of the mode that the key at Stripe belongs to. */
const providerPages = ({ env, ports }: Deployment): string => {
  if (env.LINK_PROVIDER) return env.LINK_PROVIDER;
  if (usesSandbox(env)) return `http://localhost:${ports.sandbox}`;
  return `https://dashboard.stripe.com${env.STRIPE_SECRET_KEY?.startsWith('sk_live_') ? '' : '/test'}`;
};

const browserFacing = (deployment: Deployment): Record<string, string> => ({
  SESSIONS_REDIS_URL: deployment.backing.sessionsRedisUrl,
  XSRF_KEY: deployment.secrets.XSRF_KEY,
  // An admin of a local system logs in with a password alone, unless the environment says otherwise.
  ADMIN_TWO_STEP: deployment.env.ADMIN_TWO_STEP || 'optional',
  // Payments can be tried without a mail first.
  REQUIRE_VERIFIED_EMAIL: 'nothing',
  LINK_PROVIDER: providerPages(deployment),
  WEB_ROOT: join(deployment.root, 'web/dist'),
});

const settingsOf = (deployment: Deployment, name: ProcessName): Record<string, string> => {
  const { backing, secrets } = deployment;
  switch (name) {
    case 'sandbox':
      return sandbox(deployment);
    case 'identity':
      return { ...service(deployment, name), ...webhookTargets(deployment), FACTOR_KEY: secrets.FACTOR_KEY };
    case 'profile':
      return service(deployment, name);
    case 'billing':
      return {
        ...service(deployment, name),
        ...stripe(deployment),
        QUEUE_REDIS_URL: backing.queueRedisUrl,
        TRIAL_KEY: secrets.TRIAL_KEY,
      };
    case 'credits':
      return { ...service(deployment, name), ...tokenKeys(deployment, 'billing') };
    case 'worker':
      return {
        ...service(deployment, name),
        ...tokenKeys(deployment, ...SERVICES),
        ...mail(deployment),
        ...webhookTargets(deployment),
        QUEUE_REDIS_URL: backing.queueRedisUrl,
      };
    case 'bff':
      return { ...tokenKeys(deployment, ...SERVICES), ...browserFacing(deployment) };
  }
};

const NOT_INHERITED = new Set<string>([
  ...SECRET_NAMES,
  'STRIPE_WEBHOOK_SECRETS',
  'DATABASE_ADMIN_URL',
  'SESSIONS_REDIS_URL',
  'QUEUE_REDIS_URL',
  'KAFKA_BROKERS',
]);

// Settings for tracing, proxies, certificates, BRAND and LINK_* reach every process; secrets reach their owner alone.
const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.has(name)));

// A small young generation keeps an idle process well under its 160 MB (measured: bff 146 down to 114; with two megabytes instead
// of four, worker 157 down to 150). A limit of the old one makes V8 collect early instead of by the memory of the machine, and what
// it once took it does not return (measured: bff after 40 s at 2,000 requests/s 226 down to 138).
// One background thread instead of four: for the compiler and the garbage collector of one process, and not the cores that
// answer requests (measured on two cores: p99 of the API at 500 requests/s 76 to 166 ms down to 18 to 83).
// kafkajs computes negative times, of which Node would warn between the lines of the log.
export const NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--max-old-space-size=256',
  '--v8-pool-size=1',
  '--disable-warning=TimeoutNegativeWarning',
];

const common = (deployment: Deployment): Record<string, string> => {
  const { env, root, backing, publicUrl } = deployment;
  const urls = SERVICES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(deployment, name)] as const);
  return {
    ...Object.fromEntries(urls),
    NODE_ENV: 'production',
    HOST,
    // Few arenas and a fixed threshold return the memory of a burst to the system (measured: a worker that starts without a
    // compile cache 165 MB down to 135, with one 139 down to 127).
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    KAFKA_BROKERS: backing.kafkaBrokers,
    PUBLIC_URL: publicUrl,
    NODE_COMPILE_CACHE: join(root, '.local/compile-cache'),
    NODE_OPTIONS: [env.NODE_OPTIONS, ...NODE_FLAGS].filter(Boolean).join(' '),
  };
};

/** Returns a process with its program and its complete environment. */
export const planProcess = (deployment: Deployment, name: ProcessName): ProcessPlan => ({
  name,
  script: join(deployment.root, WORKSPACES[name], 'src/main.ts'),
  operatorPort: deployment.operatorPorts[name],
  env: {
    ...inherited(deployment.env),
    ...common(deployment),
    ...settingsOf(deployment, name),
    PORT: String(deployment.ports[name]),
    OPS_PORT: String(deployment.operatorPorts[name]),
  },
});

/** What `verify` compares. `sandboxUrl` is null when payments and mails go to the providers themselves. */
type Verified = {
  backing: Pick<Addresses, 'databaseAdminUrl' | 'kafkaBrokers' | 'sessionsRedisUrl'>;
  secrets: Secrets;
  stripeSecretKey: string;
  sandboxUrl: string | null;
  /** Undefined where only the cluster reaches the services. */
  urls: { billing: string; worker: string } | undefined;
};

/** Returns the variables of `verify`. */
export const verifyEnvironment = (verified: Verified): Record<string, string> => {
  const { backing, secrets, stripeSecretKey, sandboxUrl, urls } = verified;
  const databases = SERVICES.map((name) => [
    `${name.toUpperCase()}_DATABASE_URL`,
    databaseUrl(backing.databaseAdminUrl, secrets, name),
  ]);
  return {
    ...(Object.fromEntries(databases) as Record<string, string>),
    KAFKA_BROKERS: backing.kafkaBrokers,
    SESSIONS_REDIS_URL: backing.sessionsRedisUrl,
    STRIPE_SECRET_KEY: stripeSecretKey,
    ...(urls && {
      BILLING_URL: urls.billing,
      BILLING_TOKEN_KEYS: secrets.BILLING_TOKEN_KEYS,
      WORKER_URL: urls.worker,
      WORKER_TOKEN_KEYS: secrets.WORKER_TOKEN_KEYS,
    }),
    ...(sandboxUrl && { STRIPE_API_BASE: sandboxUrl, SANDBOX_URL: sandboxUrl }),
  };
};
