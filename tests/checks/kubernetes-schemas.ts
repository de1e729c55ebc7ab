// Validates resources by Kubernetes' own descriptions, and by those of the operators whose resources the chart can create. Go fetches
// these as modules, once for each version.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { ENVIRONMENT } from './rendered-chart.ts';

const KUBERNETES = ['k8s.io/kubernetes@v1.33.13', 'api/openapi-spec/swagger.json'] as const;
const PROMETHEUS = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const CUSTOM_KINDS = [
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [PROMETHEUS, 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml'],
  [PROMETHEUS, 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml'],
] as const;

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
};
type Definition = Schema & {
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
};
type CustomResource = {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
};

const fetchFile = (module: string, path: string): string => {
  const command = ['mod', 'download', '-json', module];
  const printed = execFileSync('go', command, { cwd: tmpdir(), encoding: 'utf8', env: ENVIRONMENT });
  const text = readFileSync(join((JSON.parse(printed) as { Dir: string }).Dir, path), 'utf8');
  return text.replaceAll('(?i)(', '(?i:'); // patterns for Go, as JavaScript writes them
};

const closeEach = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, close(schema)]));

/** The same schema, in which an object with fields has no others. What oneOf and the like hold only restricts these fields. */
const close = (schema: Schema): object => {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: closeEach(properties),
      additionalProperties: schema['x-kubernetes-preserve-unknown-fields'] === true,
    }),
    ...(items && { items: close(items) }),
    ...(additionalProperties && { additionalProperties: close(additionalProperties) }),
    ...(schema['x-kubernetes-int-or-string'] && { type: ['integer', 'string'] }),
  };
};

const { definitions } = JSON.parse(fetchFile(...KUBERNETES)) as { definitions: Record<string, Definition> };
const ajv = new Ajv({
  allErrors: true,
  strict: false,
  unicodeRegExp: false,
  validateFormats: false,
  validateSchema: false,
});
ajv.addSchema({
  $id: 'kubernetes',
  definitions: {
    ...closeEach(definitions),
    // The server reads these from more than one JSON type, which the descriptions do not show.
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
    'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['number', 'string'] },
  },
});

const METADATA = { $ref: 'kubernetes#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };

/** The schemas of whole resources by version and kind. */
const schemas = new Map<string, object>();
const add = (kind: string, schema: object): void => {
  const metadata = { required: ['metadata'], properties: { metadata: METADATA } };
  schemas.set(kind, { allOf: [schema, metadata] });
};
for (const [name, definition] of Object.entries(definitions))
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
    add(`${group && `${group}/`}${version} ${kind}`, { $ref: `kubernetes#/definitions/${name}` });
for (const [module, path] of CUSTOM_KINDS) {
  const { group, names, versions } = (parse(fetchFile(module, path)) as CustomResource).spec;
  for (const { name, schema } of versions)
    add(`${group}/${name} ${names.kind}`, close(schema.openAPIV3Schema));
}

const validators = new Map<string, ValidateFunction>();

/** Returns what Kubernetes would refuse of a resource. */
export const problemsOf = (resource: { apiVersion: string; kind: string }): string[] => {
  const kind = `${resource.apiVersion} ${resource.kind}`;
  const schema = schemas.get(kind);
  if (schema === undefined) return [`${kind} is not described`];
  const validate = validators.get(kind) ?? ajv.compile(schema);
  validators.set(kind, validate);
  validate(resource);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};
