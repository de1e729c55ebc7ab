// The Kubernetes Secrets of the chart: one for each image, with the keys that deploy/k8s/processes.yaml lists.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@shortlist/local/host/config';
import type { Secrets } from '@shortlist/local/host/secrets';
import { databaseUrl, type ServiceName, SERVICES } from '@shortlist/local/system/databases';
import { parse } from 'yaml';
import { apply, run } from './kubernetes.ts';

type Values = Record<string, string>;

const DATABASE_SERVER = 'mysql://mariadb:3306';

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
export const applySecrets = async (secrets: Secrets): Promise<void> => {
  const addresses = {
    SESSIONS_REDIS_URL: 'redis://redis-sessions:6379',
    QUEUE_REDIS_URL: 'redis://redis-queue:6379',
    STRIPE_WEBHOOK_SECRETS: secrets.STRIPE_WEBHOOK_SECRET,
  };
  const urls = new Map<string, string>(
    SERVICES.map((name) => [name, databaseUrl(DATABASE_SERVER, secrets, name)]),
  );
  const processes = await readFile(join(REPOSITORY, 'deploy/k8s/processes.yaml'), 'utf8');
  type Workload = { image: string; secrets: string[]; optionalSecrets?: string[] };
  const workloads = Object.values(parse(processes) as Record<string, Workload>);
  const ofImages = workloads.map(({ image, secrets: required, optionalSecrets = [] }): [string, Values] => {
    const names = [...required, ...optionalSecrets];
    const known: Values = { ...secrets, ...addresses, DATABASE_URL: urls.get(image) ?? '' };
    return [`shortlist-${image}`, Object.fromEntries(names.map((name) => [name, known[name] ?? '']))];
  });
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = secrets;
  await applyAll({
    backing: { ...secrets },
    ...Object.fromEntries(ofImages),
    'shortlist-first-admin': { ADMIN_EMAIL, ADMIN_PASSWORD },
  });
};

/** The Secrets of the migration jobs, which give the accounts of the processes their rights; that of `broken` has a wrong password. */
export const applyMigrationSecrets = (
  { DB_ROOT_PASSWORD: password }: Secrets,
  broken?: ServiceName,
): Promise<string> =>
  applyAll(
    Object.fromEntries(
      SERVICES.map((name) => [
        `shortlist-${name}-migration`,
        {
          DATABASE_URL: `mysql://root:${name === broken ? 'wrong' : password}@mariadb:3306/${name}`,
          RUNTIME_ACCOUNT: name,
        },
      ]),
    ),
  );

/** The Secrets of the jobs that make backups and try them. The jobs read the databases as root. */
export const applyBackupSecrets = async ({ DB_ROOT_PASSWORD: password }: Secrets): Promise<void> => {
  const key = await run('age-keygen', []);
  const recipients = await run('age-keygen', ['-y'], { input: key });
  await applyAll({
    'shortlist-backup': {
      BACKUP_STORE: '/backups',
      BACKUP_RECIPIENTS: recipients.trim(),
      BACKUP_DATABASE_URL: `mysql://root:${password}@mariadb:3306/`,
    },
    'shortlist-backup-verify': { RESTORE_PASSWORD: password, 'key.txt': key },
  });
};

/** The token keys of each service during a rotation: with a new one last, then first, then alone. */
export const rotations = (secrets: Secrets, added: string): Secrets[] => {
  const steps = [
    (old: string) => `${old},2:${added}`,
    (old: string) => `2:${added},${old}`,
    () => `2:${added}`,
  ];
  const isTokenKeys = (name: string): boolean => name.endsWith('_TOKEN_KEYS');
  return steps.map((change) => {
    const entries = Object.entries(secrets);
    const changed = entries.map(([name, value]) => [name, isTokenKeys(name) ? change(value) : value]);
    return Object.fromEntries(changed) as Secrets; // the same names
  });
};
