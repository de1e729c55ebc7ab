import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readBff } from '@shortlist/bff/config';
import { readConfig as readBilling } from '@shortlist/billing/config';
import { readConfig as readCredits } from '@shortlist/credits/config';
import { readAdminConfig, readConfig as readIdentity } from '@shortlist/identity/config';
import { portsFromBase, type ProcessName } from '@shortlist/local/processes';
import { readConfig as readProfile } from '@shortlist/profile/config';
import { readConfig as readWorker } from '@shortlist/worker/config';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

type Environment = Record<string, string>;
type Workload = {
  image: keyof typeof CONFIGS;
  port: number;
  roles?: string;
  answers?: boolean;
  askedBy?: string[];
  secrets: string[];
};

const CHART = join(import.meta.dirname, '../../deploy/k8s');
const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');

const CONFIGS = {
  bff: readBff,
  identity: readIdentity,
  profile: readProfile,
  billing: readBilling,
  credits: readCredits,
  worker: readWorker,
};
const ports = portsFromBase(5000);
const workloads = parse(read('processes.yaml')) as Record<string, Workload>;
const { settings } = parse(read('values.yaml')) as { settings: Environment };
const cells = Object.entries(workloads);

/** What an operator has to give, in a form that passes. */
const SECRETS: Environment = {
  DATABASE_URL: 'mysql://one:word@database/one',
  SESSIONS_REDIS_URL: 'redis://sessions:6379',
  QUEUE_REDIS_URL: 'redis://queue:6379',
};
const REQUIRED: Environment = {
  PUBLIC_URL: 'https://people.test',
  KAFKA_BROKERS: 'kafka:9092',
  MAIL_FROM: 'hello@people.test',
};
const KEY = 'k'.repeat(32);

const fixed = [...read('templates/settings.yaml').matchAll(/^ {2}([A-Z_]+): (.+)$/gm)].map(
  ([, name = '', value = '']) => [name, value.replaceAll('{{ $release }}', 'one')] as const,
);
const environmentOf = ({ port, roles, secrets }: Workload): Environment => ({
  ...settings,
  ...REQUIRED,
  ...Object.fromEntries(fixed),
  PORT: String(port),
  ...(roles === undefined ? {} : { ROLES: roles }),
  ...Object.fromEntries(secrets.map((name) => [name, SECRETS[name] ?? KEY])),
});

describe('the chart', () => {
  it('has every process but the stand-in for the outside companies', () => {
    const images = new Set(cells.map(([, { image }]) => image));
    expect([...images, 'sandbox'].toSorted()).toEqual(Object.keys(ports).toSorted());
  });

  it.each(cells)('gives %s all that it reads, on its own port', (_, workload) => {
    expect(CONFIGS[workload.image](environmentOf(workload)).PORT).toBe(ports[workload.image as ProcessName]);
  });

  it.each(cells)('gives %s no secret that it does not need', (_, workload) => {
    for (const name of workload.secrets) {
      const { [name]: _left, ...without } = environmentOf(workload);
      expect(() => CONFIGS[workload.image](without)).toThrow(`missing ${name}`);
    }
  });

  it('addresses the services where they are', () => {
    const urls = fixed.filter(([name]) => name.endsWith('_URL'));
    expect(urls.map(([, value]) => value).toSorted()).toEqual(
      cells
        .filter(([name, { answers }]) => answers && name !== 'bff')
        .map(([name, { port }]) => `http://one-${name}:${port}`)
        .toSorted(),
    );
  });

  it('runs all roles of each service, and doors apart from facts', () => {
    for (const image of ['identity', 'profile', 'billing', 'credits'] as const) {
      const [router, events] = [workloads[image]?.roles, workloads[`${image}-facts`]?.roles];
      expect([router, events]).toEqual(['http', image === 'identity' ? 'relay' : 'consumers,relay']);
    }
  });

  it('lets ask whom only workloads that there are, and whoever reads their address', () => {
    const names = Object.keys(workloads);
    for (const [name, { askedBy = [] }] of cells) {
      expect(askedBy.filter((asker) => !names.includes(asker))).toEqual([]);
      const reads = cells.filter(([, workload]) => {
        const { [`${name.toUpperCase()}_URL`]: _left, ...without } = environmentOf(workload);
        try {
          CONFIGS[workload.image](without);
          return false;
        } catch {
          return true;
        }
      });
      expect(askedBy.toSorted()).toEqual(reads.map(([asker]) => asker).toSorted());
    }
  });

  it('gives the job that makes the first admin what it reads', () => {
    const keys = [...read('templates/first-admin.yaml').matchAll(/"([A-Z_]{5,})"/g)].map(
      ([, key = '']) => key,
    );
    const given = Object.fromEntries(keys.map((key) => [key, SECRETS[key] ?? KEY]));
    expect(readAdminConfig(given)).toMatchObject({ DATABASE_URL: SECRETS.DATABASE_URL, ADMIN_EMAIL: KEY });
  });
});
