import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { MATRIX } from './authorisation-matrix.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

type EndpointName = keyof typeof publicEndpoints;

const bff = await useBff();
beforeEach(() => {
  bff.upstream.respond = respondWith(({ url }) =>
    url === '/pictures' ? {} : { data: { id: uuidv7(), email: 'a@b.co', ...ana }, planState: { version: 1 } },
  );
});

const errorOf = (body: string): { fields?: Record<string, string> } =>
  (JSON.parse(body) as { error: { fields?: Record<string, string> } }).error;

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
  'a letter beyond ASCII': `${uuidv7().slice(1)}é`,
  'full-width digits': uuidv7().replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'an emoji': '🎩',
  'an id with a suffix': `${uuidv7()}x`,
  'an id in braces': `{${uuidv7()}}`,
  'an id without its dashes': uuidv7().replaceAll('-', ''),
};

/** The endpoints that only proxy: their service validates the id, and is tested for it. */
const PROXIED = new Set<EndpointName>([
  'commitReservation',
  'releaseReservation',
  'resolveAlert',
  'reopenAlert',
  'renamePasskey',
  'userBuckets',
  'revokeCredits',
  'userFactors',
  'userAccess',
  'removeUserFactors',
  'enableTool',
  'cancelInvitation',
  'removeAdminFactors',
  'listUserSignIns',
  'userDeletion',
  'changeWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'webhookDeliveries',
]);
const endpointsWithId = (Object.keys(publicEndpoints) as EndpointName[]).filter(
  (name) => publicEndpoints[name].path.includes(':') && !PROXIED.has(name),
);

describe('D3 an invalid id', () => {
  it('is tested at every endpoint with a path parameter', () => {
    expect(endpointsWithId.toSorted()).toEqual(
      [
        'billingPortal',
        'deleteUser',
        'getUser',
        'accountStatus',
        'grantPlan',
        'grantCredits',
        'revokePlan',
        'updateUser',
        'removePasskey',
        'revokeApiKey',
        'sendTestEvent',
        'redeliver',
        'endConnection',
        'endUserKey',
        'endUserConnection',
        'endSession',
        'removeTrustedDevice',
        'countUserSessions',
        'endUserSessions',
        'changeAdminRole',
        'suspendAdmin',
        'restoreAdmin',
        'resendInvitation',
        'retryAdminEmail',
        'retryUserEmail',
        'removeAdmin',
        'endAdminSessions',
        'disableTool',
        'startViewing',
      ].toSorted(),
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

  const withParams = (Object.keys(publicEndpoints) as EndpointName[]).filter((name) =>
    publicEndpoints[name].path.includes(':'),
  );
  const foreign = ['%C3%A9', '%EF%BC%91', '%F0%9F%8E%A9', '%E9', '%FF', '%0A', '%7F', '1%C2%A0'];
  it.each(withParams)(
    'D3 %s responds 400 to an id beyond visible ASCII and calls no service',
    async (name) => {
      for (const id of foreign) {
        const path = publicEndpoints[name].path.replace(/:[a-zA-Z]+/, id);
        expect([id, (await call(name, path)).status]).toEqual([id, 400]);
      }
      expect(bff.upstream.requests).toEqual([]);
    },
  );

  it('D3 the name of a picture beyond visible ASCII is refused', async () => {
    for (const id of foreign)
      expect([id, (await send(bff.port, `/profile_pictures/${id}`)).status]).toEqual([id, 400]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('D3 an id beyond ASCII in a filter of the audit log is refused', async () => {
    for (const filter of ['targetId', 'actorId', 'before'])
      for (const id of foreign) {
        const { status } = await call('audit', `${publicEndpoints.audit.path}?${filter}=${id}`);
        expect([filter, id, status]).toEqual([filter, id, 400]);
      }
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(['user_id', 'id', 'userId'])('D3 another %s in the query or the body is refused', async (key) => {
    const path = publicEndpoints.grantPlan.path.replace(':userId', uuidv7());
    const inQuery = await call('grantPlan', `${path}?${key}=${uuidv7()}`, {});
    const inBody = await call('grantPlan', path, { [key]: [uuidv7()] });
    for (const { status, body } of [inQuery, inBody])
      expect({ status, fields: Object.keys(errorOf(body).fields ?? {}) }).toEqual({
        status: 400,
        fields: [key],
      });
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
    expect((await call('confirmPayment', '/user-payment', { xsl, user: { id: [uuidv7()] } })).status).toBe(
      400,
    );
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
  const account = { ...ana, email: 'ana@talent.test', password: 'secret1' };

  /** The names of the refused fields, after an error that reached no service. */
  const refusedFields = async (path: string, init: Parameters<typeof send>[2]): Promise<string[]> => {
    const { status, body } = await send(bff.port, path, init);
    expect(status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
    return Object.keys(errorOf(body).fields ?? {}).toSorted();
  };

  /** Refuses all protected fields, in requests with some of them: a response names ten at most. */
  const expectAllRefused = async (refused: (fields: object) => Promise<string[]>): Promise<void> => {
    for (let from = 0; from < names.length; from += 10) {
      const some = names.slice(from, from + 10);
      const fields = Object.fromEntries(some.map((name) => [name, PROTECTED_FIELDS[name]]));
      expect(await refused(fields)).toEqual(some.toSorted());
    }
  };

  const signUp = (...parts: Parameters<typeof form>): Promise<string[]> =>
    refusedFields('/signup', {
      method: 'POST',
      headers: { 'content-type': MULTIPART },
      body: form(...parts),
    });

  it('D2 in a sign-up is refused by name, in the fields and beside them', async () => {
    const userData = (fields: object) => field('userData', JSON.stringify({ ...account, ...fields }));
    await expectAllRefused((fields) => signUp(userData(fields)));
    expect(await signUp(userData({}), field('plan', 'premium'), field('role', 'admin'))).toEqual([
      'plan',
      'role',
    ]);
  });

  it('D2 in an edit is refused by name, and so is another email', async () => {
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(userId, 'user');
    const headers = { authorization: `Bearer ${token}`, 'content-type': MULTIPART };
    const edit = (query: string, fields: object, ...more: Parameters<typeof form>): Promise<string[]> => {
      const userData = field('userData', JSON.stringify({ ...ana, ...fields }));
      return refusedFields(`/users/${userId}${query}`, {
        method: 'PUT',
        headers,
        body: form(userData, ...more),
      });
    };
    expect(await edit('', { email: 'other@talent.test' })).toEqual(['email']);
    await expectAllRefused((fields) => edit('', fields));
    expect(await edit('?role=admin', {})).toEqual(['role']);
    expect(await edit('', {}, field('id', uuidv7()))).toEqual(['id']);
  });
});
