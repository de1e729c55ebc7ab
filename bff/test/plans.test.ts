import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type Bff, refuseWith, respondWith, startBff, useBff } from './support.ts';
import { type RawResponse, times } from './requests.ts';

const bff = await useBff();

const data = { plan: 'premium', renews: false, problem: null, continuation: 'ends' };

beforeEach(() => {
  const reply = { data, planState: { version: 3 }, url: 'https://stripe.test/f' };
  bff.upstream.respond = respondWith(() => reply);
});

const asked = () => bff.upstream.requests.map(({ method, url }) => `${method} ${url}`);

it.each([
  ['cancelPlan', 'revoke', { when: 'period_end' }],
  ['resumePlan', 'resume', {}],
  [
    'changeInterval',
    'interval',
    { interval: 'year', amount: 53_100, currency: 'usd', prorationAt: '2026-03-10T12:00:00.000Z' },
  ],
  ['keepInterval', 'interval/keep', {}],
  ['refreshPlan', 'refresh', {}],
] as const)(
  '%s is about the plan of the session, and the directory has the result',
  async (name, atBilling, body) => {
    const userId = uuidv7();
    const response = await bff.call(name, { as: 'user', userId, body });
    expect([response.status, response.json]).toEqual([200, { data }]);
    expect(asked()).toEqual([`POST /subscriptions/${userId}/${atBilling}`, `PUT /profiles/${userId}/plan`]);
  },
);

it('a preview of another interval is read from billing, and changes nothing here', async () => {
  const userId = uuidv7();
  const response = await bff.call('previewInterval', { as: 'user', userId, body: { interval: 'year' } });
  expect([response.status, response.json]).toMatchObject([200, { data }]);
  expect(asked()).toEqual([`POST /subscriptions/${userId}/interval/preview`]);
});

it.each([['year'], [undefined]])(
  'a checkout of the interval %s is ordered as the page asks',
  async (interval) => {
    const userId = uuidv7();
    const person = { id: userId, email: 'ada@people.test', firstName: 'Ada', lastName: 'Byron' };
    bff.upstream.respond = respondWith(() => ({ data: person, url: 'https://stripe.test/c' }));
    const query = interval === undefined ? '' : `?interval=${interval}`;
    const response = await bff.call(`GET /subscribe${query}`, { as: 'user', userId });
    expect(response.json).toMatchObject({ url: 'https://stripe.test/c' });
    const [order] = bff.upstream.requestsTo(`/subscriptions/${userId}/checkout`);
    expect((order?.json as { interval?: string } | undefined)?.interval).toBe(interval);
  },
);

it('the calls that cost calls to the provider are limited together, for each user apart', async () => {
  const userId = uuidv7();
  const open = (id: string) => bff.call('GET /api/invoices/in_1/file', { as: 'user', userId: id });
  for (let count = 0; count < 59; count += 1) expect((await open(userId)).status).toBe(200);
  expect((await bff.call('refreshPlan', { as: 'user', userId })).status).toBe(200);
  expect((await open(userId)).status).toBe(429);
  expect((await bff.call('resumePlan', { as: 'user', userId })).status).toBe(429);
  expect((await open(uuidv7())).status).toBe(200);
});

const ID = uuidv7();
const unsubscribe = (body: object | string = ''): Promise<RawResponse> =>
  bff.call('revokePlan', { as: 'admin', id: ID, body });
const bodyAtBilling = (): unknown => bff.upstream.requestsTo(`/subscriptions/${ID}/revoke`)[0]?.json;

it('unsubscribing without a body names neither a time nor a reason', async () => {
  expect((await unsubscribe()).status).toBe(200);
  expect(bodyAtBilling()).toEqual({});
});

it('unsubscribing passes the time and the reason to billing, and responds with what becomes of the plan', async () => {
  const response = await unsubscribe({ when: 'period_end', reason: 'Team closed' });
  expect(bodyAtBilling()).toEqual({ when: 'period_end', reason: 'Team closed' });
  expect(response.json).toMatchObject({
    message: 'ends at period end',
    data: { subscription: { continuation: 'ends' } },
  });
});

it('a grant passes its end and the reason to billing, for the user of the path', async () => {
  const grant = { until: '2026-12-08T09:00:00.000Z', reason: 'Trial' };
  const profile = { id: ID, email: 'ana@people.test', firstName: 'Ana', lastName: 'Souza' };
  bff.upstream.respond = respondWith(() => ({ data: { ...data, ...profile }, planState: { version: 3 } }));
  const response = await bff.call('grantPlan', { as: 'admin', id: ID, body: grant });
  expect([response.status, response.json]).toMatchObject([200, { message: 'premium' }]);
  const [request] = bff.upstream.requestsTo(`/subscriptions/${ID}/grant`);
  expect(request?.json).toEqual({ ...grant, email: profile.email, name: 'Ana Souza' });
});

