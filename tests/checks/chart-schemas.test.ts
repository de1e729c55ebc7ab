// Validates the chart with helm lint, and what it renders against the schemas of Kubernetes and of the operators whose resources it can create.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { findProgram } from './find-program.ts';
import { lintChart, renderFile, renderManifests, resourcesOf } from './rendered-chart.ts';

const EVERYTHING = 'chart-everything.yaml';
/** Together these profiles switch on everything. */
const PROFILES = {
  defaults: () => renderManifests(),
  trial: () => renderManifests({ 'trial.enabled': 'true', 'audit.enabled': 'true', 'ingress.host': '' }),
  'autoscaling by processor time': () =>
    renderManifests({ 'workloads.default.autoscaling.enabled': 'true', databaseConnections: '1000' }),
  everything: () => renderFile(EVERYTHING),
};

const SCHEMAS = join(import.meta.dirname, 'kubernetes-schemas');
type Outcome = { filename: string; kind: string; status: string; msg: string };

/** Returns the resources that kubeconform does not find valid; one whose schema is missing is among them. */
const findInvalid = async (manifests: string): Promise<Outcome[]> => {
  const program = findProgram('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0');
  const location = join(SCHEMAS, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const child = spawn(program, ['-strict', '-output', 'json', '-schema-location', location, '-']);
  child.stdin.end(manifests);
  const { resources } = (await json(child.stdout)) as { resources: Outcome[] | null };
  return resources ?? [];
};

const rendered = new Map<string, string>();
beforeAll(async () => {
  for (const [name, render] of Object.entries(PROFILES)) rendered.set(name, await render());
});
const allResources = (): ReturnType<typeof resourcesOf> =>
  resourcesOf([...rendered.values()].join('\n---\n'));

it.each(Object.keys(PROFILES))('what the chart renders is valid: %s', async (profile) => {
  expect(await findInvalid(rendered.get(profile) ?? '')).toEqual([]);
});

it.each([
  ['the defaults', {}],
  ['everything', EVERYTHING],
])('helm lint accepts the chart: %s', async (_profile, values) => {
  expect(await lintChart(values)).toContain('1 chart(s) linted, 0 chart(s) failed');
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

it('one profile sets every value that is off by default, but the trial', () => {
  const isOff = (value: unknown): boolean =>
    value === false || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  const unset = (defaults: Record<string, unknown>, values: Record<string, unknown>, path = ''): string[] =>
    Object.entries(defaults).flatMap(([name, value]) => {
      if (isOff(value)) return isOff(values[name] ?? '') ? [`${path}${name}`] : [];
      if (typeof value !== 'object' || Array.isArray(value)) return [];
      const inner = (values[name] ?? {}) as Record<string, unknown>;
      return unset(value as Record<string, unknown>, inner, `${path}${name}.`);
    });
  const read = (path: string): Record<string, unknown> =>
    parse(readFileSync(join(import.meta.dirname, path), 'utf8')) as Record<string, unknown>;
  expect(unset(read('../../deploy/k8s/values.yaml'), read(EVERYTHING))).toEqual(['trial.enabled']);
});

it('a missing program fails with how to install it', () => {
  expect(() => findProgram('no-such-program', 'example.test/cmd@v1')).toThrow(
    'no-such-program is missing: install it, or run go install example.test/cmd@v1',
  );
});

describe('the schemas', () => {
  it('are those of the kinds that the chart renders', () => {
    const names = allResources().map(({ apiVersion, kind }) => {
      const [first = '', version] = apiVersion.split('/');
      return `${[kind.toLowerCase(), first.split('.')[0], version].filter(Boolean).join('-')}.json`;
    });
    expect(readdirSync(SCHEMAS).toSorted()).toEqual([...new Set([...names, 'definitions.json'])].toSorted());
  });

  it('refuse a field that a kind does not have, in its metadata and in its specification', async () => {
    const byKind = new Map(allResources().map((resource) => [resource.kind, resource]));
    expect(byKind.size).toBeGreaterThan(12);
    const misspelt = [...byKind.values()].flatMap(({ spec, ...resource }) => [
      { ...resource, ...(spec ? { spec } : {}), metadata: { ...resource.metadata, lables: {} } },
      ...(spec ? [{ ...resource, spec: { ...spec, repliccas: 1 } }] : [{ ...resource, dta: {} }]),
    ]);
    const invalid = await findInvalid(misspelt.map((resource) => stringify(resource)).join('---\n'));
    expect(invalid.map(({ status }) => status)).toEqual(misspelt.map(() => 'statusInvalid'));
  });

  it.each([
    ['imagePullPolicy: IfNotPresent', 'imagePulPolicy: IfNotPresent', 'Deployment'],
    [
      'imagePullPolicy: IfNotPresent',
      "imagePullPolicy: IfNotPresent\n          imagePullPolicy: ''",
      'Deployment',
    ],
    ['lagThreshold: "100"', 'lagThreshold: 100', 'ScaledObject'],
    ['maxUnavailable: 1', 'maxUnavailble: 1', 'PodDisruptionBudget'],
    ['backendRefs: ', 'backendRef: ', 'HTTPRoute'],
    ['podMetricsEndpoints:', 'podMetricEndpoints:', 'PodMonitor'],
    ['apiVersion: autoscaling/v2\n', 'apiVersion: autoscaling/v1\n', 'HorizontalPodAutoscaler'],
  ])('refuse %j as %j', async (right, wrong, kind) => {
    const profile = [...rendered.values()].find((manifests) => manifests.includes(right)) ?? '';
    expect(await findInvalid(profile.replace(right, wrong))).toMatchObject([{ kind }]);
  });
});
