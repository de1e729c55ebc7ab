import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { MATRIX } from './authorisation-matrix.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { answering, type Bff, type RawReply, send, startBff } from './support.ts';

type EndpointName = keyof typeof publicEndpoints;

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());
beforeEach(() => {
  bff.upstream.seen.length = 0;
  bff.upstream.reply = answering(({ url }) =>
    url === '/pictures' ? {} : { data: { id: uuidv7(), email: 'a@b.co', ...ana }, planState: { version: 1 } },
  );
});

const roleAt = (name: EndpointName): 'user' | 'admin' => (MATRIX[name].admin === 'opens' ? 'admin' : 'user');
const ask = async (name: EndpointName, target: string, body?: object): Promise<RawReply> => {
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

/** What stands where an id should. */
const NO_IDS: Record<string, string> = {
  'a list': `${uuidv7()},${uuidv7()}`,
  'a list in brackets': '["1","2"]',
  'an object': '{"$ne":null}',
  'an object as JavaScript writes it': '[object Object]',
  'a negative number': '-1',
  'a number': '1',
  'a huge number': '9'.repeat(2_000),
  SQL: "1' OR '1'='1' -- ",
  'more SQL': '1; DROP TABLE accounts',
  __proto__: '__proto__',
  constructor: 'constructor',
  'nothing but a space': ' ',
  'an id with more behind it': `${uuidv7()}x`,
  'an id in braces': `{${uuidv7()}}`,
  'an id without its dashes': uuidv7().replaceAll('-', ''),
};

/** Every door whose address names something; those that only pass on are held by the service behind them. */
const PASSED_ON = new Set<EndpointName>(['commitReservation', 'releaseReservation']);
const named = (Object.keys(publicEndpoints) as EndpointName[]).filter(
  (name) => publicEndpoints[name].path.includes(':') && !PASSED_ON.has(name),
);

describe('D3 an id that is none', () => {
  it('is looked for at every door that takes one', () => {
    expect(named.toSorted()).toEqual(
      ['billingPortal', 'deleteUser', 'getUser', 'grantPlan', 'revokePlan', 'updateUser'].toSorted(),
    );
  });

  // The provider's ids have their own form, which a number and the names of JavaScript fit.
  const cells = named.flatMap((name) =>
    Object.keys(NO_IDS)
      .filter((kind) => name !== 'billingPortal' || !/^[A-Za-z0-9_]{1,100}$/.test(NO_IDS[kind] ?? ''))
      .map((kind) => [name, kind] as const),
  );

  it.each(cells)('D3 %s refuses %s and asks nobody', async (name, kind) => {
    const target = publicEndpoints[name].path.replace(/:[a-zA-Z]+/, encodeURIComponent(NO_IDS[kind] ?? ''));
    expect([400, 404]).toContain((await ask(name, target)).status);
    expect(bff.upstream.seen).toEqual([]);
  });

  it.each(['user_id', 'id', 'userId'])(
    'D3 a second %s beside the one in the address is passed over',
    async (key) => {
      const [id, other] = [uuidv7(), uuidv7()];
      const target = `${publicEndpoints.grantPlan.path.replace(':userId', id)}?${key}=${other}&${key}[]=${other}`;
      expect((await ask('grantPlan', target, { [key]: [other] })).status).toBe(200);
      expect(bff.upstream.seen.length).toBeGreaterThan(0);
      expect(bff.upstream.seen.filter(({ url, body }) => `${url} ${String(body)}`.includes(other))).toEqual(
        [],
      );
    },
  );

  it.each([
    [['cs_1', 'cs_2']],
    [{ $ne: null }],
    [-1],
    ['cs_1/../x'],
    ['9'.repeat(2_000)],
    ["' OR 1=1"],
    [null],
  ])('D3 a payment named %j is refused', async (xsl) => {
    expect((await ask('confirmPayment', '/user-payment', { xsl, user: { id: [uuidv7()] } })).status).toBe(
      400,
    );
    expect(bff.upstream.seen).toEqual([]);
  });
});

/** What a person may not say about themselves. */
const NOT_THEIRS = {
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

describe('D2 what is not theirs to say', () => {
  const sentUpstream = (): string =>
    bff.upstream.seen.map(({ url, body }) => `${url} ${String(body)}`).join('\n');
  const values = Object.values(NOT_THEIRS).filter((value) => typeof value === 'string' && value.length > 8);
  const names = ['plan', 'role', 'composed', 'stripe_customer_id', 'passwordHash', 'planState', 'isPremium'];

  it('D2 in a sign-up is passed to no service', async () => {
    const userData = { ...ana, email: 'ana@talent.test', password: 'secret1', ...NOT_THEIRS };
    const body = form(
      field('userData', JSON.stringify(userData)),
      field('plan', 'premium'),
      field('role', 'admin'),
    );
    const reply = await send(bff.port, '/signup', {
      method: 'POST',
      headers: { 'content-type': MULTIPART },
      body,
    });
    expect(reply.status).toBe(201);
    for (const value of values) expect(sentUpstream()).not.toContain(value);
    for (const name of names) expect(sentUpstream()).not.toContain(`"${name}"`);
  });

  it('D2 in an edit is passed to no service, nor is another address', async () => {
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(userId, 'user');
    const userData = JSON.stringify({ ...ana, email: 'other@talent.test', ...NOT_THEIRS });
    const reply = await send(bff.port, `/users/${userId}?role=admin`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
      body: form(field('userData', userData), field('id', uuidv7())),
    });
    expect(reply.status).toBe(200);
    const edit = bff.upstream.seen.find(({ method }) => method === 'PUT');
    expect(edit?.url).toBe(`/profiles/${userId}`);
    expect(Object.keys(JSON.parse(String(edit?.body)) as object).toSorted()).toEqual(
      Object.keys(ana).toSorted(),
    );
    for (const value of [...values, 'other@talent.test']) expect(sentUpstream()).not.toContain(value);
  });
});