describe('resuming the renewal of a user', () => {
  const resume = (body: object = {}) => bff.call('resumeUserPlan', { as: 'admin', id: ID, body });
  const respond = (deletion: object | null): void => {
    bff.upstream.respond = respondWith(({ url }) =>
      url === `/accounts/${ID}/deletion` ? { data: deletion } : { data, planState: { version: 3 } },
    );
  };

  it('passes the reason to billing, updates the directory, and responds with the user', async () => {
    respond(null);
    const { status, json } = await resume({ reason: 'Asked by phone' });
    expect([status, json]).toMatchObject([
      200,
      { message: 'resumed', data: { subscription: { continuation: 'ends' } } },
    ]);
    expect(bff.upstream.requestsTo(`/subscriptions/${ID}/resume`)[0]?.json).toEqual({
      reason: 'Asked by phone',
    });
    expect(asked()).toContain(`PUT /profiles/${ID}/plan`);
  });

  it('is refused where the user has requested the deletion of the account', async () => {
    respond({ requestedAt: '2026-11-20T09:00:00.000Z', dueAt: '2026-12-20T09:00:00.000Z' });
    expect(await resume()).toMatchObject({ status: 409, code: 'identity.deletion_requested' });
    expect(asked()).toEqual([`GET /accounts/${ID}/deletion`]);
  });

  it('is refused without identity, which knows of a deletion', async () => {
    bff.upstream.respond = refuseWith('service.unavailable');
    expect((await resume()).status).toBe(503);
    expect(bff.upstream.requestsTo('/resume')).toEqual([]);
  });
});

it.each([
  ['a grant', 'grantPlan', 'admin', { until: 'tomorrow' }],
  ['a grant', 'grantPlan', 'admin', { reason: 'x'.repeat(301) }],
  ['a resumption', 'resumeUserPlan', 'admin', { reason: 'a\nb' }],
  ['unsubscribing', 'revokePlan', 'admin', { when: 'later' }],
  ['unsubscribing', 'revokePlan', 'admin', { reason: 'x'.repeat(301) }],
  ['unsubscribing', 'revokePlan', 'admin', { reason: 7 }],
  ['a cancellation', 'cancelPlan', 'user', { when: 'tomorrow' }],
  ['a preview', 'previewInterval', 'user', { interval: 'week' }],
  ['a change', 'changeInterval', 'user', { interval: 'year' }],
  [
    'a change',
    'changeInterval',
    'user',
    { interval: 'year', amount: '1', currency: 'usd', prorationAt: '2026-03-10T12:00:00Z' },
  ],
  ['a cancellation', 'cancelPlan', 'user', { reason: 'why' }],
  ['a cancellation', 'cancelPlan', 'user', { userId: ID }],
] as const)('%s by %s of a %s refuses %j before billing is called', async (_what, name, role, body) => {
  expect((await bff.call(name, { as: role, id: ID, body })).status).toBe(400);
  expect(asked()).toEqual([]);
});

it('a failure of the provider is the agreed text, and a period that is not paid has its own', async () => {
  bff.upstream.respond = refuseWith('billing.provider_unavailable');
  expect((await unsubscribe()).body).toContain('Failed to unsubscribe user.');
  bff.upstream.respond = refuseWith('billing.period_not_paid');
  expect((await unsubscribe({ when: 'period_end' })).status).toBe(409);
});

const STRIPE_PRICE = { amount: 7_900, currency: 'eur' };

describe('the price in the public configuration', () => {
  /** A new one for each test: it remembers the price. */
  let priced: Bff;
  beforeEach(async () => {
    priced = await startBff(inject('sessionsRedisUrl'), { PRICE_MINOR: '4900', CURRENCY: 'usd' });
    priced.upstream.respond = respondWith(() => ({ data: STRIPE_PRICE }));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await priced.close();
  });

  const readPrice = async (): Promise<unknown> =>
    ((await priced.call('config')).json as { price: unknown }).price;
  const moveTime = (ms: number): void =>
    void vi.spyOn(performance, 'now').mockReturnValue(performance.now() + ms);

  it("is billing's, read once a minute", async () => {
    expect(await Promise.all(times(3, readPrice))).toEqual(times(3, () => STRIPE_PRICE));
    expect(priced.upstream.requests.map(({ url }) => url)).toEqual(['/offer']);
    moveTime(60_001);
    await readPrice();
    expect(priced.upstream.requests).toHaveLength(2);
  });

  it.each([
    ['billing was never available', refuseWith('service.unavailable')],
    ['the response is not a price', respondWith(() => ({ data: { amount: 'x' } }))],
  ])('is the configured one when %s', async (_why, respond) => {
    priced.upstream.respond = respond;
    expect(await readPrice()).toEqual({ amount: 4_900, currency: 'usd' });
  });

  it('is the last known one when billing is slow, with a limit on the wait', async () => {
    await readPrice();
    priced.upstream.respond = () => undefined;
    moveTime(60_001);
    const startedAt = Date.now();
    expect(await readPrice()).toEqual(STRIPE_PRICE);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });
});
