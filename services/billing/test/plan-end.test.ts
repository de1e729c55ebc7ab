import { days, minutes } from '@shortlist/contracts/durations';
import { type PlanRevoked, planRevoked } from '@shortlist/contracts/events/billing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, GOOD_CARD, LATER_BAD_CARD, openBilling, times } from './support.ts';

let billing: Billing;
// One service for each test: the sandbox's clock cannot be set back.
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const MONTH = days(31);

const revocations = (userId: string): Promise<PlanRevoked[]> => billing.emittedData(userId, planRevoked);
const reasons = async (userId: string): Promise<string[]> =>
  (await revocations(userId)).map(({ reason }) => reason);

const cancelAtPeriodEnd = async (subscription: string, cancel = true): Promise<void> =>
  void (await billing.api.subscriptions.update(subscription, { cancel_at_period_end: cancel }));

type Started = { userId: string; endsAfter: number; reason: string };
/** Each way in which a plan ends by time: a user whose plan ends after `endsAfter` milliseconds. */
const CAUSES: [string, () => Promise<Started>][] = [
  [
    'a cancellation at the period end',
    async () => {
      const { userId, subscription } = await billing.subscribe();
      await cancelAtPeriodEnd(subscription);
      await billing.reconcile();
      return { userId, endsAfter: MONTH, reason: 'period_end' };
    },
  ],
  [
    'the end of the grace',
    async () => {
      const { userId } = await billing.subscribe(undefined, LATER_BAD_CARD);
      return { userId, endsAfter: MONTH + days(7), reason: 'grace_end' };
    },
  ],
  [
    'the end of a grant',
    async () => {
      const userId = await billing.register();
      await billing.grant(userId);
      return { userId, endsAfter: MONTH, reason: 'grant_end' };
    },
  ],
];

