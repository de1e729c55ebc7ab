import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, hours } from '@shortlist/contracts/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, GOOD_CARD, openBilling, PRICE } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const planOf = async (userId: string) => (await billing.read(userId)).data;
const alerts = async () => (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data;
const chargesOf = async (customer: string) => (await billing.api.charges.list({ customer })).data;

const createPrice = async (): Promise<string> => {
  const price = await billing.api.prices.create({
    currency: 'usd',
    unit_amount: 4_900,
    recurring: { interval: 'month' },
    product_data: { name: 'Something else' },
  });
  return price.id;
};

/** What an operator does in the dashboard: the subscription sells something else from its next period on. */
const moveTo = async (subscription: string, price: string): Promise<void> => {
  const { items } = await billing.api.subscriptions.retrieve(subscription);
  await billing.api.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? '', price }],
    proration_behavior: 'none',
  });
};

const openAt = async (customer: string, price: string): Promise<string> => {
  const path = `/customers/${customer}/card`;
  const { id } = await billing.sandbox.control<{ id: string }>('POST', path, { card: GOOD_CARD });
  const opened = await billing.api.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: id,
  });
  return opened.id;
};

describe('a subscription that was moved to a price that is not of the plan', () => {
  it('keeps what was paid for it, is reported once, and prevents another sale', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    const { periodEnd } = await planOf(userId);
    await moveTo(subscription, await createPrice());
    await billing.reconcile();
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({
      plan: 'premium',
      periodEnd,
      continuation: 'ends',
      graceUntil: null,
      problem: { kind: 'other_subscription', payUrl: null },
    });
    expect(await alerts()).toMatchObject([{ kind: 'other_subscription', objectId: subscription, userId }]);
    expect(await billing.emitted(userId)).not.toContain('RenewalStopped');
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    await billing.endDuePlans();
    expect(await planOf(userId)).toMatchObject({ plan: 'free', problem: { kind: 'other_subscription' } });
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.other_subscription');
    expect((await chargesOf(customer)).map(({ amount }) => amount)).toEqual([4_900, PRICE.amount]);
    expect((await billing.api.refunds.list()).data).toEqual([]);
  });

  it('is the plan again when it is moved back', async () => {
    const { userId, subscription } = await billing.subscribe();
    await moveTo(subscription, await createPrice());
    await billing.reconcile();
    await moveTo(subscription, (await billing.stripe.findPrice()).id);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', continuation: 'renews', problem: null });
  });

  it('is not canceled when the payment of the plan is refunded', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    await moveTo(subscription, await createPrice());
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('active');
  });

  it('is canceled with its user', async () => {
    const { userId, subscription } = await billing.subscribe();
    await moveTo(subscription, await createPrice());
    await billing.remove(userId);
    await billing.reconcile();
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
  });
});

describe('a subscription that never sold the plan', () => {
  it('is known before a sale even without an event, and prevents it', async () => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    const customer = (await billing.stateOf(userId)).row.customerId ?? '';
    const other = await openAt(customer, await createPrice());
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.other_subscription');
    expect(await planOf(userId)).toMatchObject({ plan: 'free', problem: { kind: 'other_subscription' } });
    expect(await alerts()).toMatchObject([{ objectId: other, userId }]);
  });

  it('that has ended is no longer a problem, even without an event', async () => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    const customer = (await billing.stateOf(userId)).row.customerId ?? '';
    const other = await openAt(customer, await createPrice());
    await billing.reconcile();
    await billing.api.subscriptions.cancel(other);
    await billing.reconcile();
    expect((await planOf(userId)).problem).toBeNull();
    expect(await billing.openCheckout(userId)).toMatchObject({ url: expect.any(String) as string });
  });
});

it('a second subscription of the plan is reported, and its amount is on the page of the user', async () => {
  const { userId, customer } = await billing.subscribe();
  await openAt(customer, (await billing.stripe.findPrice()).id);
  await billing.reconcile();
  expect(await planOf(userId)).toMatchObject({
    plan: 'premium',
    problem: { kind: 'other_subscription', amount: PRICE.amount },
  });
  expect(await alerts()).toMatchObject([{ kind: 'other_subscription', userId, amount: PRICE.amount }]);
});
