import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { MATRIX } from './authorisation-matrix.ts';
import { ana, field, MULTIPART } from './multipart.ts';
import { type EndpointName, endpointNames, type Input, userForm } from './requests.ts';
import { type RawResponse, respondWith, useBff } from './support.ts';

const bff = await useBff();
beforeEach(() => {
  bff.upstream.respond = respondWith(({ url }) =>
    url === '/pictures' ? {} : { data: { id: uuidv7(), email: 'a@b.co', ...ana }, planState: { version: 1 } },
  );
});

const fieldsOf = ({ json }: RawResponse): string[] =>
  Object.keys((json as { error: { fields?: object } }).error.fields ?? {});

/** Calls an endpoint with this text in place of each id, as an admin where one may call. */
const callWith = (name: EndpointName, id: string): Promise<RawResponse> => {
  const { method, path } = publicEndpoints[name];
  return bff.call(`${method} ${path.replaceAll(/:\w+/g, id)}`, {
    as: MATRIX[name].admin === 'allowed' ? 'admin' : 'user',
    ...(name === 'updateUser' && { body: userForm(ana), headers: { 'content-type': MULTIPART } }),
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
  'a letter beyond ASCII': `${uuidv7().slice(1)}é`,
  'full-width digits': uuidv7().replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'an emoji': '🎩',
  'an id with a suffix': `${uuidv7()}x`,
  'an id in braces': `{${uuidv7()}}`,
  'an id without its dashes': uuidv7().replaceAll('-', ''),
};

const withId = endpointNames.filter((name) => publicEndpoints[name].path.includes(':'));
/** Of a service's operations those that bff does not only pass on: otherwise the service validates the id, and is tested for it. */
const COMPOSED = new Set<EndpointName>([
  'grantCredits',
  'removePasskey',
  'resendInvitation',
  'sendTestEvent',
  'redeliver',
]);

describe('D3 an invalid id', () => {
  // A number and JavaScript property names match the form of the provider's ids.
  const ofProvider = new Set<EndpointName>(['billingPortal', 'openInvoiceFile']);
  const cells = withId
    .filter((name) => publicEndpoints[name].operation === null || COMPOSED.has(name))
    .flatMap((name) => Object.entries(INVALID_IDS).map(([kind, id]) => ({ name, kind, id })))
    .filter(({ name, id }) => !ofProvider.has(name) || !/^[A-Za-z0-9_]{1,100}$/.test(id));

  it.each(cells)('D3 $name refuses $kind and calls no service', async ({ name, id }) => {
    expect([400, 404]).toContain((await callWith(name, encodeURIComponent(id))).status);
    expect(bff.upstream.requests).toEqual([]);
  });

  const foreign = ['%C3%A9', '%EF%BC%91', '%F0%9F%8E%A9', '%E9', '%FF', '%0A', '%7F', '1%C2%A0'];
  it.each(withId)('D3 %s responds 400 to an id beyond visible ASCII and calls no service', async (name) => {
    for (const id of foreign) expect([id, (await callWith(name, id)).status]).toEqual([id, 400]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each([
    '/profile_pictures/',
    ...['targetId', 'actorId', 'before'].map((filter) => `${publicEndpoints.audit.path}?${filter}=`),
  ])('D3 an id beyond visible ASCII is refused at the end of %s', async (path) => {
    for (const id of foreign)
      expect([id, (await bff.call(`GET ${path}${id}`, { as: 'admin' })).status]).toEqual([id, 400]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(['user_id', 'id', 'userId'])('D3 another %s in the query or the body is refused', async (key) => {
    for (const input of [{ query: `?${key}=${uuidv7()}` }, { body: { [key]: [uuidv7()] } }]) {
      const response = await bff.call('grantPlan', { as: 'admin', ...input });
      expect([response.status, fieldsOf(response)]).toEqual([400, [key]]);
    }
    expect(bff.upstream.requests).toEqual([]);
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
    const body = { xsl, user: { id: [uuidv7()] } };
    expect((await bff.call('confirmPayment', { as: 'user', body })).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
  });
});

/** Fields that a user must not set. */
const PROTECTED_FIELDS: Record<string, unknown> = {
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
  const names = Object.keys(PROTECTED_FIELDS);

  /** The names of the refused fields, after an error that reached no service. */
  const refusedFields = async (name: 'signup' | 'updateUser', input: Input): Promise<string[]> => {
    const id = uuidv7();
    const session = name === 'updateUser' ? { as: 'user' as const, userId: id } : {};
    const response = await bff.call(name, { id, ...session, ...input });
    expect(response.status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
    return fieldsOf(response).toSorted();
  };

  /** Refuses all protected fields, in requests with some of them: a response names ten at most. */
  const expectAllRefused = async (name: 'signup' | 'updateUser', valid: object): Promise<void> => {
    for (let from = 0; from < names.length; from += 10) {
      const some = names.slice(from, from + 10);
      const fields = Object.fromEntries(some.map((each) => [each, PROTECTED_FIELDS[each]]));
      expect(await refusedFields(name, { body: { ...valid, ...fields } })).toEqual(some.toSorted());
    }
  };

  it('D2 in a sign-up is refused by name, in the fields and beside them', async () => {
    const account = { ...ana, email: 'ana@talent.test', password: 'secret1' };
    await expectAllRefused('signup', account);
    const body = userForm(account, field('plan', 'premium'), field('role', 'admin'));
    expect(await refusedFields('signup', { body })).toEqual(['plan', 'role']);
  });

  it('D2 in an edit is refused by name, and so is another email', async () => {
    await expectAllRefused('updateUser', ana);
    const edit = (input: Input) => refusedFields('updateUser', { body: ana, ...input });
    expect(await edit({ body: { ...ana, email: 'other@talent.test' } })).toEqual(['email']);
    expect(await edit({ query: '?role=admin' })).toEqual(['role']);
    expect(await edit({ body: userForm(ana, field('id', uuidv7())) })).toEqual(['id']);
  });
});
