import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, minutes } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { INTERACTIVE } from '../src/stripe/client.ts';
import { DEADLINE_MS } from '../src/refresh/refresh-subscriber.ts';
import { type Billing, codeOf, openBilling, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

const tryCheckout = (userId: string): Promise<string> =>
  billing.openCheckout(userId).then(({ url }) => url, codeOf);
const customersOf = async (userId: string): Promise<string[]> => {
  const { data } = await billing.api.customers.list({ email: `${userId}@people.test`, limit: 100 });
  return data.map(({ id }) => id);
};
const sessionsOf = async (customer: string): Promise<number> =>
  (await billing.api.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data.length;
const fault = (path: string, more: object) => billing.sandbox.control('PUT', '/faults', { path, ...more });

const assertOneOfEach = async (userId: string): Promise<void> => {
  const customers = await customersOf(userId);
  expect(customers).toHaveLength(1);
  expect(await sessionsOf(customers[0] ?? '')).toBe(1);
};

describe('F8: a checkout', () => {
  it('opened twenty times at once creates one customer and one open session', async () => {
    const userId = uuidv7();
    const addresses = await Promise.all(times(20).map(() => billing.openCheckout(userId)));
    expect(new Set(addresses.map(({ url }) => url)).size).toBe(1);
    await assertOneOfEach(userId);
  });

  it('opened after its session has expired gets a new session', async () => {
    const userId = uuidv7();
    const first = await tryCheckout(userId);
    await billing.advance(days(1) + minutes(1));
    const second = await tryCheckout(userId);
    expect(second).not.toBe(first);
    await assertOneOfEach(userId);
  });

  it('is refused for a user who is premium, paid or granted', async () => {
    const { userId } = await billing.subscribe();
    expect(await tryCheckout(userId)).toBe('billing.already_subscribed');
    const granted = await billing.register();
    await billing.grant(granted);
    expect(await tryCheckout(granted)).toBe('billing.already_subscribed');
  });

  it('is refused for a user whose payment has not been reported by a webhook', async () => {
    const userId = uuidv7();
    await billing.pay(billing.sessionIn(await tryCheckout(userId)));
    expect(await tryCheckout(userId)).toBe('billing.already_subscribed');
    expect((await billing.stateOf(userId)).plan).toBe('premium');
  });
});

describe('C4: the return URL from Stripe', () => {
  it('has our own origin, whatever hosts and pages the request names', async () => {
    const userId = uuidv7();
    const input = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    const as = billing.asUser(userId);
    const pages = { successUrl: 'https://evil.test/', return_url: 'https://evil.test/' };
    const { url } = await billing.call(
      billingEndpoints.openCheckout,
      { ...input, ...pages },
      {
        ...as,
        headers: {
          'x-forwarded-host': 'evil.test',
          forwarded: 'host=evil.test',
          origin: 'https://evil.test',
        },
      },
    );
    const session = await billing.api.checkout.sessions.retrieve(billing.sessionIn(url));
    expect(session.success_url).toBe('https://shortlist.test/payments/success?xsl={CHECKOUT_SESSION_ID}');
    expect(session.cancel_url).toBe('https://shortlist.test/payments/cancel');
    expect(JSON.stringify(session)).not.toContain('evil.test');
  });

  it('of the portal has our own origin too', async () => {
    const { userId } = await billing.subscribe();
    const { data } = await billing.read(userId);
    const input = { userId, customerId: data.customerId ?? '' };
    const { url } = await billing.call(billingEndpoints.openPortal, input, billing.asUser(userId));
    const page = await (await fetch(url)).text();
    expect(page).toContain('href="https://shortlist.test/payments?from=portal"');
  });
});

it('F9: a user’s action ends within ten seconds, and a call to Stripe that takes four is not given up', () => {
  expect(DEADLINE_MS).toBeLessThan(10_000);
  expect(INTERACTIVE.timeout).toBeLessThan(DEADLINE_MS);
  expect(INTERACTIVE.timeout).toBeGreaterThan(4_000);
});

it('F9: the portal fails at the deadline when its calls to Stripe take longer together', async () => {
  // An empty cache of the portal's configuration. Without the deadline the portal would open: no single call is given up.
  const slow = await openBilling({ limits: { deadlineMs: 500 } });
  try {
    const { userId } = await slow.subscribe();
    const { data } = await slow.read(userId);
    const delay = { delayMs: 400, times: 10 };
    await slow.sandbox.control('PUT', '/faults', { path: '/v1/billing_portal/configurations', ...delay });
    await slow.sandbox.control('PUT', '/faults', { path: '/v1/billing_portal/sessions', ...delay });
    const input = { userId, customerId: data.customerId ?? '' };
    const opening = slow.call(billingEndpoints.openPortal, input, slow.asUser(userId));
    await expect(opening).rejects.toMatchObject({ code: 'billing.provider_unavailable' });
  } finally {
    await slow.close();
  }
});

describe('F9: a checkout while Stripe has problems', () => {
  it.each([
    ['limits the rate for long', { status: 429, times: 4 }],
    ['fails', { status: 500, times: 1 }],
    ['takes longer than a call may', { delayMs: 2_500, times: 1 }],
  ])('fails when Stripe %s, and a repeated checkout creates one customer and one session', async (_, how) => {
    const shared = billing;
    billing = await openBilling({ timeoutMs: 800 });
    try {
      const userId = uuidv7();
      await fault('/v1/checkout/sessions', { ...how, method: 'POST' });
      expect(await tryCheckout(userId)).toBe('billing.provider_unavailable');
      await billing.sandbox.control('DELETE', '/faults');
      // While Stripe processes the slow call under our key it refuses a repeated one, so no second session is created.
      await until('the checkout', async () => {
        const url = await tryCheckout(userId);
        if (url.startsWith('billing.')) expect(url).toBe('billing.provider_unavailable');
        return !url.startsWith('billing.');
      });
      await assertOneOfEach(userId);
    } finally {
      await billing.close();
      billing = shared;
    }
  });

  it('succeeds when Stripe is slow', async () => {
    const userId = uuidv7();
    await fault('/v1/checkout/sessions', { delayMs: 500, times: 1, method: 'POST' });
    expect(await tryCheckout(userId)).toMatch(/^http/);
    await assertOneOfEach(userId);
  });

  it.each([['/v1/customers'], ['/v1/checkout/sessions']])(
    'finds the created object when the response of %s was lost',
    async (path) => {
      const userId = uuidv7();
      await fault(path, { reset: true, method: 'POST', times: 2 });
      expect(await tryCheckout(userId)).toBe('billing.provider_unavailable');
      expect(await tryCheckout(userId)).toMatch(/^http/);
      await assertOneOfEach(userId);
    },
  );

  it('finds a customer whose response was lost days later, after the idempotency key has expired', async () => {
    const userId = uuidv7();
    await fault('/v1/customers', { reset: true, method: 'POST', times: 2 });
    await tryCheckout(userId);
    await billing.advance(days(3));
    expect(await tryCheckout(userId)).toMatch(/^http/);
    await assertOneOfEach(userId);
  });

  it('takes a new key when the order has changed under its key', async () => {
    const userId = uuidv7();
    await fault('/v1/checkout/sessions', { reset: true, method: 'POST', times: 2 });
    await tryCheckout(userId);
    const [intent]: { id: string }[] = await billing.db.query(
      'SELECT id FROM checkout_intents WHERE user_id = ?',
      [userId],
    );
    const customer = (await billing.stateOf(userId)).row.customerId ?? '';
    await billing.db.query("UPDATE checkout_intents SET id = 'used-for-something-else' WHERE id = ?", [
      intent?.id,
    ]);
    await billing.api.customers.update(
      customer,
      { name: 'x' },
      { idempotencyKey: 'used-for-something-else' },
    );
    expect(await tryCheckout(userId)).toMatch(/^http/);
  });
});

describe('F7: the success page', () => {
  const confirm = (userId: string, sessionId: string) =>
    billing.confirm(userId, sessionId).then(({ data }) => data.plan, codeOf);

  it("grants nothing for an invented session, another user's, or an unpaid one", async () => {
    const { sessionId: foreign } = await billing.subscribe();
    const userId = await billing.register();
    const unpaid = billing.sessionIn(await tryCheckout(userId));
    expect(await confirm(userId, 'cs_test_made_up')).toBe('billing.checkout_not_found');
    expect(await confirm(userId, foreign)).toBe('billing.checkout_not_found');
    expect(await confirm(userId, unpaid)).toBe('billing.not_paid');
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual([]);
  });

  it('grants nothing for an expired session', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn(await tryCheckout(userId));
    await billing.advance(days(2));
    expect(await confirm(userId, sessionId)).toBe('billing.not_paid');
  });

  it('grants nothing for a paid session whose subscription has ended since', async () => {
    const { userId, sessionId } = await billing.subscribe();
    await billing.advance(days(1));
    await billing.revoke(userId);
    expect(await confirm(userId, sessionId)).toBe('free');
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
  });

  it('is refused for another user and without a token', async () => {
    const { userId, sessionId } = await billing.subscribe();
    const other = await billing.register();
    const call = billing.call(billingEndpoints.confirmCheckout, { userId, sessionId }, billing.asUser(other));
    expect(await call.catch(codeOf)).toBe('request.not_found');
    expect((await fetch(`${billing.url}/subscriptions/${userId}/confirm`, { method: 'POST' })).status).toBe(
      401,
    );
  });

  it('reports that Stripe is unavailable', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn(await tryCheckout(userId));
    await billing.pay(sessionId);
    await fault('/v1/', { status: 500, times: 5 });
    expect(await confirm(userId, sessionId)).toBe('billing.provider_unavailable');
    await billing.sandbox.control('DELETE', '/faults');
    expect(await confirm(userId, sessionId)).toBe('premium');
  });
});

describe('the billing portal', () => {
  it("opens for the user's own customer only", async () => {
    const { userId, customer } = await billing.subscribe();
    const other = await billing.subscribe();
    const open = (customerId: string) =>
      billing
        .call(billingEndpoints.openPortal, { userId, customerId }, billing.asUser(userId))
        .then(({ url }) => url, codeOf);
    expect(await open(customer)).toMatch(/^http/);
    expect(await open(other.customer)).toBe('billing.customer_not_found');
    expect(await open('cus_unknown')).toBe('billing.customer_not_found');
  });
});
