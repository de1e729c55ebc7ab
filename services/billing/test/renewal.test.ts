import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { nextMonth } from '@shortlist/contracts/plan-months';
import { type Billing, GOOD_CARD, LATER_BAD_CARD, openBilling, START, times } from './support.ts';

let billing: Billing;
// One service for each test: the sandbox's clock cannot be set back.
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const planOf = async (userId: string): Promise<string> => (await billing.read(userId)).data.plan;
const refresh = async (): Promise<void> => void (await billing.reconcile());

describe('a renewal', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z', '2026-03-31T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z', '2028-03-31T10:00:00.000Z'],
    ['2026-03-31T00:30:00.000Z', '2026-04-30T00:30:00.000Z', '2026-05-31T00:30:00.000Z'],
    ['2026-10-25T01:30:00.000Z', '2026-11-25T01:30:00.000Z', '2026-12-25T01:30:00.000Z'],
  ])(
    "F12: of a plan that began on %s lasts until %s, and the next until %s, as in Stripe's invoice",
    async (from, first, second) => {
      billing.setTime(new Date(from));
      const { userId } = await billing.subscribe();
      expect((await billing.read(userId)).data.periodEnd).toBe(first);
      await billing.advance(new Date(first).getTime() - new Date(from).getTime());
      await refresh();
      expect((await billing.read(userId)).data).toMatchObject({
        plan: 'premium',
        periodStart: first,
        periodEnd: second,
      });
      expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PaymentSucceeded']);
    },
  );

  it('that is declined a hundred times does not affect the fee and the refunds of the previous payment', async () => {
    const { userId, customer, invoice } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount: 1_000 });
    await billing.advance(days(31));
    const open = (await billing.api.invoices.list({ customer, status: 'open' })).data[0]?.id ?? '';
    for (const _ of times(100)) await billing.api.invoices.pay(open).catch(() => undefined);
    await refresh();
    const sql = 'SELECT refunded, fee FROM invoices WHERE invoice_id = ?';
    expect(await billing.db.query(sql, [invoice])).toEqual([{ refunded: 1_000, fee: 201 }]);
    expect(await planOf(userId)).toBe('premium');
  });

  it('F10: that fails keeps premium for a grace of seven days and then becomes free', async () => {
    const { userId } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31));
    await refresh();
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      graceUntil: '2026-04-08T12:00:00.000Z',
      periodEnd: '2026-04-08T12:00:00.000Z',
    });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PaymentFailed']);
    await billing.advance(days(7) - 1);
    expect(await planOf(userId)).toBe('premium');
    await billing.advance(1);
    expect(await planOf(userId)).toBe('free');
    await billing.advance(days(40));
    await refresh();
    const state = await billing.stateOf(userId);
    expect(state).toMatchObject({ plan: 'free', row: { subscriptionStatus: 'canceled', renews: false } });
  });

  it('F10: that fails is recovered by a payment with another card', async () => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(32));
    await refresh();
    await billing.sandbox.control('POST', `/customers/${customer}/card`, { card: GOOD_CARD });
    const [open] = (await billing.api.invoices.list({ customer, status: 'open' })).data;
    if (open) await billing.api.invoices.pay(open.id ?? '');
    await refresh();
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      graceUntil: null,
      periodEnd: '2026-05-01T12:00:00.000Z',
    });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PaymentFailed', 'PaymentSucceeded']);
  });

  it('F10: that is paid after the subscription ended at Stripe counts for a whole period from that day on', async () => {
    billing.policies.unpaidInvoices = 'keep';
    const { userId, customer, subscription } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31) + hours(1));
    await refresh();
    await billing.api.subscriptions.cancel(subscription);
    await billing.advance(days(1));
    await refresh();
    expect(await planOf(userId)).toBe('free');
    const card = await billing.sandbox.control<{ id: string }>('POST', `/customers/${customer}/card`, {
      card: GOOD_CARD,
    });
    const [open] = (await billing.api.invoices.list({ customer })).data;
    const paidAt = billing.clock();
    const paid = await billing.api.invoices.pay(open?.id ?? '', { payment_method: card.id });
    expect(paid.status).toBe('paid');
    await billing.advance(minutes(1));
    await refresh();
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      periodStart: paidAt.toISOString(),
      periodEnd: nextMonth(paidAt).toISOString(),
      graceUntil: null,
    });
  });

  it("never makes a user free because Stripe's clock is ahead of ours", async () => {
    const { userId } = await billing.subscribe();
    await billing.sandbox.control('POST', '/clock/advance', { seconds: inSeconds(days(31)) });
    await refresh();
    expect(await planOf(userId)).toBe('premium');
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PaymentSucceeded']);
  });
});

