import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, monthsAfter } from '@shortlist/contracts/durations';
import { paymentSucceeded } from '@shortlist/contracts/events/billing';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, LATER_BAD_CARD, openBilling, PRICE, START, YEAR } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const codeFrom = (call: Promise<unknown>): Promise<unknown> => call.then(() => null, codeOf);
const readData = async (userId: string) => (await billing.read(userId)).data;

/** The movements of MRR of a user, oldest first. */

describe('a year of the plan', () => {
  it('is offered beside the month, at its own price', async () => {
    const { data, yearly } = await billing.call(billingEndpoints.getOffer, {}, asService());
    expect([data, yearly]).toEqual([PRICE, YEAR]);
  });

  it('pays for twelve months at once, and renews after them', async () => {
    const { userId, invoice } = await billing.subscribe(uuidv7(), undefined, 'year');
    const end = monthsAfter(START, 12).toISOString();
    expect(await readData(userId)).toMatchObject({
      plan: 'premium',
      interval: 'year',
      price: YEAR,
      periodEnd: end,
      renews: true,
      lastPayment: { amount: 59_000 },
    });
    const [paid] = await billing.emittedData(userId, paymentSucceeded);
    expect(paid).toMatchObject({ amount: 59_000, planState: { paid: { key: invoice, end, months: 12 } } });
    expect(await billing.mrrOf(userId)).toEqual(['new 4917']);
    await billing.advance(monthsAfter(START, 12).getTime() - START.getTime());
    await billing.reconcile();
    expect(await readData(userId)).toMatchObject({
      interval: 'year',
      periodEnd: monthsAfter(START, 24).toISOString(),
    });
    expect(await billing.mrrOf(userId)).toEqual(['new 4917']);
  });

  it('has the grace of a renewal that is declined, and no more', async () => {
    const { userId } = await billing.subscribe(uuidv7(), LATER_BAD_CARD, 'year');
    await billing.advance(monthsAfter(START, 12).getTime() - START.getTime() + days(6));
    await billing.reconcile();
    expect(await readData(userId)).toMatchObject({ plan: 'premium', problem: { kind: 'past_due' } });
    await billing.advance(days(2));
    await billing.endDuePlans();
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('that was paid late lasts twelve months from then', async () => {
    await billing.close();
    billing = await openBilling({ policies: { unpaidInvoices: 'keep' } });
    const { userId, customer } = await billing.subscribe(uuidv7(), LATER_BAD_CARD, 'year');
    await billing.advance(monthsAfter(START, 12).getTime() - START.getTime() + days(9));
    await billing.reconcile();
    const { data } = await billing.api.invoices.list({ customer, status: 'open' });
    const card = await billing.sandbox.control<{ id: string }>('POST', `/customers/${customer}/card`, {
      card: '4242424242424242',
    });
    await billing.api.invoices.pay(data[0]?.id ?? '', { payment_method: card.id });
    await billing.call(billingEndpoints.refreshSubscription, { userId }, billing.asUser(userId));
    const { paid } = await billing.stateOf(userId);
    expect(paid).toMatchObject({ end: monthsAfter(billing.clock(), 12).toISOString(), months: 12 });
  });

  it('ends with a refund of its whole price, and the months with it', async () => {
    const { userId, invoice } = await billing.subscribe(uuidv7(), undefined, 'year');
    await billing.advance(days(100));
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await billing.call(billingEndpoints.refreshSubscription, { userId }, billing.asUser(userId));
    expect(await billing.stateOf(userId)).toMatchObject({
      plan: 'free',
      row: { subscriptionStatus: 'canceled' },
    });
  });

  it('replaces an open checkout of a month, which cannot be paid any more', async () => {
    const userId = uuidv7();
    const month = billing.sessionIn((await billing.openCheckout(userId)).url);
    const year = billing.sessionIn((await billing.openCheckout(userId, 'year')).url);
    expect(year).not.toBe(month);
    const again = billing.sessionIn((await billing.openCheckout(userId, 'year')).url);
    expect(again).toBe(year);
    expect(await billing.pay(month)).toHaveProperty('error');
    await billing.pay(year);
    await billing.confirm(userId, year);
    expect(await readData(userId)).toMatchObject({ interval: 'year' });
    expect(await codeFrom(billing.openCheckout(userId))).toBe('billing.already_subscribed');
  });

  it('is not sold while its price at Stripe is another, and the month is', async () => {
    await billing.api.prices.create({
      currency: 'usd',
      unit_amount: 69_000,
      recurring: { interval: 'year' },
      lookup_key: 'shortlist_premium_yearly',
      transfer_lookup_key: true,
      product_data: { name: 'Premium' },
    });
    await billing.offer.refresh();
    const { yearly } = await billing.call(billingEndpoints.getOffer, {}, asService());
    expect(yearly).toBeNull();
    expect(await codeFrom(billing.openCheckout(uuidv7(), 'year'))).toBe('billing.price_mismatch');
    expect(await codeFrom(billing.openCheckout(uuidv7()))).toBeNull();
  });
});

it('the prices of a month and of a year are those of one product', async () => {
  const [month, year] = await Promise.all(
    (['month', 'year'] as const).map(async (interval) =>
      billing.api.prices.retrieve((await billing.stripe.findPrice(interval)).id),
    ),
  );
  expect(month?.product).toBe(year?.product);
  expect(year?.metadata['plan']).toBe('shortlist_premium_monthly');
});
