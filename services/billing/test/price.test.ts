import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days } from '@shortlist/contracts/durations';
import { asService } from '@shortlist/kit/http/http-client';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCheckout } from '../src/checkout/open-checkout.ts';
import { planSale } from '../src/checkout/sales.ts';
import { refreshSubscriber } from '../src/refresh/refresh-subscriber.ts';
import { createOffer } from '../src/subscriptions/offer.ts';
import { applySetup } from '../src/setup/stripe-check.ts';
import { type Billing, codeOf, openBilling, PRICE, YEAR } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  vi.restoreAllMocks();
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const HIGHER = { amount: 7_900, currency: 'usd' };

/** Moves the lookup key to a new price at Stripe. */
const changePrice = async (unitAmount: number): Promise<void> => {
  await billing.api.prices.create({
    currency: 'usd',
    unit_amount: unitAmount,
    recurring: { interval: 'month' },
    lookup_key: 'shortlist_premium_monthly',
    transfer_lookup_key: true,
    metadata: { plan: 'shortlist_premium_monthly' },
    product_data: { name: 'Shortlist Premium' },
  });
  // The cached price is a minute old from here on.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
};
const readOffer = async () => (await billing.call(billingEndpoints.getOffer, {}, asService())).data;
const gauge = async (name: string): Promise<string | undefined> =>
  new RegExp(`${name}\\{.*\\} (\\d)`).exec(await billing.metrics.text())?.[1];
const mismatch = () => gauge('stripe_price_mismatch');
const openNewAccount = async (): Promise<void> => {
  await billing.close();
  billing = await openBilling({ isNewAccount: true });
};

describe('the price of the offer', () => {
  it("is the configured price before Stripe's price was read", async () => {
    expect(await readOffer()).toEqual(PRICE);
    expect(await mismatch()).toBe('0');
  });

  it('stays the configured one in an account that has none, which is logged as an error', async () => {
    await openNewAccount();
    const logged = vi.spyOn(billing.log, 'error');
    expect(await billing.offer.refresh()).toBe(true);
    expect(await readOffer()).toEqual(PRICE);
    const message = expect.stringContaining('Stripe has no price of the plan') as string;
    const ofYear = expect.stringContaining('no year of the plan is sold') as string;
    expect(logged.mock.calls).toEqual([
      [expect.objectContaining({ yearly: YEAR }), ofYear],
      [{ configured: PRICE }, message],
    ]);
    expect(await gauge('stripe_price_missing')).toBe('1');
    expect((await billing.api.products.list()).data).toEqual([]);
  });

  it("is Stripe's price when it differs from the configured one, which is logged as an error", async () => {
    const logged = vi.spyOn(billing.log, 'error');
    await billing.offer.refresh();
    expect(logged).not.toHaveBeenCalled();
    await changePrice(HIGHER.amount);
    expect(await billing.offer.refresh()).toBe(true);
    expect(await readOffer()).toEqual(HIGHER);
    const message = expect.stringContaining('differs from the configured price') as string;
    expect(logged.mock.calls).toEqual([[{ configured: PRICE, stripe: HIGHER }, message]]);
    expect(await mismatch()).toBe('1');
  });

  it('stays the last known one while Stripe is unavailable', async () => {
    await billing.offer.refresh();
    await changePrice(HIGHER.amount);
    await billing.offer.refresh();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/prices', status: 500, times: 5 });
    expect(await billing.offer.refresh()).toBe(false);
    expect(await readOffer()).toEqual(HIGHER);
  });
});

describe('a checkout in an account without a price', () => {
  it('is refused, and opens once the operator has created the price', async () => {
    await openNewAccount();
    const userId = uuidv7();
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.price_missing');
    const { account, expected } = billing;
    await applySetup({ account, expected, brand: 'Maple' }, await account.read());
    expect((await billing.openCheckout(userId)).url).toMatch(/^http/);
    expect(await billing.offer.refresh()).toBe(true);
    expect(await gauge('stripe_price_missing')).toBe('0');
  });
});

describe("a checkout at a time when Stripe's price differs from the configured one", () => {
  it('is refused, and opens again when both agree', async () => {
    const userId = uuidv7();
    await changePrice(HIGHER.amount);
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.price_mismatch');
    await changePrice(PRICE.amount);
    expect((await billing.openCheckout(userId)).url).toMatch(/^http/);
  });

  it('is refused although a session at the former price is open; the next checkout expires that session', async () => {
    const userId = uuidv7();
    const { url } = await billing.openCheckout(userId);
    await changePrice(HIGHER.amount);
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.price_mismatch');
    const offer = createOffer({
      yearly: null,
      ...billing,
      configured: HIGHER,
      metrics: createMetrics('billing'),
    });
    const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    const again = await openCheckout(
      { ...billing, offer, publicUrl: 'https://shortlist.test' },
      planSale('month'),
      user,
    );
    expect(again).not.toBe(url);
    const former = await billing.api.checkout.sessions.retrieve(billing.sessionIn(url));
    expect(former.status).toBe('expired');
    const session = await billing.api.checkout.sessions.retrieve(billing.sessionIn(again));
    expect(session.amount_total).toBe(HIGHER.amount);
  });
});

describe("a user's price", () => {
  it('is that of the user’s own ongoing subscription, or otherwise that of the offer', async () => {
    const { userId } = await billing.subscribe();
    await changePrice(HIGHER.amount);
    await billing.offer.refresh();
    await billing.reconcile();
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', price: PRICE });
    expect((await billing.read(await billing.register())).data.price).toEqual(HIGHER);
    await billing.advance(days(1));
    await billing.revoke(userId);
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'free', price: HIGHER });
  });

  it('follows a subscription that was moved to another price, and reconciliation repairs a lost change', async () => {
    const { userId } = await billing.subscribe();
    await billing.reconcile();
    await billing.db.query('UPDATE subscribers SET price_amount = 100 WHERE user_id = ?', [userId]);
    expect((await billing.read(userId)).data.price.amount).toBe(100);
    expect((await billing.reconcile()).repaired).toMatchObject([{ userId, what: 'price 100 to 5900' }]);
    expect((await billing.read(userId)).data.price).toEqual(PRICE);
  });
});

it('a payment in another currency of the price gives the plan, and the user sees what was paid', async () => {
  const { userId, invoice } = await billing.subscribe();
  const readCustomer: typeof billing.stripe.readCustomer = async (id) => {
    const snapshot = await billing.stripe.readCustomer(id);
    const inEuros = { amount: 5_400, currency: 'eur' };
    return { ...snapshot, invoices: snapshot.invoices.map((one) => ({ ...one, ...inEuros })) };
  };
  await billing.db.query('DELETE FROM invoices');
  const parts = { ...billing, stripe: { ...billing.stripe, readCustomer } };
  await refreshSubscriber(parts, userId, { by: 'test', reason: 'paid in euros', waitMs: 0 });
  const { data } = await billing.read(userId);
  const paid = { amount: 5_400, currency: 'eur' };
  expect(data).toMatchObject({ plan: 'premium', price: paid, lastPayment: paid });
  expect((await billing.stateOf(userId)).paid?.key).toBe(invoice);
});
