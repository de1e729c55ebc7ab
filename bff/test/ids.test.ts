import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { MATRIX } from './authorisation-matrix.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { respondWith, type Bff, type RawResponse, send, startBff } from './support.ts';

type EndpointName = keyof typeof publicEndpoints;

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());
beforeEach(() => {
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(({ url }) =>
    url === '/pictures' ? {} : { data: { id: uuidv7(), email: 'a@b.co', ...ana }, planState: { version: 1 } },
  );
});

const roleAt = (name: EndpointName): 'user' | 'admin' =>
  MATRIX[name].admin === 'allowed' ? 'admin' : 'user';
const call = async (name: EndpointName, target: string, body?: object): Promise<RawResponse> => {
  const { method } = publicEndpoints[name];
  const { token } = await bff.sessions.begin(uuidv7(), roleAt(name));
  const isForm = name === 'updateUser';
  return send(bff.port, target, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': isForm ? MULTIPART : 'application/json' },
    ...(method === 'GET'
      ? {}
      : { body: isForm ? form(field('userData', JSON.stringify(ana))) : JSON.stringify(body ?? {}) }),
  });
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
  'an id with a suffix': `${uuidv7()}x`,
  'an id in braces': `{${uuidv7()}}`,
  'an id without its dashes': uuidv7().replaceAll('-', ''),
};

/** The endpoints that only proxy: their service validates the id, and is tested for it. */
const PROXIED = new Set<EndpointName>(['commitReservation', 'releaseReservation']);
const endpointsWithId = (Object.keys(publicEndpoints) as EndpointName[]).filter(
  (name) => publicEndpoints[name].path.includes(':') && !PROXIED.has(name),
);

describe('D3 an invalid id', () => {
  it('is tested at every endpoint with a path parameter', () => {
    expect(endpointsWithId.toSorted()).toEqual(
      ['billingPortal', 'deleteUser', 'getUser', 'grantPlan', 'revokePlan', 'updateUser'].toSorted(),
    );
  });

  // A number and JavaScript property names match the form of the provider's ids.
  const cells = endpointsWithId.flatMap((name) =>
    Object.keys(INVALID_IDS)
      .filter((kind) => name !== 'billingPortal' || !/^[A-Za-z0-9_]{1,100}$/.test(INVALID_IDS[kind] ?? ''))
      .map((kind) => [name, kind] as const),
  );

  it.each(cells)('D3 %s refuses %s and calls no service', async (name, kind) => {
    const target = publicEndpoints[name].path.replace(
      /:[a-zA-Z]+/,
      encodeURIComponent(INVALID_IDS[kind] ?? ''),
    );
    expect([400, 404]).toContain((await call(name, target)).status);
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(['user_id', 'id', 'userId'])('D3 another %s in the query or the body is ignored', async (key) => {
    const [id, other] = [uuidv7(), uuidv7()];
    const target = `${publicEndpoints.grantPlan.path.replace(':userId', id)}?${key}=${other}&${key}[]=${other}`;
    expect((await call('grantPlan', target, { [key]: [other] })).status).toBe(200);
    expect(bff.upstream.requests.length).toBeGreaterThan(0);
    expect(bff.upstream.requests.filter(({ url, body }) => `${url} ${String(body)}`.includes(other))).toEqual(
      [],
    );
  });

  it.each([
    [['cs_1', 'cs_2']],
    [{ $ne: null }],
    [-1],
    ['cs_1/../x'],
    ['9'.repeat(2_000)],
    ["' OR 1=1"],
    [null],
  ])('D3 a payment confirmation for %j is refused', async (xsl) => {
    expect((await call('confirmPayment', '/user-payment', { xsl, user: { id: [uuidv7()] } })).status).toBe(
      400,
    );
    expect(bff.upstream.requests).toEqual([]);
  });
});

/** Fields that a user must not set. */
const PROTECTED_FIELDS = {
  plan: 'premium',
  role: 'admin',
  composed: 0,
  current_period_end: '2999-01-01T00:00:00.000Z',
  current_period_start: '2020-01-01T00:00:00.000Z',
  last_credit_reset: '2020-01-01T00:00:00.000Z',
  stripe_customer_id: 'cus_other',
  subscription: { isPremium: true },
  id: uuidv7(),
  user_id: uuidv7(),
  createdAt: '2001-01-01T00:00:00.000Z',
  picture: `${'f'.repeat(32)}.jpg`,
  passwordHash: '$argon2id$v=19$mine',
  password_hash: '$argon2id$v=19$mine',
  planState: { version: 99 },
  premiumUntil: '2999-01-01T00:00:00.000Z',
};

describe('D2 a protected field', () => {
  const sentUpstream = (): string =>
    bff.upstream.requests.map(({ url, body }) => `${url} ${String(body)}`).join('\n');
  const values = Object.values(PROTECTED_FIELDS).filter(
    (value) => typeof value === 'string' && value.length > 8,
  );
  const names = ['plan', 'role', 'composed', 'stripe_customer_id', 'passwordHash', 'planState', 'isPremium'];

  it('D2 in a sign-up reaches no service', async () => {
    const userData = { ...ana, email: 'ana@talent.test', password: 'secret1', ...PROTECTED_FIELDS };
    const body = form(
      field('userData', JSON.stringify(userData)),
      field('plan', 'premium'),
      field('role', 'admin'),
    );
    const response = await send(bff.port, '/signup', {
      method: 'POST',
      headers: { 'content-type': MULTIPART },
      body,
    });
    expect(response.status).toBe(201);
    for (const value of values) expect(sentUpstream()).not.toContain(value);
    for (const name of names) expect(sentUpstream()).not.toContain(`"${name}"`);
  });

  it('D2 in an edit reaches no service, and neither does another email', async () => {
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(userId, 'user');
    const userData = JSON.stringify({ ...ana, email: 'other@talent.test', ...PROTECTED_FIELDS });
    const response = await send(bff.port, `/users/${userId}?role=admin`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
      body: form(field('userData', userData), field('id', uuidv7())),
    });
    expect(response.status).toBe(200);
    const edit = bff.upstream.requests.find(({ method }) => method === 'PUT');
    expect(edit?.url).toBe(`/profiles/${userId}`);
    expect(Object.keys(JSON.parse(String(edit?.body)) as object).toSorted()).toEqual(
      Object.keys(ana).toSorted(),
    );
    for (const value of [...values, 'other@talent.test']) expect(sentUpstream()).not.toContain(value);
  });
});
