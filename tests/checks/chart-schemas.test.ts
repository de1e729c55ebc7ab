// Validates the chart with helm lint, and what it renders against the schemas of Kubernetes and of the operators whose resources it can create.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { problemsOf } from './kubernetes-schemas.ts';
import { lintChart, renderManifests, type Values } from './rendered-chart.ts';

const EVERYTHING = 'chart-everything.yaml';
/** Together these profiles switch on everything. */
const PROFILES: Record<string, Values> = {
  defaults: {},
  'autoscaling by processor time': {
    'workloads.default.autoscaling.enabled': 'true',
    databaseConnections: '1000',
  },
  everything: EVERYTHING,
};

/** Returns what is not valid in manifests, which Kubernetes reads as YAML 1.1. */
const findInvalid = (manifests: string): string[] =>
  parseAllDocuments(manifests, { version: '1.1' }).flatMap((document) => {
    const resource = document.toJS() as Parameters<typeof problemsOf>[0] | null;
    const problems = resource === null ? [] : problemsOf(resource);
    return [...document.errors.map(({ message }) => message), ...problems];
  });

const rendered = new Map<string, string>();
beforeAll(async () => {
  for (const [name, values] of Object.entries(PROFILES)) rendered.set(name, await renderManifests(values));
});

describe.each(Object.keys(PROFILES))('with the values %s', (profile) => {
  it('what the chart renders is valid', () => {
    expect(findInvalid(rendered.get(profile) ?? '')).toEqual([]);
  });

  it('helm lint accepts the chart', async () => {
    expect(await lintChart(PROFILES[profile] ?? {})).toContain('1 chart(s) linted, 0 chart(s) failed');
  });
});

it('helm lint refuses a value of the wrong type', async () => {
  await expect(lintChart({ 'workloads.default.databasePool': 'many' })).rejects.toMatchObject({
    stdout: expect.stringContaining('databasePool') as string,
  });
});

it('helm refuses pods that could open more connections than the database takes by default', async () => {
  // Two pods of each of the nine workloads with a database, one that starts and one that ends, and what jobs open.
  await renderManifests({ databaseConnections: '124' });
  await renderManifests({ 'workloads.default.replicas': '3' });
  for (const values of [{ databaseConnections: '123' }, { 'workloads.default.replicas': '4' }])
    await expect(renderManifests(values)).rejects.toMatchObject({
      stderr: expect.stringContaining('lower databasePool or replicas') as string,
    });
});

it('the profiles render every template', () => {
  const all = [...rendered.values()].join('\n');
  const templates = readdirSync(join(import.meta.dirname, '../../deploy/k8s/templates'), { recursive: true });
  const files = templates.map(String).filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((name) => !all.includes(`# Source: shortlist/templates/${name}\n`))).toEqual([]);
});
