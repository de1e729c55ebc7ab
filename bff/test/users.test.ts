import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import type { Suppression } from '@shortlist/contracts/api/email';
import { minutes } from '@shortlist/contracts/durations';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { failuresKey } from '../src/limits/login-limits.ts';
import { respondUnless, respondWith, useBff } from './support.ts';

const bff = await useBff({ REQUIRE_VERIFIED_EMAIL: 'checkout' });

const MARTA = uuidv7();
const OTHER = uuidv7();

/** billing knows these references, identity these former emails. */
const stubServices = (known: Record<string, string[]>): void => {
  bff.upstream.respond = respondWith(({ url = '', method }) => {
    if (url.startsWith('/users?')) {
      const reference = new URL(url, bff.url).searchParams.get('reference') ?? '';
      return { data: known[reference] ?? [] };
    }
    if (method === 'POST') return { data: known['former'] ?? [] };
    return { data: [], total: 0, isCapped: false, next: null };
  });
};

const search = async (text: string, name: 'listUsers' | 'exportUsers' = 'listUsers') => {
  bff.upstream.requests.length = 0;
  const query = `?plan=premium&search=${encodeURIComponent(text)}`;
  const { status } = await bff.call(name, { as: 'admin', query });
  const urls = bff.upstream.requests.map(({ url }) => new URL(url, bff.url));
  return {
    status,
    paths: urls.map(({ pathname }) => pathname),
    searched: urls.at(-1)?.searchParams.get('search'),
    plan: urls.at(-1)?.searchParams.get('plan'),
  };
};

it.each(['cus_Qx1', 'sub_1Pq', 'in_1Pq', 'pi_3Pq', 'ch_3Pq', 'py_3Pq', 'SL-0004', 'f3a9c1d2-0001'])(
  'the list of users finds the user of %s, with the other filters',
  async (reference) => {
    stubServices({ [reference]: [MARTA] });
    const found = { status: 200, paths: ['/users', '/directory'], searched: MARTA, plan: 'premium' };
    expect(await search(` ${reference} `)).toEqual(found);
    const exported = { ...found, paths: ['/users', '/directory.csv'] };
    expect(await search(reference, 'exportUsers')).toEqual(exported);
  },
);

it('the list of users finds all who have or had an email', async () => {
  stubServices({ former: [OTHER, MARTA] });
  expect(await search('Marta@people.test')).toMatchObject({
    paths: ['/email-changes/former-owners', '/directory'],
    searched: `${OTHER} ${MARTA}`,
  });
  expect(bff.upstream.requests[0]?.json).toEqual({ email: 'Marta@people.test' });
});

it.each(['in_unknown', 'marta@people.test'])('%s, which nobody has, is searched as it is', async (text) => {
  stubServices({});
  expect((await search(text)).searched).toBe(text);
});

it.each(['marta', 'marta@peo', 'customer_1', 'cus_ Qx1', 'anne-marie', 'x'.repeat(300)])(
  'the search for %s asks profile alone',
  async (text) => {
    stubServices({});
    expect((await search(text)).paths).toEqual(['/directory']);
  },
);

it('without a reply from billing, the search for a reference fails instead of finding no user', async () => {
  bff.upstream.respond = (_request, response) => void response.writeHead(500).end();
  expect((await search('in_1Pq')).status).toBe(503);
});

const ID = uuidv7();
const EMAIL = `${ID}@people.test`;
const PENDING_EMAIL = 'new@people.test';
const PACKS = [{ credits: 250, paidCredits: 184 }];
const SUBSCRIPTION = { plan: 'free', problem: { kind: 'past_due' } };
const PLAN = { subscription: SUBSCRIPTION, packs: PACKS };

const readStatus = async (
  suppressions: Suppression[] = [],
  refusals: Record<string, ErrorCode> = {},
): Promise<{ status: number; data?: unknown }> => {
  const address = { email: EMAIL, isVerified: false, pendingEmail: PENDING_EMAIL, confirmBy: null };
  bff.upstream.respond = respondUnless(
    () => refusals,
    ({ url }) => {
      if (url === `/packs/${ID}`) return { data: PACKS };
      if (url === '/suppressions/find') return { data: suppressions };
      return { data: url === `/accounts/${ID}/email` ? address : SUBSCRIPTION };
    },
  );
  const { status, json } = await bff.call('accountStatus', { as: 'admin', id: ID });
  return { status, ...(json as { data?: unknown }) };
};

it('the status of an account has the subscription, the packs, the address and a lock, and not the requested address', async () => {
  const view = {
    access: { isVerified: false, confirmBy: null, blocksCheckout: true, suppression: null },
    plan: PLAN,
  };
  const withLock = (lockedUntil: string | null) => ({ ...view, access: { ...view.access, lockedUntil } });
  expect(await readStatus()).toEqual({ status: 200, data: withLock(null) });
  const until = Date.now() + minutes(15);
  await bff.redis.hset(failuresKey(EMAIL), 'until', until, 'failures', 20);
  expect((await readStatus()).data).toEqual(withLock(new Date(until).toISOString()));
  await bff.redis.hset(failuresKey(EMAIL), 'until', Date.now() - minutes(1));
  expect((await readStatus()).data).toEqual(withLock(null));
});

describe('while a service does not respond, the status of an account is without its part', () => {
  it.each<[what: string, path: string, ErrorCode, expected: object]>([
    ['identity', `/accounts/${ID}/email`, 'service.unavailable', { access: null, plan: PLAN }],
    ['the database of identity', `/accounts/${ID}/email`, 'service.failed', { access: null, plan: PLAN }],
    ['billing', `/subscriptions/${ID}`, 'service.timeout', { access: { isVerified: false }, plan: null }],
    ['billing', `/packs/${ID}`, 'service.unavailable', { access: { isVerified: false }, plan: null }],
    ['worker', '/suppressions/find', 'service.failed', { access: { suppression: null }, plan: PLAN }],
  ])('%s (%s: %s)', async (_what, path, code, expected) => {
    const { status, data } = await readStatus([], { [path]: code });
    expect([status, data]).toMatchObject([200, expected]);
  });

  it('but an unknown user is not found', async () => {
    const unknown = { [`/accounts/${ID}/email`]: 'identity.user_not_found' } as const;
    expect((await readStatus([], unknown)).status).toBe(404);
  });
});

it('the status says why nothing is sent to the address, and nothing of the requested one', async () => {
  const found = { email: EMAIL, kind: 'bounced', reason: '550', at: '2026-11-20T09:41:00.000Z' } as const;
  const ofPending = { ...found, email: PENDING_EMAIL };
  expect((await readStatus([ofPending, found])).data).toMatchObject({ access: { suppression: found } });
  expect((await readStatus([ofPending])).data).toMatchObject({ access: { suppression: null } });
  const asked = bff.upstream.requestsTo('/suppressions/find');
  expect(asked.map(({ json }) => json)).toContainEqual({ emails: [EMAIL] });
  expect(asked.map(({ body }) => body.toString()).join()).not.toContain(PENDING_EMAIL);
});
