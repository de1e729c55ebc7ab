import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { STRIPE_WEBHOOK_BYTES } from '@shortlist/contracts/api/billing';
import { SENDGRID_WEBHOOK_BYTES } from '@shortlist/contracts/api/email';
import { ASSERTION_BYTES, REGISTRATION_BYTES } from '@shortlist/contracts/api/factors';
import { FIELD_MAX_BYTES } from '../src/handlers/form.ts';
import {
  ana,
  bearer,
  type EndpointName,
  endpointNames,
  field,
  form,
  openRequest,
  type Input,
  type Operation,
  type RawResponse,
  send,
} from './requests.ts';
import { respondAsAccount, useBff } from './support.ts';
import { MATRIX, roleFor } from './authorisation-matrix.ts';
import { EXAMPLE_BODIES } from './example-bodies.ts';

const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' });
const named = await useBff({
  PUBLIC_URL: 'https://People.Talent.test',
  ALLOWED_HOSTS: 'people.internal, 10.0.0.7:5000',
});
beforeEach(() => {
  bff.upstream.respond = respondAsAccount();
});
const { authorization } = bearer(await bff.begin('admin'));
const PATHS = ['/login', '/api/config', '/profile_pictures/x.jpg', '/nowhere', '/nowhere.txt'];
const GZIP = { 'content-encoding': 'gzip' };

