import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readBff } from '@shortlist/bff/config';
import { readConfig as readBilling } from '@shortlist/billing/config';
import { readConfig as readCredits } from '@shortlist/credits/config';
import { readAdminConfig, readConfig as readIdentity } from '@shortlist/identity/config';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { readConfig as readProfile } from '@shortlist/profile/config';
import { readConfig as readWorker } from '@shortlist/worker/config';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { containersOf, environmentOf, KEY, renderChart, secretOf } from './rendered-chart.ts';

type Workload = { image: string; roles?: string; callers?: string[]; secrets: string[] };
type Environment = Record<string, string>;

const CHART = join(import.meta.dirname, '../../deploy/k8s');
const READERS: Record<string, (env: Environment) => unknown> = {
  bff: readBff,
  identity: readIdentity,
  profile: readProfile,
  billing: readBilling,
  credits: readCredits,
  worker: readWorker,
};

const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');
const workloads = parse(read('processes.yaml')) as Record<string, Workload>;
const entries = Object.entries(workloads);

describe('the Helm chart', () => {
  const environments = new Map<string, Environment>();
  beforeAll(async () => {
    const resources = await renderChart();
    for (const container of containersOf(resources))
      environments.set(container.name, environmentOf(container, resources));
  });

  /** Whether a workload starts without one of its variables. */
  const startsWithout = (workload: string, variable: string): boolean => {
    const { [variable]: _removed, ...env } = environments.get(workload) ?? {};
    try {
      READERS[workloads[workload]?.image ?? '']?.(env);
      return true;
    } catch {
      return false;
    }
  };

  it('has every process except the sandbox', () => {
    const images = new Set(entries.map(([, { image }]) => image));
    expect([...images, 'sandbox'].toSorted()).toEqual([...PROCESS_NAMES].toSorted());
    expect([...environments.keys()].toSorted()).toEqual(Object.keys(workloads).toSorted());
  });

  it.each(entries)('gives %s only secrets that it requires', (name, { secrets }) => {
    expect(startsWithout(name, 'none')).toBe(true);
    expect(secrets.filter((secret) => startsWithout(name, secret))).toEqual([]);
  });

  it('runs all roles of each service, HTTP apart from relay and consumers', () => {
    for (const image of ['identity', 'profile', 'billing', 'credits'] as const) {
      const roles = [workloads[image]?.roles, workloads[`${image}-events`]?.roles];
      expect(roles).toEqual(['http', image === 'identity' ? 'relay' : 'consumers,relay']);
    }
  });

  it.each(entries)(
    'allows calls of %s from exactly the workloads that read its address',
    (name, workload) => {
      const names = Object.keys(workloads);
      const readers = names.filter((caller) => !startsWithout(caller, `${name.toUpperCase()}_URL`));
      expect((workload.callers ?? []).toSorted()).toEqual(readers.toSorted());
    },
  );

  it('gives the job of the first admin every variable that it reads', () => {
    const keys = [...read('templates/first-admin.yaml').matchAll(/"([A-Z_]{5,})"/g)].map(
      ([, key = '']) => key,
    );
    const env = Object.fromEntries(keys.map((key) => [key, secretOf(key)]));
    expect(readAdminConfig(env)).toMatchObject({ DATABASE_URL: env['DATABASE_URL'], ADMIN_EMAIL: KEY });
  });
});

it('by default jobs migrate the databases, and take the right to change tables from the accounts of the processes', async () => {
  const jobs = (await renderChart()).filter(({ metadata }) => metadata.name.startsWith('one-migrate-'));
  expect(jobs).toHaveLength(5);
  for (const { metadata, spec } of jobs) {
    const variables = spec?.template?.spec.containers.flatMap(({ env = [] }) => env) ?? [];
    const keys = variables.map(({ valueFrom }) => valueFrom?.secretKeyRef.key);
    expect(keys, metadata.name).toContain('RUNTIME_ACCOUNT');
  }
});

it('an image with a digest is named by it, and the others by their tag', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const resources = await renderChart({
    'image.prefix': 'people/',
    'image.tag': '7',
    'image.digests.bff': digest,
  });
  const images = new Set(containersOf(resources).map(({ image }) => image));
  expect(images).toContain(`people/bff@${digest}`);
  expect(images).toContain('people/billing:7');
  expect(images).not.toContain('people/bff:7');
});

it('a workload with consumers scales by the lag of every topic that it consumes', async () => {
  const resources = await renderChart({
    'workloads.default.autoscaling.enabled': 'true',
    'workloads.default.autoscaling.lag': '100',
    databaseConnections: '1000',
  });
  const triggers = resources.flatMap(({ spec }) => spec?.triggers ?? []).map(({ metadata }) => metadata);
  const consumed = eventCatalogue.flatMap(({ event: { topic }, consumedBy }) =>
    consumedBy.filter((name) => name !== 'bff').map((group) => `${group} ${topic}`),
  );
  expect(triggers.map(({ consumerGroup, topic }) => `${consumerGroup} ${topic}`).toSorted()).toEqual(
    [...new Set(consumed)].toSorted(),
  );
});
