import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Billing, codeOf, DAY, openBilling, times } from './support.ts';

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

describe('F8: Get Started', () => {
  it('twenty times at once leads to one customer and one open session', async () => {
    const userId = uuidv7();
    const addresses = await Promise.all(times(20).map(() => billing.openCheckout(userId)));
    expect(new Set(addresses.map(({ url }) => url)).size).toBe(1);
    await assertOneOfEach(userId);
  });

  it('again after the session has run out leads to a new one', async () => {
    const userId = uuidv7();
    const first = await tryCheckout(userId);
    await billing.advance(DAY + 60_000);
    const second = await tryCheckout(userId);
    expect(second).not.toBe(first);
    await assertOneOfEach(userId);
  });

  it('is refused with 409 to somebody who is premium, paid or granted', async () => {
    const { userId } = await billing.subscribe();
    expect(await tryCheckout(userId)).toBe('billing.already_subscribed');
    const granted = await billing.register();
    await billing.grant(granted);
    expect(await tryCheckout(granted)).toBe('billing.already_subscribed');
  });

  it('is refused to somebody who has paid and whose payment nobody has told us of', async () => {
    const userId = uuidv7();
    await billing.pay(billing.sessionIn(await tryCheckout(userId)));
    expect(await tryCheckout(userId)).toBe('billing.already_subscribed');
    expect((await billing.stateOf(userId)).plan).toBe('premium');
  });
});

describe('C4: the way back from the provider', () => {
  it('leads to our own origin, whatever the request says of hosts and pages', async () => {
    const userId = uuidv7();
    const evil = 'https://evil.test/';
    const more = { successUrl: evil, cancelUrl: evil, returnUrl: evil, return_url: evil, publicUrl: evil };
    const person = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace', ...more };
    const { url } = await billing.ask(billingEndpoints.openCheckout, person, {
      ...billing.asUser(userId),
      headers: { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test', origin: 'https://evil.test' },
    });
    const session = await billing.api.checkout.sessions.retrieve(billing.sessionIn(url));
    expect(session.success_url).toBe('https://shortlist.test/payments/success?xsl={CHECKOUT_SESSION_ID}');
    expect(session.cancel_url).toBe('https://shortlist.test/payments/cancel');
    expect(JSON.stringify(session)).not.toContain('evil.test');
  });

  it('from the portal too', async () => {
    const { userId } = await billing.subscribe();
    const { data } = await billing.read(userId);
    const asked = { userId, customerId: data.customerId ?? '', return_url: 'https://evil.test/' };
    const { url } = await billing.ask(billingEndpoints.openPortal, asked, billing.asUser(userId));
    const page = await (await fetch(url)).text();
    expect(page).toContain('href="https://shortlist.test/"');
    expect(page).not.toContain('evil.test');
  });
});

describe('F9: while the provider is in trouble', () => {
  it.each([
    ['refuses for too many calls', { status: 429 }],
    ['fails', { status: 500 }],
    ['takes ten seconds', { delayMs: 10_000 }],
  ])(
    'and %s, the person is told so within ten seconds, and the next try finds one of each',
    async (_, how) => {
      const userId = uuidv7();
      await fault('/v1/checkout/sessions', { ...how, times: 1, method: 'POST' });
      const startedAt = performance.now();
      expect(await tryCheckout(userId)).toBe('billing.provider_unavailable');
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      await billing.sandbox.control('DELETE', '/faults');
      // The slow call is still at work over there under our key: for that long, asking again is refused and makes no second one.
      for (let url = await tryCheckout(userId); url.startsWith('billing.'); url = await tryCheckout(userId)) {
        expect(url).toBe('billing.provider_unavailable');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await assertOneOfEach(userId);
    },
  );

  it.each([['/v1/customers'], ['/v1/checkout/sessions']])(
    'and the line to %s is cut after the work was done, asking again finds what came of it',
    async (path) => {
      const userId = uuidv7();
      await fault(path, { reset: true, method: 'POST', times: 2 });
      expect(await tryCheckout(userId)).toBe('billing.provider_unavailable');
      expect(await tryCheckout(userId)).toMatch(/^http/);
      await assertOneOfEach(userId);
    },
  );

  it('and its answer is lost, a customer is found again days later, when the key is forgotten', async () => {
    const userId = uuidv7();
    await fault('/v1/customers', { reset: true, method: 'POST', times: 2 });
    await tryCheckout(userId);
    await billing.advance(3 * DAY);
    expect(await tryCheckout(userId)).toMatch(/^http/);
    await assertOneOfEach(userId);
  });

  it('and an order has changed under its key, a new key is taken', async () => {
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

describe('F7: the success page grants nothing', () => {
  const confirm = (userId: string, sessionId: string) =>
    billing.confirm(userId, sessionId).then(({ data }) => data.plan, codeOf);

  it("for a made-up session, another person's, or an unpaid one", async () => {
    const { sessionId: foreign } = await billing.subscribe();
    const userId = await billing.register();
    const unpaid = billing.sessionIn(await tryCheckout(userId));
    expect(await confirm(userId, 'cs_test_made_up')).toBe('billing.checkout_not_found');
    expect(await confirm(userId, foreign)).toBe('billing.checkout_not_found');
    expect(await confirm(userId, unpaid)).toBe('billing.not_paid');
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.told(userId)).toEqual([]);
  });

  it('for a session that ran out', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn(await tryCheckout(userId));
    await billing.advance(2 * DAY);
    expect(await confirm(userId, sessionId)).toBe('billing.not_paid');
  });

  it('for a paid session whose subscription was ended since', async () => {
    const { userId, sessionId } = await billing.subscribe();
    await billing.advance(DAY);
    await billing.revoke(userId);
    expect(await confirm(userId, sessionId)).toBe('free');
    expect(await billing.told(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
  });

  it('to anybody but the one who paid: not by name, not without a token', async () => {
    const { userId, sessionId } = await billing.subscribe();
    const other = await billing.register();
    const asked = billing.ask(billingEndpoints.confirmCheckout, { userId, sessionId }, billing.asUser(other));
    expect(await asked.catch(codeOf)).toBe('request.not_found');
    expect((await fetch(`${billing.url}/subscriptions/${userId}/confirm`, { method: 'POST' })).status).toBe(
      401,
    );
  });

  it('and says so when the provider cannot be asked', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn(await tryCheckout(userId));
    await billing.pay(sessionId);
    await fault('/v1/', { status: 500, times: 5 });
    expect(await confirm(userId, sessionId)).toBe('billing.provider_unavailable');
    await billing.sandbox.control('DELETE', '/faults');
    expect(await confirm(userId, sessionId)).toBe('premium');
  });
});

describe('the portal', () => {
  it("opens for one's own customer id only", async () => {
    const { userId, customer } = await billing.subscribe();
    const other = await billing.subscribe();
    const open = (customerId: string) =>
      billing
        .ask(billingEndpoints.openPortal, { userId, customerId }, billing.asUser(userId))
        .then(({ url }) => url, codeOf);
    expect(await open(customer)).toMatch(/^http/);
    expect(await open(other.customer)).toBe('billing.customer_not_found');
    expect(await open('cus_unknown')).toBe('billing.customer_not_found');
  });
});