describe('a plan that ends by time', () => {
  it.each(CAUSES)('by %s emits PlanRevoked once, at its end', async (_, start) => {
    const { userId, endsAfter, reason } = await start();
    await billing.advance(endsAfter - 1);
    await billing.endDuePlans();
    expect(await reasons(userId)).toEqual([]);
    const before = await billing.stateOf(userId);
    await billing.advance(1);
    expect(await billing.endDuePlans()).toEqual({ ended: 1, failed: 0 });
    const after = await billing.stateOf(userId);
    expect(after).toMatchObject({ plan: 'free', row: { planEndsAt: null } });
    expect(after.version).toBeGreaterThan(before.version);
    const { paid, granted, version } = after;
    expect(await revocations(userId)).toMatchObject([{ reason, planState: { paid, granted, version } }]);
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    await billing.reconcile();
    expect(await reasons(userId)).toEqual([reason]);
  });

  it.each(CAUSES)('by %s emits PlanRevoked once after weeks of downtime', async (_, start) => {
    const { userId, endsAfter, reason } = await start();
    await billing.advance(endsAfter + days(60));
    await billing.endDuePlans();
    await billing.endDuePlans();
    expect(await reasons(userId)).toEqual([reason]);
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it.each(CAUSES)('by %s emits PlanRevoked once in ten concurrent runs', async (_, start) => {
    const { userId, endsAfter, reason } = await start();
    await billing.advance(endsAfter);
    const results = await Promise.all(times(10).map(() => billing.endDuePlans()));
    expect(results.reduce((sum, { ended }) => sum + ended, 0)).toBe(1);
    expect(await reasons(userId)).toEqual([reason]);
  });

  it.each(CAUSES)('by %s ends again after it was bought again', async (_, start) => {
    const { userId, endsAfter, reason } = await start();
    await billing.advance(endsAfter + days(30));
    await billing.endDuePlans();
    const { subscription } = await billing.subscribe(userId);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    await cancelAtPeriodEnd(subscription);
    await billing.reconcile();
    await billing.advance(MONTH);
    await billing.endDuePlans();
    expect(await reasons(userId)).toEqual([reason, 'period_end']);
  });

  it('is emitted by a refresh before the job, and not again by the job', async () => {
    const { userId, subscription } = await billing.subscribe();
    await cancelAtPeriodEnd(subscription);
    await billing.reconcile();
    await billing.advance(MONTH);
    await billing.reconcile();
    expect(await reasons(userId)).toEqual(['period_end']);
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    expect(await reasons(userId)).toEqual(['period_end']);
  });

  it('is not emitted for a deleted user', async () => {
    const userId = await billing.register();
    await billing.grant(userId);
    await billing.remove(userId);
    await billing.advance(2 * MONTH);
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    expect(await reasons(userId)).toEqual([]);
  });

  it('is not emitted at the end of a grant while a paid period lasts longer', async () => {
    const { userId } = await billing.subscribe();
    await billing.db.query(
      `UPDATE subscribers SET granted = JSON_SET(paid, '$.key', 'grant:1', '$.end', '2026-03-10T00:00:00.000Z', '$.graceUntil', NULL)
       WHERE user_id = ?`,
      [userId],
    );
    await billing.advance(days(20));
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    expect(await reasons(userId)).toEqual([]);
  });
});

describe('a plan that seems to be over', () => {
  it('is not revoked when it was renewed at the last moment without a webhook', async () => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(MONTH);
    await billing.reconcile();
    await billing.advance(days(7) - minutes(1));
    await billing.sandbox.control('POST', `/customers/${customer}/card`, { card: GOOD_CARD });
    const [open] = (await billing.api.invoices.list({ customer, status: 'open' })).data;
    await billing.api.invoices.pay(open?.id ?? '');
    await billing.advance(minutes(2));
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PaymentFailed', 'PaymentSucceeded']);
  });

  it('is not revoked if all its renewals happened during downtime', async () => {
    const { userId } = await billing.subscribe();
    await billing.advance(days(100));
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await reasons(userId)).toEqual([]);
  });

  it('is not revoked when a cancellation was withdrawn without a webhook', async () => {
    const { userId, subscription } = await billing.subscribe();
    await cancelAtPeriodEnd(subscription);
    await billing.reconcile();
    await cancelAtPeriodEnd(subscription, false);
    await billing.advance(MONTH);
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await reasons(userId)).toEqual([]);
  });

  it('stays due while Stripe is unavailable, which delays no grant', async () => {
    const { userId, subscription } = await billing.subscribe();
    await cancelAtPeriodEnd(subscription);
    await billing.reconcile();
    const granted = await billing.register();
    await billing.grant(granted);
    await billing.advance(MONTH);
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/subscriptions', status: 500, times: 1 });
    expect(await billing.endDuePlans()).toEqual({ ended: 1, failed: 1 });
    expect(await reasons(granted)).toEqual(['grant_end']);
    expect(await reasons(userId)).toEqual([]);
    expect(await billing.endDuePlans()).toEqual({ ended: 1, failed: 0 });
    expect(await reasons(userId)).toEqual(['period_end']);
  });
});

describe('a plan that ends before its time', () => {
  it('names an admin, a refund or a cancellation as the reason', async () => {
    const revoked = await billing.subscribe();
    const refunded = await billing.subscribe();
    const canceled = await billing.subscribe();
    await billing.advance(days(1));
    await billing.revoke(revoked.userId);
    await billing.sandbox.control('POST', `/invoices/${refunded.invoice}/refund`);
    await billing.api.subscriptions.cancel(canceled.subscription);
    await billing.reconcile();
    expect(await reasons(revoked.userId)).toEqual(['unsubscribed']);
    expect(await reasons(refunded.userId)).toEqual(['refund']);
    expect(await reasons(canceled.userId)).toEqual(['canceled']);
    await billing.advance(2 * MONTH);
    expect(await billing.endDuePlans()).toEqual({ ended: 0, failed: 0 });
  });
});
