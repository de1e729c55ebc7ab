// The Kubernetes Secrets of the chart: one for each image, with the keys that deploy/k8s/processes.yaml lists.
import type { Secrets } from '@shortlist/local/host/secrets';
import { apply } from './commands.ts';
import type { Target } from './target.ts';

type Values = Record<string, string>;

const DATABASES = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;
const TOKEN_KEYS = [
  'IDENTITY_TOKEN_KEYS',
  'PROFILE_TOKEN_KEYS',
  'BILLING_TOKEN_KEYS',
  'CREDITS_TOKEN_KEYS',
] as const;

const pick = (secrets: Secrets, ...names: (keyof Secrets)[]): Values =>
  Object.fromEntries(names.map((name) => [name, secrets[name]]));

const databaseUrl = (secrets: Secrets, name: (typeof DATABASES)[number]): Values => ({
  DATABASE_URL: `mysql://${name}:${secrets[`${name.toUpperCase() as Uppercase<typeof name>}_DB_PASSWORD`]}@mariadb:3306/${name}`,
});

const valuesOf = (secrets: Secrets): Record<string, Values> => ({
  bff: { ...pick(secrets, ...TOKEN_KEYS, 'XSRF_KEY'), SESSIONS_REDIS_URL: 'redis://redis-sessions:6379' },
  identity: { ...databaseUrl(secrets, 'identity'), ...pick(secrets, 'IDENTITY_TOKEN_KEYS', 'FACTOR_KEY') },
  profile: { ...databaseUrl(secrets, 'profile'), ...pick(secrets, 'PROFILE_TOKEN_KEYS') },
  billing: {
    ...{ ...databaseUrl(secrets, 'billing'), ...pick(secrets, 'BILLING_TOKEN_KEYS', 'STRIPE_SECRET_KEY') },
    STRIPE_WEBHOOK_SECRETS: secrets.STRIPE_WEBHOOK_SECRET,
  },
  credits: {
    ...databaseUrl(secrets, 'credits'),
    ...pick(secrets, 'CREDITS_TOKEN_KEYS', 'BILLING_TOKEN_KEYS'),
  },
  worker: {
    ...{ ...databaseUrl(secrets, 'worker'), ...pick(secrets, ...TOKEN_KEYS, 'SENDGRID_API_KEY') },
    QUEUE_REDIS_URL: 'redis://redis-queue:6379',
  },
  'first-admin': pick(secrets, 'ADMIN_EMAIL', 'ADMIN_PASSWORD'),
});

const secretOf = (name: string, values: Values): object => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
  stringData: values,
});

/** Creates the Secrets, or replaces their values. */
export const applySecrets = async ({ secrets }: Pick<Target, 'secrets'>): Promise<void> => {
  const backing = pick(
    secrets,
    'DB_ROOT_PASSWORD',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SENDGRID_API_KEY',
  );
  const passwords = Object.fromEntries(
    Object.entries(secrets).filter(([name]) => /^(?!DB_ROOT).*_DB_PASSWORD$/.test(name)),
  );
  const items = [
    secretOf('backing', { ...backing, ...passwords }),
    ...Object.entries(valuesOf(secrets)).map(([name, values]) => secretOf(`shortlist-${name}`, values)),
  ];
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
};

/** The Secrets of the migration jobs; `break` names an image whose password is wrong. */
export const applyMigrationSecrets = async (
  { secrets }: Pick<Target, 'secrets'>,
  broken: (typeof DATABASES)[number] | null,
): Promise<void> => {
  const items = DATABASES.map((name) =>
    secretOf(
      `shortlist-${name}-migration`,
      name === broken
        ? { DATABASE_URL: `mysql://${name}:wrong@mariadb:3306/${name}` }
        : databaseUrl(secrets, name),
    ),
  );
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
};

/** The token keys of each service during a rotation: with a new one last, then first, then alone. */
export const rotations = (secrets: Secrets, added: string): Secrets[] =>
  (
    [(old) => `${old},2:${added}`, (old) => `2:${added},${old}`, () => `2:${added}`] satisfies ((
      old: string,
    ) => string)[]
  ).map((change) => ({
    ...secrets,
    ...Object.fromEntries(TOKEN_KEYS.map((name) => [name, change(secrets[name])])),
  }));
