// Writes tests/checks/kubernetes-schemas from the sources of Kubernetes and of the operators whose resources the chart can create.
// It requires Go, which fetches them as modules.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { definitionsOf, ofManifest, type Schema } from './strict-schema.ts';

const FOLDER = join(import.meta.dirname, '../../tests/checks/kubernetes-schemas');

const KUBERNETES = 'k8s.io/kubernetes@v1.33.13';
const KINDS = [
  ['v1', 'ConfigMap'],
  ['v1', 'Pod'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
  ['apps/v1', 'Deployment'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  ['batch/v1', 'CronJob'],
  ['batch/v1', 'Job'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['policy/v1', 'PodDisruptionBudget'],
] as const;

const OPERATORS = [
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  ],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
] as const;

type Manifest = { apiVersion: string; kind: string; source: string; schema: Schema };
type GroupVersionKind = { group: string; version: string; kind: string };
type Definitions = Record<string, { 'x-kubernetes-group-version-kind'?: GroupVersionKind[] }>;
type CustomResource = {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
};

const fetchFile = (module: string, path: string): string => {
  const printed = execFileSync('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  return readFileSync(join((JSON.parse(printed) as { Dir: string }).Dir, path), 'utf8');
};

const readKind = (definitions: Definitions, apiVersion: string, kind: string): Manifest => {
  const found = Object.values(definitions).find((definition) =>
    definition['x-kubernetes-group-version-kind']?.some(
      (one) => [one.group, one.version].filter(Boolean).join('/') === apiVersion && one.kind === kind,
    ),
  );
  if (!found) throw new Error(`${KUBERNETES} has no ${apiVersion} ${kind}`);
  return { apiVersion, kind, source: KUBERNETES, schema: ofManifest(found, apiVersion, kind) };
};

const readCustomKind = (source: string, path: string): Manifest => {
  const { group, names, versions } = (parse(fetchFile(source, path)) as CustomResource).spec;
  const version = versions.find(({ storage }) => storage);
  if (!version) throw new Error(`${names.kind} has no stored version`);
  const apiVersion = `${group}/${version.name}`;
  const schema = ofManifest(version.schema.openAPIV3Schema, apiVersion, names.kind);
  return { apiVersion, kind: names.kind, source, schema };
};

/** Definitions are in a file of their own, since most kinds have the same. */
const write = (file: string, source: string, content: Schema): void => {
  const origin = `Written by tools/kubernetes-schemas from ${source} (Apache License 2.0).`;
  const text = JSON.stringify({ $comment: origin, ...content }, null, 1);
  const references = text.replaceAll('"#/definitions/', '"definitions.json#/definitions/');
  writeFileSync(join(FOLDER, `${file}.json`), `${references}\n`);
};

/** The name by which kubeconform looks for the schema of a kind. */
const fileOf = ({ apiVersion, kind }: Manifest): string => {
  const [first = '', version] = apiVersion.split('/');
  return [kind.toLowerCase(), first.split('.')[0], version].filter(Boolean).join('-');
};

const { definitions } = JSON.parse(fetchFile(KUBERNETES, 'api/openapi-spec/swagger.json')) as {
  definitions: Definitions;
};
const manifests = [
  ...KINDS.map(([apiVersion, kind]) => readKind(definitions, apiVersion, kind)),
  ...OPERATORS.map(([module, path]) => readCustomKind(module, path)),
];
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const manifest of manifests) write(fileOf(manifest), manifest.source, manifest.schema);
write('definitions', KUBERNETES, {
  definitions: definitionsOf(
    definitions,
    manifests.map(({ schema }) => schema),
  ),
});
