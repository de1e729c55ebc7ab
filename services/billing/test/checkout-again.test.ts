import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CheckoutParts, openCheckout } from '../src/checkout/open-checkout.ts';
import { createPriceFinder } from '../src/stripe/price.ts';
import { subscriberEntity } from '../src/subscriptions/subscriber.entity.ts';
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
  it('leads somebody whose customer was deleted at the provider to a new one', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.api.customers.del(customer);
    await billing.reconcile();
    expect((await billing.stateOf(userId)).plan).toBe('free');
    const again = await billing.subscribe(userId);
    expect(again.customer).not.toBe(customer);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
  });

  it('has no portal for a customer who was deleted at the provider, and says so', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.api.customers.del(customer);
    const opened = billing.openPortal(userId, customer).then(({ url }) => url, codeOf);
    expect(await opened).toBe('billing.customer_not_found');
  });

  it('is answered within ten seconds, though each of its many calls takes its time', async () => {
    const own = await openBilling(); // which has not asked for the price yet
    const userId = uuidv7();
    const fault = (more: object) => own.sandbox.control('PUT', '/faults', more);
    await fault({ path: '/v1/customers', method: 'POST', reset: true, times: 2 });
    expect(await own.openCheckout(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    for (const method of ['POST', 'GET']) await fault({ path: '/v1/', method, delayMs: 2_800, times: 1_000 });
    const startedAt = performance.now();
    expect(await own.openCheckout(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await own.sandbox.control('DELETE', '/faults');
    // What was under way goes on behind and ends; then there is one of each.
    await until(
      'the session',
      async () => typeof (await own.openCheckout(userId).catch(codeOf)) === 'object',
    );
    const { data } = await own.api.customers.list({ email: `${userId}@people.test` });
    expect(data).toHaveLength(1);
    await own.close();
  });
});

describe('F8: a checkout whose lease has passed to another meanwhile', () => {
  /** Halts one checkout where it has read the person, for longer than its lease, while another goes all the way. */
  const overtaken = async (userId: string): Promise<{ url: string; late: string }> => {
    const person = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    const parts: CheckoutParts = { ...billing, publicUrl: 'https://shortlist.test' };
    const halted = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const repository = billing.db.manager.getRepository(subscriberEntity);
    const find = repository.findOneBy.bind(repository);
    vi.spyOn(repository, 'findOneBy').mockImplementationOnce(async (where) => {
      const row = await find(where);
      halted.resolve();
      await goOn.promise;
      return row;
    });
    const late = openCheckout(parts, person).catch(codeOf);
    await halted.promise;
    await billing.db.query(
      'UPDATE subscribers SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE user_id = ?',
      [userId],
    );
    const url = await openCheckout(parts, person);
    goOn.resolve();
    return { url, late: await late };
  };

  it('X10 changes nothing: one customer, one session, and who pays is premium', async () => {
    const userId = await billing.register();
    const { url, late } = await overtaken(userId);
    expect(late).toBe('billing.busy');
    const sessionId = billing.sessionIn(url);
    await billing.pay(sessionId);
    expect((await billing.confirm(userId, sessionId)).data.plan).toBe('premium');
    const { data } = await billing.api.customers.list({ email: `${userId}@people.test` });
    expect(data).toHaveLength(1);
  });
});

describe('the price', () => {
  it('is looked for again after a minute, so that one that has moved on is sold', async () => {
    const find = createPriceFinder(billing.api);
    const old = await find();
    const dearer = await billing.api.prices.create({
      currency: 'usd',
      unit_amount: 7_900,
      recurring: { interval: 'month' },
      lookup_key: 'shortlist_premium_monthly',
      transfer_lookup_key: true,
      metadata: { plan: 'shortlist_premium_monthly' },
      product_data: { name: 'Shortlist Premium' },
    });
    expect(await find()).toBe(old);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    expect(await find()).toBe(dearer.id);
  });
});
