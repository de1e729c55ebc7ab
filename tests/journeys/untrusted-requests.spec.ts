import { request as httpRequest } from 'node:http';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { System } from '@shortlist/local/system';
import { ask, logInAdmin, newPerson, register } from './client.ts';
import { expect, test } from './system.ts';

type EndpointName = keyof typeof publicEndpoints;
type Sent = { method: string; target: string; headers?: Record<string, string | string[]>; body?: string };
type Reply = { status: number; text: string };

const NAMES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;
const FORM = 'multipart/form-data; boundary=b';
const ADMINS = new Set<EndpointName>([
  ...(['listUsers', 'exportUsers', 'newestUsers', 'getUser', 'grantPlan', 'revokePlan'] as const),
  ...(['earnings', 'audit', 'checkAdmin', 'deleteUser'] as const),
]);

/** What stands where a value should, as JSON text: what JavaScript cannot hold has no other form. */
const VALUES = [
  ...['null', 'true', '-0', '-1', '1e309', '9007199254740993', 'NaN', '""', '"\\u0000"', '"\\ud800"'],
  ...[
    '"😀😀😀"',
    '"\\u202e"',
    '[]',
    '["a","b"]',
    '{}',
    '{"__proto__":{"x":1}}',
    '{"$gt":""}',
    '{"length":1}',
  ],
  ...[`"${'x'.repeat(5_000)}"`, '"\' OR 1=1 --"', '"../../etc"', '"<script>"', '"+275760-09-13"'],
];
/** What stands where a body should. */
const BODIES = [
  ...[
    '',
    '{',
    '[1,2]',
    'null',
    '"x"',
    '{"__proto__":{"email":"a@b.co"}}',
    '{"a":1}{"b":2}',
    '\u0000',
    '\ufeff{}',
  ],
  ...[`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, `{"a":"${'x'.repeat(70_000)}"}`],
];
/** What stands where a value of a query should. */
const QUERY_VALUES = [
  ...['', '%00', '%ff', '%ED%A0%80', '%F0%9F%98%80', '-1', '1e309', '9007199254740993', 'NaN', '__proto__'],
  ...['x'.repeat(3_000), "'%20OR%201=1", '%25', '%E2%80%AE', '%2B275760-09-13', '9999-12-31T23:59:59-14:00'],
  ...['2026-13-45', '2026-01-01T23:59:60Z', 'Etc/GMT%2B12', 'eyJfX3Byb3RvX18iOjF9', 'W1sieCJdLCLwn5iAIl0'],
];
const QUERIES: Partial<Record<EndpointName, readonly string[]>> = {
  listUsers: ['search', 'plan', 'country', 'joinedFrom', 'joinedTo', 'sort', 'limit', 'cursor'],
  exportUsers: ['search', 'plan', 'country', 'joinedFrom', 'joinedTo', 'sort', 'timeZone'],
  newestUsers: ['limit'],
  earnings: ['period', 'timeZone'],
  audit: ['targetId', 'actorId', 'action', 'address', 'from', 'to', 'before', 'limit'],
  creditsHistory: ['limit', 'cursor', 'userId'],
  emailAvailability: ['email'],
};
const PATHS = [
  ...[
    '/%',
    '/api/users/%',
    '/profile_pictures/%ff.jpg',
    '/profile_pictures/a/b',
    '/assets/%',
    '/%F0%9F%98%80',
  ],
  ...[
    '/%ED%A0%80',
    '/?%',
    '/users??',
    '/__proto__',
    '/api',
    `/${'a'.repeat(8_000)}`,
    '/profile_pictures/__proto__',
  ],
];
const FIELDS = [
  'email',
  'password',
  'firstName',
  'city',
  'country',
  'linkedin',
  'version',
  'roleType',
  '__proto__',
];

const send = (base: string, { method, target, headers = {}, body }: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const options = { hostname, port, path: target, method, headers, agent: false };
    const request = httpRequest(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.setTimeout(20_000, () => request.destroy(new Error('no answer')));
    request.on('error', (error) => reject(new Error(`${method} ${target.slice(0, 100)}: ${error.message}`)));
    request.end(body);
  });

const withValue = (fields: object, name: string, value: string): string => {
  const others = Object.entries(fields).filter(([key]) => key !== name);
  const inside = [...others.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)];
  return `{${[...inside, `${JSON.stringify(name)}:${value}`].join(',')}}`;
};
const formOf = (userData: string): string =>
  `--b\r\nContent-Disposition: form-data; name="userData"\r\n\r\n${userData}\r\n--b--\r\n`;

type People = { user: string; admin: string; other: string };

const toEndpoints = ({ user, admin, other }: People): Sent[] => {
  const endpoints = (Object.keys(publicEndpoints) as EndpointName[]).filter((name) => name !== 'logout');
  return endpoints.flatMap((name) => {
    const { method, path } = publicEndpoints[name];
    const authorization = `Bearer ${ADMINS.has(name) ? admin : user}`;
    const ids = { id: other, userId: other, reservationId: other };
    const target = name === 'deleteUser' ? '/users/nobody' : fillPath(path, ids).path;
    const headers = { authorization, 'idempotency-key': 'hostile-key' };
    const types = ['application/json', 'application/json; charset=utf-16', 'text/plain', FORM];
    const bodies = types.flatMap((type) =>
      BODIES.map((body) => ({ method, target, headers: { ...headers, 'content-type': type }, body })),
    );
    const queries = (QUERIES[name] ?? []).flatMap((key) =>
      QUERY_VALUES.flatMap((value) =>
        [`${key}=${value}`, `${key}=${value}&${key}=1`, `${key}[]=${value}`].map((query) => ({
          method,
          target: `${target}?period=week&${query}`,
          headers,
        })),
      ),
    );
    const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE'].filter((other) => other !== method);
    return [
      ...(method === 'GET' || method === 'DELETE' ? [] : bodies),
      ...queries,
      ...methods.map((one) => ({ method: one, target, headers })),
      { method, target, headers: { ...headers, authorization: [authorization, 'Bearer x'] } },
      { method, target, headers: { ...headers, cookie: ['a=1; a=2', 'XSRF-TOKEN=%%%;;='] } },
      {
        method,
        target,
        headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
    ];
  });
};

const toFields = ({ user, admin, other }: People): Sent[] => {
  const asAdmin = { authorization: `Bearer ${admin}`, 'content-type': FORM };
  const asUser = { authorization: `Bearer ${user}`, 'content-type': 'application/json' };
  const { email: _email, password: _password, ...profile } = newPerson();
  return VALUES.flatMap((value) => [
    // Without a last name no form is whole, so none of these makes anybody.
    ...FIELDS.flatMap((field) => [
      {
        method: 'POST',
        target: '/signup',
        headers: asAdmin,
        body: formOf(withValue({ ...newPerson(), lastName: '' }, field, value)),
      },
      {
        method: 'PUT',
        target: `/users/${other}`,
        headers: asAdmin,
        body: formOf(withValue({ ...profile, lastName: '' }, field, value)),
      },
    ]),
    ...['reason', 'reference', 'holdSeconds'].flatMap((field) =>
      ['spend', 'reservations'].map((endpoint) => ({
        method: 'POST',
        target: `/api/credits/${endpoint}`,
        headers: asUser, // no idempotency key: nothing is spent
        body: withValue({ reason: 'email_found' }, field, value),
      })),
    ),
    { method: 'PUT', target: '/user-payment', headers: asUser, body: withValue({}, 'xsl', value) },
    ...['email', 'password'].map((field) => ({
      method: 'POST',
      target: '/login',
      headers: { 'content-type': 'application/json' },
      body: withValue({ email: 'a@b.co', password: '12345' }, field, value),
    })),
  ]);
};

const toPaths = ({ admin }: People): Sent[] =>
  PATHS.flatMap((target) =>
    ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => ({
      method,
      target,
      headers: { authorization: `Bearer ${admin}` },
    })),
  );

/** The form of every refusal (contracts/errors). */
const AGREED =
  /^\{"error":\{"code":"[a-z_.]+","message":".+",("fields":\{.+\},)?"requestId":"[0-9a-f-]+"\}\}$/;

/** What is wrong with an answer to what should never have been sent; null when it is as agreed. */
const wrongWith = ({ method }: Sent, { status, text }: Reply): string | null => {
  if (status >= 500) return `answered ${status} ${text}`;
  if (status < 400 || method === 'HEAD') return null;
  return AGREED.test(text) ? null : `says ${text}`;
};

const sendAll = async (base: string, requests: Sent[]): Promise<string[]> => {
  const found: string[] = [];
  const left = requests[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const sent of left) {
      const wrong = wrongWith(sent, await send(base, sent));
      if (wrong !== null)
        found.push(`${sent.method} ${sent.target.slice(0, 200)} ${sent.body?.slice(0, 200) ?? ''} ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return found;
};

const countUsers = async ({ publicUrl }: System, token: string): Promise<number> =>
  (await ask<{ total: number }>(`${publicUrl}/users?limit=1`, 'GET', { token })).body.total;

test('J6 K4 whatever is sent to any door, it is refused in the agreed form or taken for what it is; nobody is made, no process ends', async ({
  system,
}) => {
  const [user, other] = [await register(system), await register(system)];
  const admin = await logInAdmin(system);
  const people = { user: user.token, admin, other: other.id };
  const pids = NAMES.map((name) => system.process(name).pid);
  const logged = NAMES.map((name) => system.process(name).logs().length);
  const before = await countUsers(system, admin);

  const requests = [...toEndpoints(people), ...toFields(people), ...toPaths(people)];
  expect(requests.length).toBeGreaterThan(1_500);
  expect(await sendAll(system.publicUrl, requests)).toEqual([]);

  expect(await countUsers(system, admin)).toBe(before);
  expect(NAMES.map((name) => system.process(name).pid)).toEqual(pids);
  const since = NAMES.map((name, at) => system.process(name).logs().slice(logged[at]));
  expect(since.join('\n').match(/.*"level":"(error|fatal)".*/g) ?? []).toEqual([]);
});
