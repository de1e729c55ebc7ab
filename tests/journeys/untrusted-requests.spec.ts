import { request as httpRequest } from 'node:http';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { minutes } from '@shortlist/contracts/durations';
import { adminSignupSchema } from '@shortlist/contracts/schemas/account';
import { examplePath } from '@shortlist/contracts/testing/examples';
import type { System } from '@shortlist/local/system';
import { callApi, logInAdmin, newUser, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

type EndpointName = keyof typeof publicEndpoints;
type InvalidRequest = {
  method: string;
  target: string;
  headers?: Record<string, string | string[]>;
  body?: string;
};
type TextResponse = { status: number; text: string };

const NAMES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;
const FORM = 'multipart/form-data; boundary=b';
/** Values in place of a valid one, as JSON text, since JavaScript cannot represent all of them. */
const VALUES = [
  'null',
  'true',
  '-0',
  '-1',
  '1e309',
  '9007199254740993',
  'NaN',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"😀😀😀"',
  '"\\u202e"',
  '[]',
  '["a","b"]',
  '{}',
  '{"__proto__":{"x":1}}',
  '{"$gt":""}',
  '{"length":1}',
  `"${'x'.repeat(5_000)}"`,
  '"\' OR 1=1 --"',
  '"../../etc"',
  '"<script>"',
  '"+275760-09-13"',
];
/** Bodies in place of a valid one. */
const BODIES = [
  '',
  '{',
  '[1,2]',
  'null',
  '"x"',
  '{"__proto__":{"email":"a@b.co"}}',
  '{"a":1}{"b":2}',
  '\u0000',
  '\ufeff{}',
  `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  `{"a":"${'x'.repeat(70_000)}"}`,
];
/** Query values in place of a valid one. */
const QUERY_VALUES = [
  '',
  '%00',
  '%ff',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '-1',
  '1e309',
  '9007199254740993',
  'NaN',
  '__proto__',
  'x'.repeat(3_000),
  "'%20OR%201=1",
  '%25',
  '%E2%80%AE',
  '%2B275760-09-13',
  '9999-12-31T23:59:59-14:00',
  '2026-13-45',
  '2026-01-01T23:59:60Z',
  'Etc/GMT%2B12',
  'eyJfX3Byb3RvX18iOjF9',
  'W1sieCJdLCLwn5iAIl0',
];
const fieldsOf = (schema: { describe: () => object }): string[] =>
  Object.keys((schema.describe() as { keys?: object }).keys ?? {});

/** The fields that an endpoint reads from the query. */
const queryOf = (name: EndpointName): string[] => {
  const { method, path, schema } = publicEndpoints[name];
  return method === 'GET' ? fieldsOf(schema).filter((field) => !path.includes(`:${field}`)) : [];
};

const PATHS = [
  '/%',
  '/api/users/%',
  '/profile_pictures/%ff.jpg',
  '/profile_pictures/a/b',
  '/assets/%',
  '/%F0%9F%98%80',
  '/%ED%A0%80',
  '/?%',
  '/users??',
  '/__proto__',
  '/api',
  `/${'a'.repeat(8_000)}`,
  '/profile_pictures/__proto__',
];
const FIELDS = [...fieldsOf(adminSignupSchema), 'version', '__proto__'];

const send = (base: string, { method, target, headers = {}, body }: InvalidRequest): Promise<TextResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const options = { hostname, port, path: target, method, headers, agent: false };
    const request = httpRequest(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.setTimeout(20_000, () => request.destroy(new Error('no response')));
    request.on('error', (error) => reject(new Error(`${method} ${target.slice(0, 100)}: ${error.message}`)));
    request.end(body);
  });

const withValue = (fields: object, name: string, value: string): string => {
  const otherFields = Object.entries(fields).filter(([key]) => key !== name);
  const members = [...otherFields.map(([key, field]) => `${JSON.stringify(key)}:${JSON.stringify(field)}`)];
  return `{${[...members, `${JSON.stringify(name)}:${value}`].join(',')}}`;
};
const formOf = (userData: string): string =>
  `--b\r\nContent-Disposition: form-data; name="userData"\r\n\r\n${userData}\r\n--b--\r\n`;

/** Makes a form invalid whatever the field is, so that none creates a user. */
const withoutNameFor = (field: string) => (field === 'lastName' ? { firstName: '' } : { lastName: '' });

type Callers = { user: string; admin: string; other: string };

const toEndpoints = ({ user, admin, other }: Callers): InvalidRequest[] => {
  const endpoints = (Object.keys(publicEndpoints) as EndpointName[]).filter((name) => name !== 'logout');
  return endpoints.flatMap((name) => {
    const { method } = publicEndpoints[name];
    const authorization = `Bearer ${publicEndpoints[name].to === 'admins' ? admin : user}`;
    const target = name === 'deleteUser' ? '/users/unknown' : examplePath(publicEndpoints[name], other);
    const headers = { authorization, 'idempotency-key': 'hostile-key' };
    const types = ['application/json', 'application/json; charset=utf-16', 'text/plain', FORM];
    const bodies = types.flatMap((type) =>
      BODIES.map((body) => ({ method, target, headers: { ...headers, 'content-type': type }, body })),
    );
    const queries = queryOf(name).flatMap((key) =>
      QUERY_VALUES.flatMap((value) =>
        [`${key}=${value}`, `${key}=${value}&${key}=1`, `${key}[]=${value}`].map((query) => ({
          method,
          target: `${target}?period=week&${query}`,
          headers,
        })),
      ),
    );
    const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE'].filter((name) => name !== method);
    return [
      ...(method === 'GET' || method === 'DELETE' ? [] : bodies),
      ...queries,
      ...methods.map((otherMethod) => ({ method: otherMethod, target, headers })),
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

const toFields = ({ user, admin, other }: Callers): InvalidRequest[] => {
  const asAdmin = { authorization: `Bearer ${admin}`, 'content-type': FORM };
  const asUser = { authorization: `Bearer ${user}`, 'content-type': 'application/json' };
  const { email: _email, password: _password, ...profile } = newUser();
  return VALUES.flatMap((value) => [
    ...FIELDS.flatMap((field) => [
      {
        method: 'POST',
        target: '/signup',
        headers: asAdmin,
        body: formOf(withValue({ ...newUser(), ...withoutNameFor(field) }, field, value)),
      },
      {
        method: 'PUT',
        target: `/users/${other}`,
        headers: asAdmin,
        body: formOf(withValue({ ...profile, ...withoutNameFor(field) }, field, value)),
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

const toPaths = ({ admin }: Callers): InvalidRequest[] =>
  PATHS.flatMap((target) =>
    ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => ({
      method,
      target,
      headers: { authorization: `Bearer ${admin}` },
    })),
  );

/** The form of every error response (contracts/errors). */
const ERROR_BODY =
  /^\{"error":\{"code":"[a-z_.]+","message":".+",("fields":\{.+\},)?"requestId":"[0-9a-f-]+"\}\}$/;

/** Returns what is wrong with the response to an invalid request, or null. */
const problemOf = ({ method }: InvalidRequest, { status, text }: TextResponse): string | null => {
  if (status >= 500) return `returned ${status} ${text}`;
  if (status < 400 || method === 'HEAD') return null;
  return ERROR_BODY.test(text) ? null : `has the body ${text}`;
};

const sendAll = async (base: string, requests: InvalidRequest[]): Promise<string[]> => {
  const found: string[] = [];
  const queue = requests[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const invalidRequest of queue) {
      const problem = problemOf(invalidRequest, await send(base, invalidRequest));
      if (problem !== null)
        found.push(
          `${invalidRequest.method} ${invalidRequest.target.slice(0, 200)} ${invalidRequest.body?.slice(0, 200) ?? ''} ${problem}`,
        );
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return found;
};

const countUsers = async ({ publicUrl }: System, token: string): Promise<number> =>
  (await callApi<{ total: number }>(`${publicUrl}/users?limit=1`, 'GET', { token })).body.total;

test('J6 K4 invalid requests to every endpoint get the agreed error form or a valid response; no user is created and no process ends', async ({
  system,
}) => {
  test.setTimeout(minutes(6)); // two thousand requests, also beside another worker on a slow machine
  const [user, other] = [await register(system), await register(system)];
  const admin = await logInAdmin(system);
  const callers = { user: user.token, admin, other: other.id };
  const pids = NAMES.map((name) => system.process(name).pid);
  const logLengths = NAMES.map((name) => system.process(name).logs().length);
  const before = await countUsers(system, admin);

  const requests = [...toEndpoints(callers), ...toFields(callers), ...toPaths(callers)];
  expect(requests.length).toBeGreaterThan(1_500);
  expect(await sendAll(system.publicUrl, requests)).toEqual([]);

  expect(await countUsers(system, admin)).toBe(before);
  expect(NAMES.map((name) => system.process(name).pid)).toEqual(pids);
  const newLogs = NAMES.map((name, at) => system.process(name).logs().slice(logLengths[at]));
  expect(newLogs.join('\n').match(/.*"level":"(error|fatal)".*/g) ?? []).toEqual([]);
});
