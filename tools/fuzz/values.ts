// What is sent as a field of a request: a valid value of its name, or one that no field expects.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

/** A valid value of each name in a path, a query or a body. `%user%` stands for the id of a user of the run. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  id: '%user%',
  userId: '%user%',
  user_id: '%user%',
  targetId: '%user%',
  email: 'fuzz@talentfield.io',
  password: 'a long enough one',
  currentPassword: 'a long enough one',
  firstName: 'Amara',
  lastName: 'Okafor',
  organizationName: 'Talent Field',
  typeOfOrganization: 'Talent Acquisition',
  primaryRecruitingIndustry: 'Software',
  country: 'Nigeria',
  city: 'Lagos',
  linkedin: 'https://www.linkedin.com/in/amara',
  version: 1,
  removePicture: true,
  termsAccepted: '1',
  xsl: 'cs_test_1',
  token: 'A'.repeat(43),
  ticket: 'A'.repeat(43),
  code: '123456',
  recoveryCode: 'abcd-efgh',
  name: `${'a'.repeat(32)}.jpg`,
  reason: 'email_found',
  reference: 'linkedin.com/in/one',
  reservationId: randomUUID(),
  alertId: 'dispute_opened:du_1',
  search: 'ama',
  plan: 'premium',
  joinedFrom: '2026-01-01',
  joinedTo: '2026-12-31',
  from: '2026-01-01',
  to: '2026-12-31',
  sort: '-createdAt',
  limit: 25,
  cursor: Buffer.from('["2026",1]').toString('base64url'),
  timeZone: 'Europe/Lisbon',
  period: 'year',
  action: 'account.create',
  until: '2026-12-24',
  when: 'now',
  at: '2026-12-24T00:00:00.000Z',
};

const HOSTILE = [
  ...[
    "' OR '1'='1' -- ",
    '"; DROP TABLE accounts; --',
    '$(id)',
    '{{7*7}}',
    '${7*7}',
    '<script>1</script>',
    '%00',
    '\0',
  ],
  ...[
    '../../etc/passwd',
    '..\\..\\',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    '__proto__',
    'constructor',
    '[object Object]',
  ],
  ...[
    'NaN',
    'Infinity',
    '1e309',
    '-0',
    '0x10',
    '9'.repeat(400),
    'true',
    'null',
    'undefined',
    '[]',
    '{}',
    '{"$gt":""}',
  ],
  ...['\u202e\u200b', '\ud800', 'ﬁ', 'İ', '👩‍👩‍👧', 'A'.repeat(5_000), '\r\nSet-Cookie: a=b', 'a,b', 'a\tb', ' '],
];

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 31), 1e21, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The value of a name: mostly a valid one, or nothing would pass the first check. */
export const valueOf = (name: string): fc.Arbitrary<unknown> =>
  name in SAMPLES
    ? fc.oneof({ weight: 5, arbitrary: fc.constant(SAMPLES[name]) }, { weight: 1, arbitrary: odd })
    : odd;

const fieldNames: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...Object.keys(SAMPLES)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'role', 'id[]', 'a.b', '', 'passwordHash'),
  },
);

type Field = { name: string; value: unknown };

const fieldOf = (name: string): fc.Arbitrary<Field> =>
  fc.record({ name: fc.constant(name), value: valueOf(name) });

/** The named fields, most of the time, with others between them. */
export const fieldsOf = (names: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record({
      named: fc.tuple(...names.map((name) => fc.option(fieldOf(name), { freq: 6 }))),
      // Most endpoints refuse a field that they do not know.
      others: fc.oneof(
        { weight: 5, arbitrary: fc.constant<Field[]>([]) },
        { weight: 1, arbitrary: fc.array(fieldNames.chain(fieldOf), { maxLength: 3 }) },
      ),
    })
    .map(({ named, others }) =>
      Object.fromEntries(
        [...named, ...others].flatMap((field) =>
          field === null ? [] : [[field.name, field.value] as const],
        ),
      ),
    );
