import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, minutes, monthsAfter } from '@shortlist/contracts/durations';
import type { Interval } from '@shortlist/contracts/plan';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, GOOD_CARD, openBilling, PRICE, START, YEAR } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const codeFrom = (call: Promise<unknown>): Promise<unknown> => call.then(() => null, codeOf);
const preview = async (userId: string, interval: Interval) =>
  (await billing.call(billingEndpoints.previewInterval, { userId, interval }, billing.asUser(userId))).data;
type Shown = Awaited<ReturnType<typeof preview>>;
const confirm = async (userId: string, { interval, amount, currency, prorationAt }: Shown) =>
  (
    await billing.call(
      billingEndpoints.changeInterval,
      { userId, interval, amount, currency, prorationAt },
      billing.asUser(userId),
    )
  ).data;
const change = async (userId: string, interval: Interval) => confirm(userId, await preview(userId, interval));
const keep = async (userId: string) =>
  (await billing.call(billingEndpoints.keepInterval, { userId }, billing.asUser(userId))).data;
const read = async (userId: string) => (await billing.read(userId)).data;
const refresh = (userId: string) =>
  billing.call(billingEndpoints.refreshSubscription, { userId }, billing.asUser(userId));
const invoicesOf = async (customer: string) => (await billing.api.invoices.list({ customer })).data;
const setCard = (customer: string, card: string) =>
  billing.sandbox.control('POST', `/customers/${customer}/card`, { card });
const NEEDS_CONFIRMATION = '4000002760003184';
const DECLINED = '4000000000000341';

