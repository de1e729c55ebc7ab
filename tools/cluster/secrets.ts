// The Kubernetes Secrets of the chart: one for each image, with the keys that deploy/k8s/processes.yaml lists.
import type { Secrets } from '@shortlist/local/host/secrets';
import { apply } from './kubernetes.ts';

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

const passwordName = (database: (typeof DATABASES)[number]) =>
  `${database.toUpperCase() as Uppercase<typeof database>}_DB_PASSWORD` as const;

const databaseUrl = (name: (typeof DATABASES)[number], password: string): Values => ({
  DATABASE_URL: `mysql://${name}:${password}@mariadb:3306/${name}`,
});

const applyAll = (secrets: Record<string, Values>): Promise<string> => {
  const items = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    stringData,
  }));
  return apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
};

/** Creates the Secrets, or replaces their values. */
export const applySecrets = (secrets: Secrets): Promise<string> => {
  const of = (...names: (keyof Secrets)[]): Values => pick(secrets, ...names);
  const database = (name: (typeof DATABASES)[number]): Values =>
    databaseUrl(name, secrets[passwordName(name)]);
  const { STRIPE_WEBHOOK_SECRET } = secrets;
  return applyAll({
    backing: of(
      ...(['DB_ROOT_PASSWORD', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SENDGRID_API_KEY'] as const),
      ...DATABASES.map(passwordName),
    ),
    'shortlist-bff': { ...of(...TOKEN_KEYS, 'XSRF_KEY'), SESSIONS_REDIS_URL: 'redis://redis-sessions:6379' },
    'shortlist-identity': { ...database('identity'), ...of('IDENTITY_TOKEN_KEYS', 'FACTOR_KEY') },
    'shortlist-profile': { ...database('profile'), ...of('PROFILE_TOKEN_KEYS') },
    'shortlist-billing': {
      ...database('billing'),
      ...of('BILLING_TOKEN_KEYS', 'STRIPE_SECRET_KEY'),
      STRIPE_WEBHOOK_SECRETS: STRIPE_WEBHOOK_SECRET,
    },
    'shortlist-credits': { ...database('credits'), ...of('CREDITS_TOKEN_KEYS', 'BILLING_TOKEN_KEYS') },
    'shortlist-worker': {
      ...database('worker'),
      ...of(...TOKEN_KEYS, 'SENDGRID_API_KEY'),
      QUEUE_REDIS_URL: 'redis://redis-queue:6379',
    },
    'shortlist-first-admin': of('ADMIN_EMAIL', 'ADMIN_PASSWORD'),
  });
};

/** The Secrets of the migration jobs, which give the accounts of the processes their rights; that of `broken` has a wrong password. */
export const applyMigrationSecrets = (
  { DB_ROOT_PASSWORD: password }: Secrets,
  broken?: (typeof DATABASES)[number],
): Promise<string> =>
  applyAll(
    Object.fromEntries(
      DATABASES.map((name) => [
        `shortlist-${name}-migration`,
        {
          DATABASE_URL: `mysql://root:${name === broken ? 'wrong' : password}@mariadb:3306/${name}`,
          RUNTIME_ACCOUNT: name,
        },
      ]),
    ),
  );

/** The token keys of each service during a rotation: with a new one last, then first, then alone. */
export const rotations = (secrets: Secrets, added: string): Secrets[] => {
  const steps = [
    (old: string) => `${old},2:${added}`,
    (old: string) => `2:${added},${old}`,
    () => `2:${added}`,
  ];
  return steps.map((change) => ({
    ...secrets,
    ...Object.fromEntries(TOKEN_KEYS.map((name) => [name, change(secrets[name])])),
  }));
};
