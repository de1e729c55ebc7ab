import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, hours } from '@shortlist/contracts/durations';
import type { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, GOOD_CARD, LATER_BAD_CARD, openBilling, PRICE, times } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const A_MONTH = days(31) + hours(1);
/** The first page of an embedded list, and one more. */
const MORE_THAN_A_PAGE = 11;

const planOf = async (userId: string) => (await billing.read(userId)).data;
const refunds = async (): Promise<number[]> =>
  (await billing.api.refunds.list({ limit: 100 })).data.map(({ amount }) => amount);
const alerts = async () => (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data;
const statusOf = async (subscription: string): Promise<string> =>
  (await billing.api.subscriptions.retrieve(subscription)).status;

const passMonth = async (): Promise<void> => {
  await billing.advance(A_MONTH);
  await billing.reconcile();
  await billing.endDuePlans();
};

const createPrice = (interval: 'month' | 'year', unitAmount: number): Promise<Stripe.Price> =>
  billing.api.prices.create({
    currency: 'usd',
    unit_amount: unitAmount,
    recurring: { interval },
    product_data: { name: 'Something else' },
  });

type Of = { customer: string; subscription: string };

const chargeOnce = ({ customer, subscription }: Of, amount = 300): Promise<unknown> =>
  billing.api.invoiceItems.create({ customer, subscription, amount, currency: 'usd' });

/** Invoices at once what waits for the subscription's next invoice, and charges the card. */
const invoiceNow = async ({ customer, subscription }: Of): Promise<Stripe.Invoice> => {
  const { id } = await billing.api.invoices.create({
    customer,
    subscription,
    pending_invoice_items_behavior: 'include',
  });
  return billing.api.invoices.finalizeInvoice(id);
};

/** A subscription that an operator opens in the dashboard, with the items in this order. */
const openSubscription = async (prices: string[]) => {
  const userId = await billing.register();
  await billing.openCheckout(userId);
  const customer = (await billing.stateOf(userId)).row.customerId ?? '';
  const path = `/customers/${customer}/card`;
  const { id } = await billing.sandbox.control<{ id: string }>('POST', path, { card: GOOD_CARD });
  const subscription = await billing.api.subscriptions.create({
    customer,
    items: prices.map((price) => ({ price })),
    default_payment_method: id,
  });
  await billing.reconcile();
  return { userId, customer, subscription: subscription.id };
};

describe('the list of', () => {
  it("an invoice's lines is read to its end: the plan's is the eleventh, and the plan goes on", async () => {
    const { userId, ...of } = await billing.subscribe();
    for (const _ of times(MORE_THAN_A_PAGE - 1)) await chargeOnce(of);
    await passMonth();
    expect(await planOf(userId)).toMatchObject({
      plan: 'premium',
      renews: true,
      lastPayment: { amount: PRICE.amount + 3_000 },
    });
    expect(await refunds()).toEqual([]);
    expect(await statusOf(of.subscription)).toBe('active');
  });

  it("a subscription's items is read to its end: the plan's is the eleventh", async () => {
    const others = await Promise.all(times(MORE_THAN_A_PAGE - 1).map(() => createPrice('month', 100)));
    const { id } = await billing.stripe.findPrice();
    const { userId } = await openSubscription([...others.map((price) => price.id), id]);
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', price: PRICE });
  });

  it("a charge's refunds is read to its end", async () => {
    const { userId, invoice } = await billing.subscribe();
    for (const _ of times(MORE_THAN_A_PAGE))
      await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount: 100 });
    await billing.reconcile();
    const [row] = await billing.db.query<{ refunded: number }[]>(
      'SELECT refunded FROM invoices WHERE user_id = ?',
      [userId],
    );
    expect(row?.refunded).toBe(1_100);
  });
});

describe('a one-off charge that is invoiced for the subscription', () => {
  it('does not count as a payment of the plan, is not late, and is not refunded', async () => {
    const { userId, ...of } = await billing.subscribe();
    const before = await planOf(userId);
    await billing.advance(days(3));
    await chargeOnce(of);
    expect(await invoiceNow(of)).toMatchObject({ status: 'paid', amount_paid: 300 });
    await billing.reconcile();
    expect(await planOf(userId)).toEqual(before);
    expect(await refunds()).toEqual([]);
    expect(await alerts()).toEqual([]);
  });

  it('that is refunded does not change the plan', async () => {
    const { userId, ...of } = await billing.subscribe();
    await chargeOnce(of);
    const { id } = await invoiceNow(of);
    await billing.sandbox.control('POST', `/invoices/${id}/refund`);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', renews: true });
    expect(await statusOf(of.subscription)).toBe('active');
  });
});

it("another product's yearly item leaves the plan its months: each opens its own", async () => {
  const yearly = await createPrice('year', 9_900);
  const plan = await billing.stripe.findPrice();
  const { userId } = await openSubscription([yearly.id, plan.id]);
  const { periodEnd } = await planOf(userId);
  expect(Date.parse(periodEnd ?? '') - billing.clock().getTime()).toBe(days(31));
  await passMonth();
  expect((await billing.emitted(userId)).filter((type) => type === 'PaymentSucceeded')).toHaveLength(2);
  expect((await billing.reconcile()).repaired).toEqual([]);
});

it('a late payment that also paid for something else is reported but not refunded', async () => {
  await billing.close();
  billing = await openBilling({ policies: { unpaidInvoices: 'keep', latePayments: 'refund' } });
  const { userId, ...of } = await billing.subscribe(undefined, LATER_BAD_CARD);
  await chargeOnce(of);
  for (const wait of [A_MONTH, days(4), days(6), days(8)]) {
    await billing.advance(wait);
    await billing.reconcile();
  }
  expect(await statusOf(of.subscription)).toBe('canceled');
  const path = `/customers/${of.customer}/card`;
  const { id } = await billing.sandbox.control<{ id: string }>('POST', path, { card: GOOD_CARD });
  const [renewal] = (await billing.api.invoices.list({ customer: of.customer })).data;
  await billing.api.invoices.pay(renewal?.id ?? '', { payment_method: id });
  await billing.reconcile();
  expect(await refunds()).toEqual([]);
  expect(await alerts()).toMatchObject([
    { kind: 'late_payment', userId, detail: 'It could not be refunded in full. Refund it in Stripe.' },
  ]);
});