describe('a bad request', () => {
  it.each<[what: string, Operation, Input, status: number, code: string]>([
    ['JSON that breaks off', 'login', { body: '{"email":' }, 400, 'request.malformed'],
    ['a list', 'login', { body: '[1,2]' }, 400, 'request.invalid'],
    ['null', 'login', { body: 'null' }, 400, 'request.malformed'],
    ['no texts', 'login', { body: { email: { $gt: '' }, password: ['x'] } }, 400, 'identity.login_invalid'],
    ['a text of 70 kB', 'login', { body: { email: 'a'.repeat(70_000) } }, 413, 'request.too_large'],
    ['a path that nothing has', 'POST /nowhere', {}, 404, 'request.not_found'],
    [
      'a gzip bomb',
      'login',
      { headers: GZIP, body: gzipSync(Buffer.alloc(1 << 20, ' ')) },
      415,
      'request.unsupported_type',
    ],
    ['a compressed body', 'login', { headers: GZIP, body: gzipSync('{}') }, 415, 'request.unsupported_type'],
    [
      'a body that is only said to be compressed',
      'login',
      { headers: GZIP },
      415,
      'request.unsupported_type',
    ],
  ])('B13 with %s is refused', async (_what, operation, input, status, code) => {
    const response = await bff.call(operation, input);
    expect([response.status, response.code]).toEqual([status, code]);
  });

  it('B13 an address with more than fifty parameters is refused in words, for pages and endpoints alike', async () => {
    const query = (count: number): string =>
      Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    for (const path of PATHS) {
      const { status, body, code } = await send(bff.port, `${path}?${query(51)}`);
      expect([status, code]).toEqual([400, 'request.too_many_parameters']);
      expect(body).toContain('The address has more than 50 parameters. Send fewer.');
      expect((await send(bff.port, `${path}?${query(50)}`)).body).not.toContain('too_many_parameters');
    }
  });

  it.each([{ 'content-type': 'application/problem+json' }, {}])(
    'a body that is not JSON is refused, since what it asks for would be ignored: %j',
    async (type) => {
      const body = '{"when":"period_end"}'; // without it the plan would end at once
      const request = { method: 'PUT', headers: { authorization, ...type }, body };
      const { status, code } = await send(bff.port, `/admin/unsubscribe/${uuidv7()}`, request);
      expect([status, code]).toEqual([415, 'request.unsupported_type']);
    },
  );

  it('JSON is UTF-8, whichever of its labels the request has; another charset is refused in words', async () => {
    const post = (type: string) => bff.call('login', { headers: { 'content-type': type } });
    for (const label of ['utf8', '"UTF-8"', 'Unicode-1-1-UTF-8', 'x-unicode20utf8'])
      expect((await post(`application/json;charset=${label}`)).status, label).toBe(400);
    for (const label of ['latin1', 'utf-16le', 'utf-7', 'ascii', '""']) {
      const { status, body, code } = await post(`Application/Json; Charset = ${label}`);
      expect([label, status, code]).toEqual([label, 415, 'request.unsupported_charset']);
      expect(body).toContain('Send text as UTF-8.');
    }
  });

  it('the live updates accept no query', async () => {
    const { status, json } = await send(bff.port, '/api/live?since=1', { headers: { authorization } });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { fields: { since: 'There is no field with this name' } } });
  });

  it('an invalid login returns the messages of the login form for its fields', async () => {
    const fields = {
      email: 'Email must contain at least four characters',
      password: 'Please provide your login Password',
    };
    const error = { message: 'Please provide valid email and password', fields };
    expect((await bff.call('login', { body: { email: 'no', password: '' } })).json).toMatchObject({ error });
  });

  it('a known path with another method returns 405 and the allowed methods', async () => {
    const { status, headers } = await send(bff.port, '/login', { method: 'DELETE' });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it.each([
    ...['/api//users', '/api/../users', '/users/%2e%2e/x', '/users/..', '/api\\users', '/users;x=1'],
    ...['http://evil.test/users', '/%00'],
  ])('B11 the target %s is refused and reaches no service', async (target) => {
    expect((await send(bff.port, target, { headers: { authorization } })).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
  });

  const ID = uuidv7();
  const TRICKS = [
    ...['/Users', '/users/', '/USERS', '/api/users/newest/', '/Admin', '//users', '/%75sers', '/users%2f'],
    ...['/users%00', '/admin;/', '//admin', '/admin/../users', '/admin%2f..%2fusers', '/api/%2e%2e/users'],
    '/users;a=b',
  ].map((path) => `GET ${path}` as const);
  const CHANGES = ['/Admin', '/admin;', '//admin', '/%61dmin', '/admin/.', '/ADMIN'].flatMap(
    (prefix) => [`PUT ${prefix}/unsubscribe/${ID}`, `PUT /api${prefix}/user-payment/${ID}`] as const,
  );
  const DELETIONS = [`/Users/${ID}`, `//users/${ID}`, `/users/${ID}/`].map(
    (path) => `DELETE ${path}` as const,
  );

  it.each([...TRICKS, ...CHANGES, ...DELETIONS])(
    'D4 admin routes not reachable by path tricks (`/Admin`, `/admin;/`, `//admin`): %s',
    async (operation) => {
      const { status, body } = await bff.call(operation, { as: 'user' });
      const isPage = status === 200 && body.includes('<title>');
      expect([400, 403, 404, 405]).toContain(isPage ? 404 : status);
      expect(bff.upstream.requests).toEqual([]);
    },
  );

  const HEAD = 'HTTP/1.1\r\nHost: a\r\n';
  it.each([
    ['two lengths', `POST /login ${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a negative length', `POST /login ${HEAD}Content-Length: -1\r\n\r\n`],
    ['an endless length', `POST /login ${HEAD}Content-Length: ${'9'.repeat(30)}\r\n\r\n`],
    ['an invalid chunk', `POST /login ${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['no host', 'GET /api/config HTTP/1.1\r\n\r\n'],
    ['an unknown method', `G\x00T /api/config ${HEAD}\r\n`],
    ['an unknown version', 'GET /api/config HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a byte beyond ASCII in the target', `GET /api/conf\xffg ${HEAD}\r\n`],
    ['a null in a header', `GET /api/config ${HEAD}Cookie: a=\x00\r\n\r\n`],
    ['a header without a name', `GET /api/config ${HEAD}: b\r\n\r\n`],
    ['bytes of another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ])('B11 a request with %s is refused, and the next one is served', async (_what, bytes) => {
    const socket = connect(bff.port, '127.0.0.1').end(Buffer.from(bytes, 'latin1'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400/);
    expect((await send(bff.port, '/api/config')).status).toBe(200);
  });

  it('B9 malformed and repeated cookies are ignored or refused, never a 500', async () => {
    const statusWith = async (cookie: string) => (await bff.call('config', { headers: { cookie } })).status;
    for (const cookie of ['a=1; a=2', '=;;=', `big=${'x'.repeat(12_000)}`, 'browser=%%%; XSRF-TOKEN='])
      expect(await statusWith(cookie)).toBe(200);
    expect(await statusWith(`x=${'y'.repeat(20_000)}`)).toBe(431);
  });
});

describe('the host of a request', () => {
  const OURS = 'people.talent.test';

  it.each([OURS, 'PEOPLE.talent.test:443', 'people.internal', 'people.internal:5000', '10.0.0.7'])(
    'B11 %s is ours',
    async (host) => expect((await send(named.port, '/login', { headers: { host } })).status).toBe(200),
  );

  it.each([
    ...['evil.test', `${OURS}.evil.test`, `${OURS}@evil.test`, `evil.test/${OURS}`, 'localhost', '127.0.0.1'],
    '',
  ])('B11 %j is refused, for pages and endpoints alike', async (host) => {
    for (const path of PATHS) expect((await send(named.port, path, { headers: { host } })).status).toBe(400);
    const { body } = await send(named.port, '/api/config', { headers: { host } });
    expect(body).toContain('request.wrong_host');
    expect(body).not.toContain('evil');
  });

  it.each([
    [OURS, 'evil.test'],
    ['evil.test', OURS],
    [OURS, OURS],
  ])('B11 the two Host headers %s and %s are refused, for pages and endpoints alike', async (host, Host) => {
    for (const path of PATHS) {
      const socket = openRequest(named.port, `GET ${path}`, { host, Host, connection: 'close' });
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*request\.malformed/);
    }
  });
});

const wrongFieldsOf = ({ json }: RawResponse): string[] =>
  Object.keys((json as { error: { fields?: object } }).error.fields ?? {});

/** Calls an endpoint with this text in place of each id, as an admin where one may call. */
const callWith = (name: EndpointName, id: string): Promise<RawResponse> => {
  const { path, ...endpoint } = publicEndpoints[name];
  const as = MATRIX[name].admin === 'allowed' ? 'admin' : 'user';
  const body = endpoint.body === 'form' ? { body: ana } : {};
  return bff.call({ ...endpoint, path: path.replaceAll(/:\w+/g, id) }, { as, ...body });
};

/** Values that are sent in place of an id. */
const INVALID_IDS: Record<string, string> = {
  'a list': `${uuidv7()},${uuidv7()}`,
  'a list in brackets': '["1","2"]',
  'an object': '{"$ne":null}',
  'an object converted to a string': '[object Object]',
  'a negative number': '-1',
  'a number': '1',
  'a huge number': '9'.repeat(2_000),
  SQL: "1' OR '1'='1' -- ",
  'more SQL': '1; DROP TABLE accounts',
  __proto__: '__proto__',
  constructor: 'constructor',
  'a space': ' ',
  'a letter beyond ASCII': `${uuidv7().slice(1)}é`,
  'full-width digits': uuidv7().replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'an emoji': '🎩',
  'an id with a suffix': `${uuidv7()}x`,
  'an id in braces': `{${uuidv7()}}`,
  'an id without its dashes': uuidv7().replaceAll('-', ''),
};

const withId = endpointNames.filter((name) => publicEndpoints[name].path.includes(':'));
/** Of a service's operations those that bff does not only pass on: otherwise the service validates the id, and is tested for it. */
const COMPOSED = ['grantCredits', 'removePasskey', 'resendInvitation', 'sendTestEvent', 'redeliver'];

describe('D3 an invalid id', () => {
  // A number and JavaScript property names match the form of the provider's ids, and some that of an email's name.
  const withoutUuid: EndpointName[] = ['billingPortal', 'openInvoiceFile', 'payment', 'sendExampleMail'];
  const cells = withId
    .filter((name) => publicEndpoints[name].operation === null || COMPOSED.includes(name))
    .flatMap((name) => Object.entries(INVALID_IDS).map(([kind, id]) => ({ name, kind, id })))
    .filter(({ name, id }) => !withoutUuid.includes(name) || !/^[A-Za-z0-9_]{1,100}$/.test(id));

  it.each(cells)('D3 $name refuses $kind and calls no service', async ({ name, id }) => {
    expect([400, 404]).toContain((await callWith(name, encodeURIComponent(id))).status);
    expect(bff.upstream.requests).toEqual([]);
  });

  type Cell = [target: string, call: (id: string) => Promise<RawResponse>];
  const ends = [
    '/profile_pictures/',
    ...['targetId', 'actorId', 'before'].map((filter) => `${publicEndpoints.audit.path}?${filter}=`),
  ];
  it.each<Cell>([
    ...withId.map((name): Cell => [name, (id) => callWith(name, id)]),
    ...ends.map((path): Cell => [path, (id) => bff.call(`GET ${path}${id}`, { as: 'admin' })]),
  ])('D3 %s responds 400 to an id beyond visible ASCII and calls no service', async (_, call) => {
    for (const id of ['%C3%A9', '%EF%BC%91', '%F0%9F%8E%A9', '%E9', '%FF', '%0A', '%7F', '1%C2%A0'])
      expect([id, (await call(id)).status]).toEqual([id, 400]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(['user_id', 'id', 'userId'])('D3 another %s in the query or the body is refused', async (key) => {
    for (const input of [{ query: `?${key}=${uuidv7()}` }, { body: { [key]: [uuidv7()] } }]) {
      const response = await bff.call('grantPlan', { as: 'admin', ...input });
      expect([response.status, wrongFieldsOf(response)]).toEqual([400, [key]]);
    }
    expect(bff.upstream.requests).toEqual([]);
  });

  const PAYMENTS = [['cs_1', 'cs_2'], { $ne: null }, -1, 'cs_1/../x', '9'.repeat(2_000), "' OR 1=1", null];
  it.each(PAYMENTS.map((xsl) => ({ xsl })))(
    'D3 a payment confirmation for %j is refused',
    async ({ xsl }) => {
      const body = { xsl, user: { id: [uuidv7()] } };
      expect((await bff.call('confirmPayment', { as: 'user', body })).status).toBe(400);
      expect(bff.upstream.requests).toEqual([]);
    },
  );
});

// The worst body of each endpoint: what is slow to read, or makes a long error.
const REPLY_MAX_BYTES = 4_096;
type WebhookName = 'stripeWebhook' | 'sendgridWebhook';
type Name = EndpointName | WebhookName;
const isWebhook = (name: Name): name is WebhookName => name.endsWith('Webhook') && name in publicPaths;
const FORMS = new Set<Name>(['signup', 'updateUser']);
const names: Name[] = [
  ...endpointNames.filter((name) => publicEndpoints[name].method !== 'GET'),
  'stripeWebhook',
  'sendgridWebhook',
];

const FORM_BYTES = 4 * 1024;
/** The endpoints that take more. */
const SIZES: Partial<Record<Name, number>> = {
  changePassword: 2 * FORM_BYTES,
  addNote: 4 * FORM_BYTES,
  createBulkJob: 6 * FORM_BYTES,
  createNotice: 2 * FORM_BYTES,
  changeNotice: 2 * FORM_BYTES,
  secondFactor: ASSERTION_BYTES,
  passkeyLogIn: ASSERTION_BYTES,
  reauthenticate: ASSERTION_BYTES,
  addPasskey: REGISTRATION_BYTES,
  stripeWebhook: STRIPE_WEBHOOK_BYTES,
  sendgridWebhook: SENDGRID_WEBHOOK_BYTES,
};
/** Forms have no more text than this beside their picture. */
const sizeOf = (name: Name): number => SIZES[name] ?? (FORMS.has(name) ? FIELD_MAX_BYTES : FORM_BYTES);

/** As many pieces as fit, between a start and an end. */
const fill = (bytes: number, [start, end]: [string, string], piece: (index: number) => string): string => {
  const pieces: string[] = [];
  let left = bytes - start.length - end.length;
  for (let index = 0; ; index += 1) {
    const text = piece(index);
    left -= Buffer.byteLength(text);
    if (left < 0) return start + pieces.join('') + end;
    pieces.push(text);
  }
};
const long = (bytes: number, text: string): string => fill(bytes, ['', ''], () => text);
const nested = (bytes: number): string => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;
const OBJECT: [string, string] = ['{"a":1', '}'];
const keys = (bytes: number): string => fill(bytes, OBJECT, (index) => `,"k${index}":1`);

/** JSON of `bytes` bytes; `body` is an ordinary body of the endpoint. */
const WORST: Record<string, (bytes: number, body: Record<string, unknown>) => string> = {
  'unknown keys': (bytes) => keys(bytes),
  'long names': (bytes) => fill(bytes, OBJECT, (index) => `,"${index}${'\\u0001'.repeat(80)}":1`),
  'prototype keys': (bytes) =>
    fill(bytes, OBJECT, () => ',"__proto__":{"a":1},"constructor":{},"toString":1'),
  'duplicated keys': (bytes) => fill(bytes, ['{"email":1', '}'], () => ',"email":1'),
  'deep nesting': (bytes) => `{"email":${nested(bytes - 12)}}`,
  'a long list': (bytes) => fill(bytes, ['[1', ']'], () => ',1'),
  'keys in each field': (bytes, body) => fields(bytes, body, keys),
  'a long text in each field': (bytes, body) => fields(bytes, body, (each) => `"${long(each - 2, 'a@')}"`),
  // Its compatibility form has eighteen characters.
  'a text that grows in each field': (bytes, body) =>
    fields(bytes, body, (each) => `"${long(each - 2, '\ufdfa')}"`),
  'no JSON': (bytes) => keys(bytes - 1).slice(0, -1),
};
const fields = (bytes: number, body: Record<string, unknown>, valueOf: (each: number) => string): string => {
  const fieldNames = Object.keys(body).length === 0 ? ['a'] : Object.keys(body);
  const each = Math.floor(bytes / fieldNames.length) - 40;
  return `{${fieldNames.map((name) => `"${name}":${valueOf(each)}`).join(',')}}`;
};

let sent = 0;
/** Sends a body as another user of another network each time, so that none reaches a limit. */
const sendBody = async (name: Name, body: string, announced?: number): Promise<RawResponse> => {
  sent += 1;
  const id = uuidv7();
  const needsSession = !isWebhook(name) && MATRIX[name].anonymous !== 'allowed';
  return bff.call(isWebhook(name) ? `POST ${publicPaths[name]}` : name, {
    id,
    ...(needsSession && { token: await bff.begin(roleFor(name), id) }),
    body: FORMS.has(name) ? form(field('userData', body)) : body,
    headers: {
      'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
      ...(announced !== undefined && { 'content-length': String(announced) }),
    },
  });
};

describe('the ordinary body', () => {
  // The rules of the others are those of the service that gets the body, or of the handler that reads the form.
  const declared = names
    .filter((name) => !isWebhook(name))
    .filter((name) => publicEndpoints[name].body === 'json');
  it.each(declared)('of %s has what it declares', (name) => {
    const { path, schema } = publicEndpoints[name];
    const { error } = schema.validate(EXAMPLE_BODIES[name], { abortEarly: false });
    const wrong = error?.details.filter(({ path: [field] }) => !path.includes(`:${field}`)) ?? [];
    expect(wrong.map(({ message }) => message)).toEqual([]);
  });
});

describe('the worst body', () => {
  it.each(names)(
    'B13 of %s is refused or read within its size, with a response of less than 4 KB',
    async (name) => {
      const bytes = sizeOf(name);
      for (const [kind, write] of Object.entries(WORST)) {
        const worst = write(bytes, EXAMPLE_BODIES[name]);
        expect(Buffer.byteLength(worst), kind).toBeLessThanOrEqual(bytes);
        const { status, body: reply } = await sendBody(name, worst);
        expect(status, kind).toBeLessThan(500);
        expect(reply.length, `${kind}: ${reply.slice(0, 200)}`).toBeLessThan(REPLY_MAX_BYTES);
      }
    },
  );

  it.each(names.filter((name) => !FORMS.has(name)))('B13 of %s has a size that is declared', async (name) => {
    const bytes = sizeOf(name);
    const fits = await sendBody(name, ' '.repeat(bytes));
    const tooLarge = await sendBody(name, ' ', bytes + 1);
    expect([fits.status === 413, tooLarge.status]).toEqual([false, 413]);
  });
});
