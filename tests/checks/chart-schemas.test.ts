// Validates the chart with helm lint, and what it renders against the schemas of Kubernetes and of the operators whose resources it can create.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { schemasFolder } from './kubernetes-schemas.ts';
import { ENVIRONMENT, lintChart, renderManifests, type Values } from './rendered-chart.ts';

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

type Outcome = { filename: string; kind: string; status: string; msg: string };

/** Returns the resources that kubeconform does not find valid; one whose schema is missing is among them. */
const findInvalid = async (manifests: string): Promise<Outcome[]> => {
  const schemas = join(schemasFolder(), '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const args = ['-strict', '-output', 'json', '-schema-location', schemas, '-'];
  const child = spawn('kubeconform', args, { env: ENVIRONMENT });
  child.stdin.end(manifests);
  const { resources } = (await json(child.stdout)) as { resources: Outcome[] | null };
  return resources ?? [];
};

const rendered = new Map<string, string>();
beforeAll(async () => {
  for (const [name, values] of Object.entries(PROFILES)) rendered.set(name, await renderManifests(values));
});

describe.each(Object.keys(PROFILES))('with the values %s', (profile) => {
  it('what the chart renders is valid', async () => {
    expect(await findInvalid(rendered.get(profile) ?? '')).toEqual([]);
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

it('the profiles render every template', () => {
  const all = [...rendered.values()].join('\n');
  const templates = readdirSync(join(import.meta.dirname, '../../deploy/k8s/templates'), { recursive: true });
  const files = templates.map(String).filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((name) => !all.includes(`# Source: shortlist/templates/${name}\n`))).toEqual([]);
});
