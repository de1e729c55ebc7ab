// Kubernetes' own descriptions of its resources, and those of the operators whose resources the chart can create, as JSON schemas that
// refuse fields which they do not know. Go fetches the sources as modules, once for each version; kubeconform itself has none.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ENVIRONMENT } from './rendered-chart.ts';

const KUBERNETES = 'k8s.io/kubernetes@v1.33.13';
const KINDS = [
  'v1 ConfigMap',
  'v1 Pod',
  'v1 Secret',
  'v1 Service',
  'v1 ServiceAccount',
  'apps/v1 Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'batch/v1 CronJob',
  'batch/v1 Job',
  'networking.k8s.io/v1 Ingress',
  'networking.k8s.io/v1 NetworkPolicy',
  'policy/v1 PodDisruptionBudget',
];
const PROMETHEUS = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const CUSTOM_KINDS = [
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [PROMETHEUS, 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml'],
  [PROMETHEUS, 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml'],
] as const;

type Schema = { [key: string]: unknown };
type GroupVersionKind = { group: string; version: string; kind: string };
type Definition = Schema & { 'x-kubernetes-group-version-kind'?: GroupVersionKind[] };
type CustomResource = {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
};

const KEPT = new Set(
  'type properties required additionalProperties items enum pattern minimum maximum minLength maxLength minItems maxItems maxProperties minProperties uniqueItems oneOf anyOf allOf not'.split(
    ' ',
  ),
);
/** What these hold only restricts fields that the schema around them lists, so they close nothing. */
const RESTRICTIONS = new Set(['oneOf', 'anyOf', 'allOf', 'not']);
/** Types that the server reads from more than one JSON type, which the descriptions do not show. */
const WIDENED: Record<string, Schema> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['number', 'string'] },
};

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const convert = (key: string, value: unknown, closed: boolean): unknown => {
  if (key === 'properties' && isSchema(value))
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, strict(field, closed)]));
  const within = closed && !RESTRICTIONS.has(key);
  if (Array.isArray(value)) return isSchema(value[0]) ? value.map((one) => strict(one, within)) : value;
  return strict(value, within);
};

/** Returns the schema without descriptions and defaults, in which an object with fields has no others. References stay as they are. */
const strict = (value: unknown, closed = true): unknown => {
  if (!isSchema(value)) return value;
  if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] };
  const closes = closed && value['x-kubernetes-preserve-unknown-fields'] !== true;
  const entries = Object.entries(value).filter(([key]) => KEPT.has(key));
  return {
    ...(closes && value['properties'] !== undefined ? { additionalProperties: false } : {}),
    ...Object.fromEntries(entries.map(([key, part]) => [key, convert(key, part, closes)])),
    ...(value['x-kubernetes-int-or-string'] === true ? { type: ['integer', 'string'] } : {}),
  };
};

/** The schema of a whole resource as a manifest has it: with these two names, and without the status, which the server writes. */
const ofManifest = (definition: Schema, apiVersion: string, kind: string): Schema => {
  const { properties, required = [], ...rest } = strict(definition) as Schema & { required?: string[] };
  const { status: _status, ...fields } = properties as Schema;
  const metadata = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
  return {
    ...rest,
    properties: { ...fields, apiVersion: { enum: [apiVersion] }, kind: { enum: [kind] }, metadata },
    required: [...new Set([...required, 'apiVersion', 'kind', 'metadata'])].toSorted(),
  };
};

const referencesOf = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].map(([, name = '']) => name);

/** The strict definitions that `roots` refer to, directly or by others, sorted by name. */
const definitionsOf = (all: Record<string, Definition>, roots: readonly Schema[]): Schema => {
  const found = new Map<string, unknown>();
  const queue = referencesOf(roots);
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (found.has(name)) continue;
    const definition = WIDENED[name] ?? strict(all[name]);
    found.set(name, definition);
    queue.push(...referencesOf(definition));
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const fetchFile = (module: string, path: string): string => {
  const command = ['mod', 'download', '-json', module];
  const printed = execFileSync('go', command, { cwd: tmpdir(), encoding: 'utf8', env: ENVIRONMENT });
  return readFileSync(join((JSON.parse(printed) as { Dir: string }).Dir, path), 'utf8');
};

/** Definitions are in a file of their own, since most kinds have the same. */
const write = (path: string, content: Schema): void => {
  const text = JSON.stringify(content);
  writeFileSync(`${path}.json`, text.replaceAll('"#/definitions/', '"definitions.json#/definitions/'));
};

type Resource = { gvk: GroupVersionKind; schema: Schema };

const resourceOf = (gvk: GroupVersionKind, definition: Schema): Resource => {
  const { group, version, kind } = gvk;
  return { gvk, schema: ofManifest(definition, [group, version].filter(Boolean).join('/'), kind) };
};

const builtIn = (definitions: Record<string, Definition>): Resource[] =>
  Object.values(definitions).flatMap((definition) =>
    (definition['x-kubernetes-group-version-kind'] ?? [])
      .filter(({ group, version, kind }) =>
        KINDS.includes(`${[group, version].filter(Boolean).join('/')} ${kind}`),
      )
      .map((gvk) => resourceOf(gvk, definition)),
  );

const custom = (source: string, path: string): Resource => {
  const { group, names, versions } = (parse(fetchFile(source, path)) as CustomResource).spec;
  const stored = versions.find(({ storage }) => storage);
  if (!stored) throw new Error(`${names.kind} has no stored version`);
  return resourceOf({ group, version: stored.name, kind: names.kind }, stored.schema.openAPIV3Schema);
};

/** Writes the schemas under the names by which kubeconform looks for them. */
const writeSchemas = (folder: string): void => {
  const swagger = fetchFile(KUBERNETES, 'api/openapi-spec/swagger.json');
  const { definitions } = JSON.parse(swagger) as { definitions: Record<string, Definition> };
  const resources = [...builtIn(definitions), ...CUSTOM_KINDS.map(([source, path]) => custom(source, path))];
  if (resources.length < KINDS.length + CUSTOM_KINDS.length)
    throw new Error(`only ${resources.length} kinds were found`);
  for (const { gvk, schema } of resources) {
    const parts = [gvk.kind.toLowerCase(), gvk.group.split('.')[0], gvk.version];
    write(join(folder, parts.filter(Boolean).join('-')), schema);
  }
  const schemas = resources.map(({ schema }) => schema);
  write(join(folder, 'definitions'), { definitions: definitionsOf(definitions, schemas) });
};

/** Returns the folder of the schemas, which it writes when it is missing. */
export const schemasFolder = (): string => {
  const source = readFileSync(import.meta.filename);
  const name = `kubernetes-schemas-${hash('sha256', source).slice(0, 12)}`;
  const folder = join(import.meta.dirname, '../../node_modules/.cache', name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const written = mkdtempSync(`${folder}-`);
  try {
    writeSchemas(written);
    renameSync(written, folder);
  } finally {
    rmSync(written, { recursive: true, force: true });
  }
  return folder;
};
