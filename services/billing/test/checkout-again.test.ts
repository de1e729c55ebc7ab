import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCheckout } from '../src/checkout/open-checkout.ts';
import { type CheckoutParts, planSale } from '../src/checkout/sales.ts';
import { createPriceFinder } from '../src/stripe/checkouts.ts';
import { subscriberEntity } from '../src/subscriptions/queries.ts';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await billing.sandbox.control('DELETE', '/faults');
});
afterAll(() => billing.close());

describe('F9: a checkout', () => {
  it('creates a new customer for a user whose customer was deleted at Stripe', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.api.customers.del(customer);
    await billing.reconcile();
    expect((await billing.stateOf(userId)).plan).toBe('free');
    const again = await billing.subscribe(userId);
    expect(again.customer).not.toBe(customer);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
  });

  it('opens no portal for a customer that was deleted at Stripe', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.api.customers.del(customer);
    const portal = billing.openPortal(userId, customer).then(({ url }) => url, codeOf);
    expect(await portal).toBe('billing.customer_not_found');
  });

  it.each([[400], [401], [402], [403]])(
    'and every other call say that trying again will not help while Stripe refuses with %s',
    async (status) => {
      const { userId, customer } = await billing.subscribe();
      const payer = await billing.register();
      const sessionId = billing.sessionIn((await billing.openCheckout(payer)).url);
      await billing.pay(sessionId);
      await billing.sandbox.control('PUT', '/faults', { path: '/v1/', status, times: 1_000 });
      const codes = await Promise.all([
        billing.openCheckout(await billing.register()).then(String, codeOf),
        billing.openPortal(userId, customer).then(String, codeOf),
        billing.confirm(payer, sessionId).then(String, codeOf),
        billing.revoke(userId).then(String, codeOf),
      ]);
      expect(new Set(codes)).toEqual(new Set(['billing.provider_refused']));
    },
  );

  it('responds at its deadline although each of its many calls is slow', async () => {
    // With an empty price cache. Without the deadline the checkout would succeed: no single call is slow.
    const service = await openBilling({ limits: { deadlineMs: 400 } });
    const userId = uuidv7();
    const fault = (more: object) => service.sandbox.control('PUT', '/faults', more);
    await fault({ path: '/v1/customers', method: 'POST', status: 500 });
    expect(await service.openCheckout(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    for (const method of ['POST', 'GET']) await fault({ path: '/v1/', method, delayMs: 200, times: 1_000 });
    expect(await service.openCheckout(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    await service.sandbox.control('DELETE', '/faults');
    // The first action continues in the background; then one customer and one session exist.
    await until(
      'the session',
      async () => typeof (await service.openCheckout(userId).catch(codeOf)) === 'object',
    );
    const { data } = await service.api.customers.list({ email: `${userId}@people.test` });
    expect(data).toHaveLength(1);
    await service.close();
  });
});

describe('F8: a checkout whose lease passed to another checkout', () => {
  /** Pauses one checkout after it read the subscriber, for longer than its lease, while another one completes. */
  const openOvertaken = async (userId: string): Promise<{ url: string; overtaken: string }> => {
    const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    const parts: CheckoutParts = { ...billing, publicUrl: 'https://shortlist.test' };
    const paused = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const repository = billing.db.manager.getRepository(subscriberEntity);
    const find = repository.findOneBy.bind(repository);
    vi.spyOn(repository, 'findOneBy').mockImplementationOnce(async (where) => {
      const row = await find(where);
      paused.resolve();
      await resume.promise;
      return row;
    });
    const overtaken = openCheckout(parts, planSale('month'), user).catch(codeOf);
    await paused.promise;
    await billing.db.query(
      'UPDATE subscribers SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE user_id = ?',
      [userId],
    );
    const url = await openCheckout(parts, planSale('month'), user);
    resume.resolve();
    return { url, overtaken: await overtaken };
  };

  it('X10 changes nothing: one customer, one session, and a payment makes the user premium', async () => {
    const userId = await billing.register();
    const { url, overtaken } = await openOvertaken(userId);
    expect(overtaken).toBe('billing.busy');
    const sessionId = billing.sessionIn(url);
    await billing.pay(sessionId);
    expect((await billing.confirm(userId, sessionId)).data.plan).toBe('premium');
    const { data } = await billing.api.customers.list({ email: `${userId}@people.test` });
    expect(data).toHaveLength(1);
  });
});

describe('the price', () => {
  it('is read again after a minute, so that a lookup key that moved takes effect', async () => {
    const find = createPriceFinder(billing.api);
    const { id: old } = await find();
    const dearer = await billing.api.prices.create({
      currency: 'usd',
      unit_amount: 7_900,
      recurring: { interval: 'month' },
      lookup_key: 'shortlist_premium_monthly',
      transfer_lookup_key: true,
      metadata: { plan: 'shortlist_premium_monthly' },
      product_data: { name: 'Shortlist Premium' },
    });
    expect((await find()).id).toBe(old);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    expect((await find()).id).toBe(dearer.id);
  });
});