describe('the end of a plan', () => {
  it('set for the end of the period takes effect then, without grace, unless the subscription was resumed', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.api.subscriptions.update(subscription, { cancel_at_period_end: true });
    await refresh();
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: false });
    await billing.api.subscriptions.update(subscription, { cancel_at_period_end: false });
    await refresh();
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: true });
    await billing.api.subscriptions.update(subscription, { cancel_at_period_end: true });
    await refresh();
    await billing.advance(days(31) - 1);
    expect(await planOf(userId)).toBe('premium');
    await billing.advance(1);
    expect(await planOf(userId)).toBe('free');
    await refresh();
    expect(await planOf(userId)).toBe('free');
    const renewals = (await billing.emitted(userId)).filter((name) => name.startsWith('Renewal'));
    expect(renewals).toEqual(['RenewalStopped', 'RenewalResumed', 'RenewalStopped']);
  });

  it.each([
    ['a cancellation at once', (id: string) => billing.api.subscriptions.cancel(id)],
    ['a reading that changes nothing', () => Promise.resolve()],
  ])('by %s stops no renewal', async (_, change) => {
    const { userId, subscription } = await billing.subscribe();
    await change(subscription);
    await refresh();
    await refresh();
    expect((await billing.emitted(userId)).filter((name) => name.startsWith('Renewal'))).toEqual([]);
  });

  it('set for the end of the period, followed by a new subscription, does not count as resumed', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.api.subscriptions.update(subscription, { cancel_at_period_end: true });
    await refresh();
    await billing.advance(days(32));
    await refresh();
    await billing.subscribe(userId);
    const renewals = (await billing.emitted(userId)).filter((name) => name.startsWith('Renewal'));
    expect(renewals).toEqual(['RenewalStopped']);
  });

  it('follows a full refund, which also cancels the subscription at Stripe; a partial refund changes nothing', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount: 1_000 });
    await refresh();
    expect(await planOf(userId)).toBe('premium');
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await refresh();
    expect(await planOf(userId)).toBe('free');
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
    expect(await billing.emitted(userId)).toEqual([
      'PaymentSucceeded',
      'PaymentRefunded',
      'PaymentRefunded',
      'PlanRevoked',
    ]);
    await billing.advance(days(40));
    await refresh();
    expect((await billing.api.invoices.list({ subscription })).data).toHaveLength(1);
  });

  it('follows the last of many partial refunds, although a charge contains only ten', async () => {
    const { userId, invoice } = await billing.subscribe();
    const refund = (amount: number) =>
      billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount });
    for (const _ of times(11)) await refund(500);
    await refresh();
    expect(await planOf(userId)).toBe('premium');
    await refund(400);
    await refresh();
    expect(await planOf(userId)).toBe('free');
    expect((await billing.emitted(userId)).filter((name) => name === 'PaymentRefunded')).toHaveLength(2);
  });

  it('follows at once when a renewal is fully refunded: the previous period gives no grace', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(32));
    await refresh();
    const [newest] = (await billing.api.invoices.list({ customer })).data;
    await billing.sandbox.control('POST', `/invoices/${newest?.id}/refund`);
    await refresh();
    expect(await planOf(userId)).toBe('free');
  });

  it('does not follow the refund of an earlier period', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    await billing.advance(days(32));
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await refresh();
    expect(await planOf(userId)).toBe('premium');
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('active');
  });

  it('is followed by premium with a new subscription', async () => {
    const { userId } = await billing.subscribe();
    await billing.advance(days(1));
    await billing.revoke(userId);
    await billing.advance(days(1));
    await billing.subscribe(userId);
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      periodStart: new Date(START.getTime() + days(2)).toISOString(),
    });
  });
});
