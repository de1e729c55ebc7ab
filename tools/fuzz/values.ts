// What is sent as a field of a request: a valid value of its name, or one that no field expects.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type Joi from 'joi';

/** A valid value of each parameter of a path. `%user%` stands for the id of a user of the run. */
const PARAMETERS: Readonly<Record<string, unknown>> = {
  id: '%user%',
  userId: '%user%',
  name: `${'a'.repeat(32)}.jpg`,
  reservationId: randomUUID(),
  grantId: randomUUID(),
  passkeyId: randomUUID(),
  keyId: randomUUID(),
  connectionId: randomUUID(),
  toolId: randomUUID(),
  endpointId: randomUUID(),
  deliveryId: randomUUID(),
  alertId: 'dispute_opened:du_1',
};

/** Texts that a careless program takes for a query, a command, a template, a path, a key or a number. */
const HOSTILE = [
  '9'.repeat(400),
  'A'.repeat(5_000),
  ...[
    `' OR '1'='1' -- |"; DROP TABLE accounts; --|$(id)|{{7*7}}|\${7*7}|<script>1</script>|%00|../../etc/passwd`,
    '..\\..\\|file:///etc/passwd|http://127.0.0.1:1/|__proto__|constructor|[object Object]|NaN|Infinity|1e309',
    '-0|0x10|true|null|undefined|[]|{}|{"$gt":""}|\u202e\u200b|ﬁ|İ|👩‍👩‍👧|\r\nSet-Cookie: a=b|a,b|a\tb| |\0|\ud800',
  ].flatMap((texts) => texts.split('|')),
];

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 31), 1e21, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly a valid value, or nothing would pass the first check. */
const valueLike = (valid: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(valid) }, { weight: 1, arbitrary: odd });

export const valueOfParameter = (name: string): fc.Arbitrary<unknown> => {
  if (!(name in PARAMETERS)) throw new TypeError(`the parameter ${name} has no valid value`);
  return valueLike(PARAMETERS[name]);
};

const foreignNames: fc.Arbitrary<string> = fc.constantFrom(
  ...['__proto__', 'constructor', 'role', 'id', 'userId', 'id[]', 'a.b', '', 'passwordHash', 'version'],
);

type Described = { type?: string; allow?: unknown[]; keys?: Record<string, Described> };

/** A value of the declared type; one of those that are listed, where there are any. */
const valueOfType = ({ type, allow = [] }: Described): unknown => {
  const listed = allow.find((value) => value !== '' && value !== null && typeof value !== 'object');
  const byType: Record<string, unknown> = { number: 1, boolean: true, object: {}, array: [] };
  return listed ?? byType[type ?? ''] ?? 'a text';
};

/** The fields that an endpoint declares, with a value of their type. */
export const declaredFields = (schema: Joi.ObjectSchema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((schema.describe() as Described).keys ?? {}).map(([name, field]) => [
      name,
      valueOfType(field),
    ]),
  );

/** The fields of a sample, most of the time, with others between them: sometimes of those that the endpoint declares beside them. */
export const fieldsOf = (
  sample: Record<string, unknown>,
  declared: Record<string, unknown> = {},
): fc.Arbitrary<Record<string, unknown>> => {
  const unsampled = Object.entries(declared)
    .filter(([name]) => !(name in sample))
    .map(([name, valid]) =>
      fc.oneof(
        { weight: 5, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.tuple(fc.constant(name), valueLike(valid)) },
      ),
    );
  const known = Object.entries(sample).map(([name, valid]) =>
    fc.option(fc.tuple(fc.constant(name), valueLike(valid)), { freq: 6 }),
  );
  // Every endpoint refuses a field that it does not know, so most requests have none.
  const others = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(foreignNames, odd), { maxLength: 3 }) },
  );
  return fc
    .tuple(fc.tuple(...known), fc.tuple(...unsampled), others)
    .map((fields) => Object.fromEntries(fields.flat().filter((field) => field !== null)));
};
