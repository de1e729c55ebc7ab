// Requests generated from the endpoint declarations: each method and path, with valid and invalid parts, and bytes changed.
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import fc from 'fast-check';
import { declaredFields, fieldsOf, valueOfParameter } from './values.ts';
import type { Sample, Samples } from './visit.ts';

/** Who sends a request; `stolen` has a token of another form. */
export type Sender = 'anonymous' | 'user' | 'admin' | 'stolen';

/** `changes`: bytes of the written request to replace, as position (a share of its length) and value. */
export type FuzzRequest = {
  endpoint: string;
  sender: Sender;
  method: string;
  target: string;
  headers: [string, string][];
  body: string;
  changes: readonly { at: number; byte: number }[];
};

type Declared = {
  name: string;
  method: string;
  path: string;
  /** What its declaration says of its fields, without those in its path. */
  fields: Record<string, unknown>;
};

const ENDPOINTS: readonly Declared[] = [
  ...Object.entries(publicEndpoints).map(([name, { method, path, schema }]) => ({
    name,
    method,
    path,
    fields: Object.fromEntries(
      Object.entries(declaredFields(schema)).filter(([field]) => !path.includes(`:${field}`)),
    ),
  })),
  { name: 'stripeWebhook', method: 'POST', path: publicPaths.stripeWebhook, fields: {} },
  { name: 'sendgridWebhook', method: 'POST', path: publicPaths.sendgridWebhook, fields: {} },
  { name: 'pictures', method: 'GET', path: `${publicPaths.pictures}:name`, fields: {} },
  { name: 'live', method: 'GET', path: publicPaths.live, fields: {} },
];

const BOUNDARY = 'fuzz-boundary';
const part = (head: string, content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;

const formOf = (fields: object, picture: string | null): string =>
  part('name="userData"', JSON.stringify(fields)) +
  (picture === null ? '' : part('name="file"; filename="a.png"\r\nContent-Type: image/png', picture)) +
  `--${BOUNDARY}--\r\n`;

/** A value as text: an object from JSON may have a `toString` that is no function. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);

const queryOf = (fields: Record<string, unknown>): string =>
  String(
    new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, textOf(value)]),
    ),
  );

/** The usual value, and in one of `weight` + 1 cases another. */
const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

const filled = (path: string): fc.Arbitrary<string> => {
  const names = [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name);
  return fc.tuple(...names.map(valueOfParameter)).map((values) => {
    let index = 0;
    return path.replace(/:[a-zA-Z]+/g, () => encodeURIComponent(textOf(values[index++])));
  });
};

const extraHeaders: fc.Arbitrary<[string, string][]> = fc.uniqueArray(
  fc.constantFrom<[string, string]>(
    ['Idempotency-Key', 'fuzz-key'],
    ['Idempotency-Key', 'k'.repeat(300)],
    ['X-Forwarded-For', "203.0.113.7, ' OR 1=1"],
    ['Origin', 'https://evil.test'],
    ['Cookie', 'browser=a.b.c; XSRF-TOKEN=d'],
    ['Cookie', '=; ;; a'],
    ['X-XSRF-TOKEN', 'nonsense'],
    ['Accept-Encoding', 'gzip, zstd, identity;q=0'],
    ['If-None-Match', '"abc"'],
    ['Content-Encoding', 'gzip'],
    ['Range', 'bytes=0-10'],
    ['Stripe-Signature', 't=1,v1=00'],
    ['traceparent', '00-zz-zz-zz'],
    ['User-Agent', 'A'.repeat(2_000)],
    ['Expect', '100-continue'],
    ['Accept-Language', '*;q=0'],
  ),
  { maxLength: 2 },
);

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-7',
  'text/plain',
  'application/x-www-form-urlencoded',
  `multipart/form-data; boundary=${BOUNDARY}`,
  'multipart/form-data',
  '',
];

type Body = { type: string; body: string };

const bodyOf = ({ method, fields: declared }: Declared, sample: Sample): fc.Arbitrary<Body> => {
  if (method === 'GET') return fc.constant({ type: '', body: '' });
  const fields = fieldsOf(sample.body, declared);
  const valid: fc.Arbitrary<Body> = sample.isForm
    ? fc
        .tuple(fields, fc.option(fc.string({ unit: 'binary', maxLength: 400 }), { nil: null }))
        .map(([values, picture]) => ({
          type: `multipart/form-data; boundary=${BOUNDARY}`,
          body: formOf(values, picture),
        }))
    : fields.map((values) => ({ type: 'application/json', body: JSON.stringify(values) }));
  const invalid: fc.Arbitrary<Body> = fc.record({
    type: fc.constantFrom(...CONTENT_TYPES),
    body: fc.oneof(fc.json(), fc.string({ unit: 'binary', maxLength: 200 }), fc.constant('['.repeat(3_000))),
  });
  return mostly(4, valid, invalid);
};

const SENDERS = 'anonymous user user user admin admin admin stolen'.split(' ') as Sender[];
const METHODS = 'GET POST PUT DELETE PATCH HEAD OPTIONS TRACE'.split(' ');
type Changes = FuzzRequest['changes'];

const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) });
const changesOf = mostly<Changes>(6, fc.constant([]), fc.array(change, { minLength: 1, maxLength: 3 }));

const requestOf = (endpoint: Declared, sample: Sample): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      sender: fc.constantFrom(...SENDERS),
      method: mostly(15, fc.constant(endpoint.method), fc.constantFrom(...METHODS)),
      path: filled(endpoint.path),
      prefix: fc.constantFrom('', '', '', '/api'),
      query: fc.option(fieldsOf(sample.query, endpoint.method === 'GET' ? endpoint.fields : {}), { nil: {} }),
      content: bodyOf(endpoint, sample),
      extra: mostly(2, fc.constant<[string, string][]>([]), extraHeaders),
      changes: changesOf,
    })
    .map(({ sender, method, path, prefix, query, content, extra, changes }) => {
      const search = queryOf(query);
      const base = endpoint.path.startsWith('/api/') ? '' : prefix;
      const type: [string, string][] = content.type === '' ? [] : [['Content-Type', content.type]];
      return {
        endpoint: endpoint.name,
        sender,
        method,
        target: `${base}${path}${search === '' ? '' : `?${search}`}`,
        headers: [...type, ...extra],
        body: content.body,
        changes,
      };
    });

const NO_FIELDS: Sample = { query: {}, body: {}, isForm: false };

/** `count` requests to all endpoints, with fields like those of the samples and of the declarations: the same for the same samples and seed. */
export const generateRequests = (
  samples: Samples,
  { seed, count }: { seed: number; count: number },
): FuzzRequest[] => {
  const all = ENDPOINTS.map((endpoint) => requestOf(endpoint, samples.get(endpoint.name) ?? NO_FIELDS));
  return fc.sample(fc.oneof(...all), { seed, numRuns: count });
};