describe('a year instead of months', () => {
  it('begins at once, for what the preview showed: its price less the unused days', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(10));
    const shown = await preview(userId, 'year');
    const credit = Math.round((PRICE.amount * 21) / 31);
    expect(shown).toEqual({
      interval: 'year',
      amount: YEAR.amount - credit,
      credit,
      tax: 0,
      currency: 'usd',
      price: YEAR.amount,
      prorationAt: billing.clock().toISOString(),
      startsAt: billing.clock().toISOString(),
      nextChargeAt: monthsAfter(billing.clock(), 12).toISOString(),
    });
    expect(await invoicesOf(customer)).toHaveLength(1);
    await billing.advance(minutes(5));
    expect(await confirm(userId, shown)).toMatchObject({
      plan: 'premium',
      interval: 'year',
      price: YEAR,
      periodEnd: monthsAfter(billing.clock(), 12).toISOString(),
      lastPayment: { amount: shown.amount },
      nextInterval: null,
    });
    const [invoice] = await invoicesOf(customer);
    expect(invoice).toMatchObject({ amount_paid: shown.amount, billing_reason: 'subscription_update' });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PaymentSucceeded']);
    // $59 a month becomes a twelfth of $590.
    expect(await billing.mrrOf(userId)).toEqual(['new 5900', 'contraction -983']);
    const { paid } = await billing.stateOf(userId);
    expect(paid).toMatchObject({ key: invoice?.id, months: 12 });
    await billing.reconcile();
    expect(await billing.mrrOf(userId)).toEqual(['new 5900', 'contraction -983']);
  });

  it('is charged once, however often it is confirmed', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(10));
    const shown = await preview(userId, 'year');
    await Promise.all([confirm(userId, shown), confirm(userId, shown)]);
    expect(await confirm(userId, shown)).toMatchObject({ interval: 'year' });
    expect(await invoicesOf(customer)).toHaveLength(2);
  });

  it('is charged once if the response to the change was lost', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(1));
    const shown = await preview(userId, 'year');
    // The change was made with the key of this confirmation, and its response never arrived.
    const { id } = await billing.stripe.findPrice('year');
    const [subscription] = (await billing.api.subscriptions.list({ customer })).data;
    const prorationAt = new Date(shown.prorationAt);
    await billing.stripe.changeInterval(
      { subscriptionId: subscription?.id ?? '', priceId: id, prorationAt },
      `interval:${subscription?.id}:year:${prorationAt.getTime()}`,
    );
    expect(await confirm(userId, shown)).toMatchObject({ interval: 'year', plan: 'premium' });
    expect(await invoicesOf(customer)).toHaveLength(2);
  });

  it.each<[string, (shown: Shown) => Shown]>([
    ['another amount', (shown) => ({ ...shown, amount: shown.amount - 1 })],
    ['another currency', (shown) => ({ ...shown, currency: 'eur' })],
    ['a credit for days that were used', (shown) => ({ ...shown, prorationAt: START.toISOString() })],
    [
      'a time to come',
      (shown) => ({
        ...shown,
        prorationAt: new Date(Date.parse(shown.prorationAt) + minutes(5)).toISOString(),
      }),
    ],
  ])('is refused with %s than the preview showed', async (_, changed) => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(10));
    const shown = await preview(userId, 'year');
    expect(await codeFrom(confirm(userId, changed(shown)))).toBe('billing.change_outdated');
    expect(await invoicesOf(customer)).toHaveLength(1);
    expect(await read(userId)).toMatchObject({ interval: 'month' });
  });

  it('is refused when the preview is old, even with the amount of then', async () => {
    const { userId, customer } = await billing.subscribe();
    const shown = await preview(userId, 'year');
    await billing.advance(minutes(11));
    expect(await codeFrom(confirm(userId, shown))).toBe('billing.change_outdated');
    expect(await invoicesOf(customer)).toHaveLength(1);
  });

  it.each([
    ['is declined', DECLINED],
    ['needs the payer to confirm it', NEEDS_CONFIRMATION],
  ])('does not begin while its payment %s, and nothing is left of it', async (_, card) => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(10));
    await setCard(customer, card);
    const shown = await preview(userId, 'year');
    expect(await codeFrom(confirm(userId, shown))).toBe('billing.change_unpaid');
    await refresh(userId);
    expect(await read(userId)).toMatchObject({ interval: 'month', plan: 'premium', problem: null });
    expect(await invoicesOf(customer)).toHaveLength(1);
    // With a card that works, a new confirmation goes through.
    await setCard(customer, GOOD_CARD);
    await billing.advance(1_000);
    expect(await change(userId, 'year')).toMatchObject({ interval: 'year' });
  });

  it('that was refunded in full leaves the month that was paid before, and nothing after it', async () => {
    const { userId, customer, invoice: month } = await billing.subscribe();
    await billing.advance(days(3));
    await change(userId, 'year');
    const [invoice] = await invoicesOf(customer);
    await billing.advance(days(1));
    await billing.sandbox.control('POST', `/invoices/${invoice?.id}/refund`);
    await refresh(userId);
    const endOfMonth = monthsAfter(START, 1).toISOString();
    expect(await billing.stateOf(userId)).toMatchObject({
      plan: 'premium',
      paid: { key: month, end: endOfMonth, graceUntil: null },
      row: { subscriptionStatus: 'canceled' },
    });
    await billing.reconcileAt(new Date(endOfMonth));
    await billing.endDuePlans();
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.paidOf(customer), 'nothing is charged again').toHaveLength(2);
  });

  it('whose payment was disputed and lost ends the plan, and the month before it', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(3));
    await change(userId, 'year');
    const [invoice] = await invoicesOf(customer);
    await billing.advance(days(1));
    const dispute = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice?.id}/dispute`);
    await billing.sandbox.control('POST', `/disputes/${dispute.id}/close`, { status: 'lost' });
    await refresh(userId);
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('ends what an admin ends, and is not changed by a change under way', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(3));
    const shown = await preview(userId, 'year');
    const [changed] = await Promise.all([codeFrom(confirm(userId, shown)), billing.revoke(userId)]);
    await refresh(userId);
    expect((await billing.stateOf(userId)).plan).toBe('free');
    const [subscription] = (await billing.api.subscriptions.list({ customer, status: 'all' })).data;
    expect(subscription?.status).toBe('canceled');
    // Whichever came first: either the change was made and ended, or it was refused.
    expect([null, 'billing.change_refused']).toContain(changed);
  });
});

describe('a month instead of a year', () => {
  const endOfYear = monthsAfter(START, 12);

  it('follows the paid year, and costs nothing before', async () => {
    const { userId, customer } = await billing.subscribe(uuidv7(), undefined, 'year');
    await billing.advance(days(40));
    const shown = await preview(userId, 'month');
    expect(shown).toMatchObject({
      amount: 0,
      credit: 0,
      price: PRICE.amount,
      startsAt: endOfYear.toISOString(),
      nextChargeAt: endOfYear.toISOString(),
    });
    expect(await confirm(userId, shown)).toMatchObject({
      interval: 'year',
      nextInterval: 'month',
      periodEnd: endOfYear.toISOString(),
      renews: true,
    });
    expect(await confirm(userId, shown)).toMatchObject({ nextInterval: 'month' });
    expect(await invoicesOf(customer)).toHaveLength(1);
    await billing.reconcile();
    expect(await read(userId)).toMatchObject({ nextInterval: 'month' });
    await billing.advance(endOfYear.getTime() - billing.clock().getTime());
    await billing.reconcile();
    expect(await read(userId)).toMatchObject({
      interval: 'month',
      nextInterval: null,
      price: PRICE,
      periodEnd: monthsAfter(endOfYear, 1).toISOString(),
    });
    expect((await invoicesOf(customer)).map(({ amount_paid }) => amount_paid)).toEqual([5_900, 59_000]);
    expect(await billing.mrrOf(userId)).toEqual(['new 4917', 'expansion 983']);
    // And may become a year again, although the schedule is not over yet.
    await billing.advance(days(2));
    expect(await change(userId, 'year')).toMatchObject({ interval: 'year' });
    await billing.advance(days(40));
    await billing.reconcile();
    expect(await read(userId)).toMatchObject({ interval: 'year', nextInterval: null });
  });

  it('can be taken back until then', async () => {
    const { userId, customer } = await billing.subscribe(uuidv7(), undefined, 'year');
    await billing.advance(days(40));
    await change(userId, 'month');
    expect(await keep(userId)).toMatchObject({ interval: 'year', nextInterval: null });
    expect(await codeFrom(keep(userId))).toBe('billing.change_refused');
    // The same change again, which is another order.
    await billing.advance(1_000);
    expect(await change(userId, 'month')).toMatchObject({ nextInterval: 'month' });
    await keep(userId);
    await billing.advance(endOfYear.getTime() - billing.clock().getTime());
    await billing.reconcile();
    expect(await read(userId)).toMatchObject({ interval: 'year' });
    expect((await invoicesOf(customer)).map(({ amount_paid }) => amount_paid)).toEqual([59_000, 59_000]);
  });

  it('is made with what an earlier call had begun', async () => {
    const { userId, subscription } = await billing.subscribe(uuidv7(), undefined, 'year');
    await billing.api.subscriptionSchedules.create({ from_subscription: subscription });
    await billing.advance(1_000);
    expect(await change(userId, 'month')).toMatchObject({ nextInterval: 'month' });
  });

  it('is taken back by an order to end the subscription, which ends with the year', async () => {
    const { userId } = await billing.subscribe(uuidv7(), undefined, 'year');
    await billing.advance(days(1));
    await change(userId, 'month');
    await billing.call(billingEndpoints.revokePlan, { userId, when: 'period_end' }, billing.asUser(userId));
    expect(await read(userId)).toMatchObject({ renews: false, nextInterval: null, continuation: 'ends' });
    await billing.call(billingEndpoints.resumePlan, { userId }, billing.asUser(userId));
    expect(await read(userId)).toMatchObject({ renews: true, interval: 'year', nextInterval: null });
  });

  it('is over with the subscription', async () => {
    const { userId } = await billing.subscribe(uuidv7(), undefined, 'year');
    await billing.advance(days(1));
    await change(userId, 'month');
    await billing.revoke(userId);
    expect(await read(userId)).toMatchObject({ plan: 'free', nextInterval: null });
    expect(await codeFrom(keep(userId))).toBe('billing.change_refused');
  });
});

describe('a change is refused in words', () => {
  const refused = async (userId: string, interval: Interval = 'year') =>
    expect(await codeFrom(preview(userId, interval))).toBe('billing.change_refused');

  it('without a subscription, or with a granted plan', async () => {
    const userId = await billing.register();
    await refused(userId);
    await billing.grant(userId);
    await refused(userId);
  });

  it('to the interval that the plan has', async () => {
    const { userId } = await billing.subscribe();
    await refused(userId, 'month');
  });

  it('while a renewal is past due', async () => {
    const { userId } = await billing.subscribe(uuidv7(), DECLINED);
    await billing.advance(days(32));
    await refused(userId);
  });

  it('while the plan is set to end', async () => {
    const { userId } = await billing.subscribe();
    await billing.call(billingEndpoints.revokePlan, { userId, when: 'period_end' }, billing.asUser(userId));
    await refused(userId);
  });

  it('while a payment is disputed', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.sandbox.control('POST', `/invoices/${invoice}/dispute`);
    await refused(userId);
  });

  it('while a checkout is open', async () => {
    const { userId, customer } = await billing.subscribe();
    const { id } = await billing.stripe.findPrice();
    const session = await billing.api.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: id, quantity: 1 }],
      success_url: 'https://shortlist.test/',
    });
    await refused(userId);
    await billing.api.checkout.sessions.expire(session.id);
    expect(await change(userId, 'year')).toMatchObject({ interval: 'year' });
  });

  it('of a subscription that is paid by bank debit: a change must not go on unpaid for days', async () => {
    const userId = uuidv7();
    const session = billing.sessionIn((await billing.openCheckout(userId)).url);
    const { invoice } = await billing.sandbox.control<{ invoice: string }>(
      'POST',
      `/checkout_sessions/${session}/pay`,
      { method: 'bank_debit' },
    );
    await billing.sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'succeeded' });
    await refresh(userId);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    await refused(userId);
  });

  it('of a subscription in a currency that the year is not sold in', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.api.subscriptions.cancel(subscription);
    await billing.advance(1_000);
    const price = await billing.api.prices.create({
      currency: 'eur',
      unit_amount: 5_500,
      recurring: { interval: 'month' },
      metadata: { plan: 'shortlist_premium_monthly' },
      product_data: { name: 'Premium' },
    });
    await billing.api.subscriptions.create({ customer, items: [{ price: price.id }] });
    await refresh(userId);
    expect(await read(userId)).toMatchObject({ plan: 'premium', price: { currency: 'eur' } });
    await refused(userId);
  });

  it('of a subscription that sells something else too, or follows a schedule of the dashboard', async () => {
    const { userId, subscription } = await billing.subscribe();
    const schedule = await billing.api.subscriptionSchedules.create({ from_subscription: subscription });
    await billing.api.subscriptionSchedules.update(schedule.id, {
      metadata: { by: 'support' },
      phases: [
        {
          start_date: schedule.phases[0]?.start_date ?? 0,
          end_date: schedule.phases[0]?.end_date ?? 0,
          items: [{ price: (await billing.stripe.findPrice()).id }],
        },
      ],
    });
    await refused(userId);
    await billing.api.subscriptionSchedules.release(schedule.id);
    const other = await billing.api.prices.create({
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      product_data: { name: 'Seats' },
    });
    await billing.api.subscriptionItems.create({
      subscription,
      price: other.id,
      proration_behavior: 'none',
    });
    await refused(userId);
  });

  it('of a deleted user', async () => {
    const { userId } = await billing.subscribe();
    await billing.remove(userId);
    expect(await codeFrom(preview(userId, 'year'))).toBe('billing.user_not_found');
  });
});

it('a preview takes seven calls to Stripe, and its confirmation twelve', async () => {
  const { userId } = await billing.subscribe();
  await billing.advance(days(1));
  const calls = async (): Promise<number> => {
    const text = await billing.metrics.text();
    return [...text.matchAll(/stripe_request_duration_seconds_count\{[^}]*\} (\d+)/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  };
  const before = await calls();
  const shown = await preview(userId, 'year');
  const between = await calls();
  await confirm(userId, shown);
  const after = await calls();
  expect([between - before, after - between]).toEqual([7, 12]);
});
