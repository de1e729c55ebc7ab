// node tools/stripe/extract-openapi.ts <spec3.json>: writes the part of Stripe's published OpenAPI description
// (https://github.com/stripe/openapi, MIT) that describes the objects of the sandbox, as JSON Schema, for the sandbox's tests.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const OUTPUT = join(import.meta.dirname, '../../deploy/sandbox/test/stripe-openapi.json');

/** The objects that the sandbox returns. */
const OBJECTS = [
  'balance_transaction',
  'billing_portal.configuration',
  'billing_portal.session',
  'charge',
  'checkout.session',
  'customer',
  'dispute',
  'invoice',
  'invoice_payment',
  'line_item',
  'payment_intent',
  'payment_method',
  'payout',
  'price',
  'product',
  'radar.early_fraud_warning',
  'refund',
  'subscription',
  'subscription_item',
  'webhook_endpoint',
];

/** What is particular to one of Stripe's many payment methods, but for those that the sandbox has. */
const PARTICULAR = new RegExp(
  [
    'payment_method_options',
    'next_action_(?!redirect_to_url)',
    '^payment_method_(?!card$|card_checks|details$|details_card$|details_card_checks|details_(us|sepa)|us_bank|sepa)',
    '^dispute_(enhanced|visa)',
    '^(source|mandate|confirmation_token|linked_account|funding|payment_flows_private)',
    'wallet_',
  ].join('|'),
);

type Schema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
};

type JsonSchema = Record<string, unknown>;

type Spec = { info: { version: string }; components: { schemas: Record<string, Schema> } };

const nameOf = ($ref: string): string => $ref.replace('#/components/schemas/', '');

/** An object with a type of its own at Stripe, which other objects state by its id or, expanded, as a whole. */
const isResource = ({ properties }: Schema): boolean => properties?.['object']?.enum !== undefined;

const orNull = (schema: JsonSchema, isNullable: boolean | undefined): JsonSchema =>
  isNullable ? { anyOf: [schema, { type: 'null' }] } : schema;

/** Returns a converter, and the names of the schemas that what it converted refers to. */
const createConverter = ({ components: { schemas } }: Spec) => {
  const referred = new Set<string>(OBJECTS);
  const refer = ($ref: string): JsonSchema => {
    const name = nameOf($ref);
    // Of an object that the sandbox does not have, only that it is one.
    if ((isResource(schemas[name] ?? {}) && !OBJECTS.includes(name)) || PARTICULAR.test(name))
      return { type: 'object' };
    referred.add(name);
    return { $ref: `#/$defs/${name}` };
  };
  const toObject = ({ properties = {}, required = [], additionalProperties }: Schema): JsonSchema => {
    const rest =
      typeof additionalProperties === 'object'
        ? convert(additionalProperties)
        : (additionalProperties ?? false);
    const isOpen = Object.keys(properties).length === 0 && additionalProperties === undefined;
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, convert(one)])),
      required,
      ...(isOpen ? {} : { additionalProperties: rest }),
    };
  };
  const toPlain = (schema: Schema): JsonSchema => {
    if (schema.$ref !== undefined) return refer(schema.$ref);
    if (schema.anyOf !== undefined) return { anyOf: schema.anyOf.map(convert) };
    if (schema.type === 'object') return toObject(schema);
    if (schema.type === 'array') return { type: 'array', items: convert(schema.items ?? {}) };
    return {
      ...(schema.type === undefined ? {} : { type: schema.type }),
      ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    };
  };
  const convert = (schema: Schema): JsonSchema => orNull(toPlain(schema), schema.nullable);
  return { convert, referred };
};

const { 2: path = '' } = process.argv;
const spec = JSON.parse(await readFile(path, 'utf8')) as Spec;
const { convert, referred } = createConverter(spec);
const definitions = new Map<string, JsonSchema>();
// Converting a schema adds those that it refers to; a set that grows is iterated to its end.
for (const name of referred) definitions.set(name, convert(spec.components.schemas[name] ?? {}));
const lines = [...definitions]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
await writeFile(
  OUTPUT,
  `{\n  "version": ${JSON.stringify(spec.info.version)},\n  "$defs": {\n${lines.join(',\n')}\n  }\n}\n`,
);
process.stdout.write(`${definitions.size} schemas of ${spec.info.version} in ${OUTPUT}\n`);
