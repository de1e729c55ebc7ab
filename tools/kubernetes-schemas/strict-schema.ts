// Kubernetes' own descriptions of its resources as JSON schemas that refuse fields which they do not know.
export type Schema = { [key: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

const mapValues = (schema: Schema, change: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, change(value)]));

const convert = (key: string, value: unknown, closed: boolean): unknown => {
  if (key === 'properties' && isSchema(value)) return mapValues(value, (field) => strict(field, closed));
  const within = closed && !RESTRICTIONS.has(key);
  if (Array.isArray(value)) return isSchema(value[0]) ? value.map((one) => strict(one, within)) : value;
  return isSchema(value) ? strict(value, within) : value;
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

const referencesOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => referencesOf(one));
  if (!isSchema(value)) return [];
  if (typeof value['$ref'] === 'string') return [value['$ref'].replace('#/definitions/', '')];
  return Object.values(value).flatMap((one) => referencesOf(one));
};

/** The strict definitions that `roots` refer to, directly or by others, sorted by name. */
export const definitionsOf = (all: Record<string, unknown>, roots: unknown[]): Schema => {
  const found = new Map<string, unknown>();
  const queue = roots.flatMap((root) => referencesOf(root));
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (found.has(name)) continue;
    const definition = WIDENED[name] ?? strict(all[name]);
    found.set(name, definition);
    queue.push(...referencesOf(definition));
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** The schema of a whole resource as a manifest has it: with these two names, and without the status, which the server writes. */
export const ofManifest = (definition: unknown, apiVersion: string, kind: string): Schema => {
  const { properties, required = [], ...rest } = strict(definition) as Schema & { required?: string[] };
  const { status: _status, ...fields } = properties as Schema;
  return {
    ...rest,
    properties: {
      ...fields,
      apiVersion: { enum: [apiVersion] },
      kind: { enum: [kind] },
      metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    },
    required: [...new Set([...required, 'apiVersion', 'kind', 'metadata'])].toSorted(),
  };
};
