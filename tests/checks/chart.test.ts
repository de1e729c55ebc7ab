import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readBff } from '@shortlist/bff/config';
import { readConfig as readBilling } from '@shortlist/billing/config';
import { readConfig as readCredits } from '@shortlist/credits/config';
import { readAdminConfig, readConfig as readIdentity } from '@shortlist/identity/config';
import { portsFromBase, type ProcessName } from '@shortlist/local/system/ports';
import { readConfig as readProfile } from '@shortlist/profile/config';
import { readConfig as readWorker } from '@shortlist/worker/config';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

type Environment = Record<string, string>;
type Workload = {
  image: keyof typeof CONFIGS;
  port: number;
  roles?: string;
  service?: boolean;
  callers?: string[];
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
const { ports } = portsFromBase(5000);
const workloads = parse(read('processes.yaml')) as Record<string, Workload>;
type Values = {
  settings: Environment;
  databaseConnections: number;
  workloads: Record<
    string,
    { replicas?: number; databasePool?: number; resources?: { requests: { cpu: string } } }
  >;
};
const values = parse(read('values.yaml')) as Values;
const { settings } = values;
const entries = Object.entries(workloads);

/** Valid values of the variables that an operator must set. */
const SECRETS: Environment = {
  DATABASE_URL: 'mysql://one:password@database/one',
  SESSIONS_REDIS_URL: 'redis://sessions:6379',
  QUEUE_REDIS_URL: 'redis://queue:6379',
};
const REQUIRED: Environment = {
  PUBLIC_URL: 'https://people.test',
  KAFKA_BROKERS: 'kafka:9092',
  MAIL_FROM: 'hello@people.test',
};
const KEY = 'k'.repeat(32);
const valueOf = (name: string): string =>
  SECRETS[name] ?? (name.endsWith('_TOKEN_KEYS') ? `one:${KEY}` : KEY);

const fixed = [...read('templates/settings.yaml').matchAll(/^ {2}([A-Z_]+): (.+)$/gm)].map(
  ([, name = '', value = '']) => [name, value.replaceAll('{{ $release }}', 'one')] as const,
);
const environmentOf = ({ port, roles, secrets }: Workload): Environment => ({
  ...settings,
  ...REQUIRED,
  ...Object.fromEntries(fixed),
  PORT: String(port),
  ...(roles === undefined ? {} : { ROLES: roles }),
  ...Object.fromEntries(secrets.map((name) => [name, valueOf(name)])),
});

describe('the Helm chart', () => {
  it('has every process except the sandbox', () => {
    const images = new Set(entries.map(([, { image }]) => image));
    expect([...images, 'sandbox'].toSorted()).toEqual(Object.keys(ports).toSorted());
  });

  it.each(entries)('gives %s every variable that it reads, and its own port', (_, workload) => {
    expect(CONFIGS[workload.image](environmentOf(workload)).PORT).toBe(ports[workload.image as ProcessName]);
  });

  it.each(entries)('gives %s only secrets that it requires', (_, workload) => {
    for (const name of workload.secrets) {
      const { [name]: _removed, ...without } = environmentOf(workload);
      expect(() => CONFIGS[workload.image](without)).toThrow(`missing ${name}`);
    }
  });

  it('gives the addresses of the services', () => {
    const urls = fixed.filter(([name]) => name.endsWith('_URL'));
    expect(urls.map(([, value]) => value).toSorted()).toEqual(
      entries
        .filter(([name, { service }]) => service && name !== 'bff')
        .map(([name, { port }]) => `http://one-${name}:${port}`)
        .toSorted(),
    );
  });

  it('runs all roles of each service, HTTP apart from relay and consumers', () => {
    for (const image of ['identity', 'profile', 'billing', 'credits'] as const) {
      const roles = [workloads[image]?.roles, workloads[`${image}-events`]?.roles];
      expect(roles).toEqual(['http', image === 'identity' ? 'relay' : 'consumers,relay']);
    }
  });

  it('allows calls from exactly the workloads that read the address', () => {
    const names = Object.keys(workloads);
    for (const [name, { callers = [] }] of entries) {
      expect(callers.filter((caller) => !names.includes(caller))).toEqual([]);
      const readers = entries.filter(([, workload]) => {
        const { [`${name.toUpperCase()}_URL`]: _removed, ...without } = environmentOf(workload);
        try {
          CONFIGS[workload.image](without);
          return false;
        } catch {
          return true;
        }
      });
      expect(callers.toSorted()).toEqual(readers.map(([reader]) => reader).toSorted());
    }
  });

  it('gives the job of the first admin every variable that it reads', () => {
    const keys = [...read('templates/first-admin.yaml').matchAll(/"([A-Z_]{5,})"/g)].map(
      ([, key = '']) => key,
    );
    const env = Object.fromEntries(keys.map((key) => [key, SECRETS[key] ?? KEY]));
    expect(readAdminConfig(env)).toMatchObject({ DATABASE_URL: SECRETS.DATABASE_URL, ADMIN_EMAIL: KEY });
  });

  it('has a schema of its values that knows each of them and every workload', () => {
    type Schema = { properties?: Record<string, Schema>; additionalProperties?: unknown };
    const schema = JSON.parse(read('values.schema.json')) as Schema;
    expect(schema.additionalProperties).toBe(false);
    const known = Object.keys(schema.properties ?? {}).filter((name) => name !== 'global');
    expect(known.toSorted()).toEqual(Object.keys(values).toSorted());
    expect(Object.keys(schema.properties?.['workloads']?.properties ?? {}).toSorted()).toEqual(
      ['default', ...Object.keys(workloads)].toSorted(),
    );
  });

  /** A value of each workload, as the chart finds it. */
  const ofWorkloads = <T>(select: (workload: Values['workloads'][string]) => T | undefined): [string, T][] =>
    Object.keys(workloads).map((name) => {
      const value = select(values.workloads[name] ?? {}) ?? select(values.workloads['default'] ?? {});
      if (value === undefined) throw new Error(`${name} has no value`);
      return [name, value];
    });

  it('opens no more database connections than MariaDB and MySQL take by default, with one more pod of each', () => {
    const replicas = new Map(ofWorkloads(({ replicas: count }) => count));
    const pools = ofWorkloads(({ databasePool }) => databasePool).filter(([name]) =>
      workloads[name]?.secrets.includes('DATABASE_URL'),
    );
    const sum = pools.reduce((total, [name, pool]) => total + ((replicas.get(name) ?? 0) + 1) * pool, 0);
    expect(sum).toBeGreaterThan(50);
    expect(sum).toBeLessThanOrEqual(values.databaseConnections);
  });

  it('requests less than two processors', () => {
    const replicas = new Map(ofWorkloads(({ replicas: count }) => count));
    const requests = ofWorkloads(({ resources }) => resources?.requests.cpu);
    const milli = requests.map(([name, cpu]) => Number(cpu.replace('m', '')) * (replicas.get(name) ?? 0));
    expect(milli.reduce((total, value) => total + value, 0)).toBeLessThan(2_000);
  });
});
