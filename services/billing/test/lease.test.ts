import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import { refreshSubscriber, withLease } from '../src/refresh/refresh-subscriber.ts';
import { type Billing, openBilling, START } from './support.ts';

describe('the lease on a user', () => {
  let billing: Billing;
  beforeAll(async () => {
    billing = await openBilling();
  });
  afterAll(() => billing.close());

  it('F4 once expired, keeps an older snapshot from overwriting a newer one', async () => {
    const { userId, subscription } = await billing.subscribe();
    const hasRead = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const { db, stripe } = billing;
    const slow = {
      ...stripe,
      readCustomer: async (customerId: string) => {
        const snapshot = await stripe.readCustomer(customerId);
        hasRead.resolve();
        await resume.promise;
        return snapshot;
      },
    };
    const older = refreshSubscriber({ ...billing, stripe: slow }, userId, {
      by: 'test',
      reason: 'slow',
      waitMs: 0,
    });
    const outcome = older.then(
      () => 'written',
      (error: { code?: string }) => error.code,
    );
    await hasRead.promise;

    await db.query('UPDATE subscribers SET lease_until = NOW(3) WHERE user_id = ?', [userId]);
    await billing.api.subscriptions.cancel(subscription);
    await refreshSubscriber(billing, userId, { by: 'test', reason: 'newer', waitMs: 0 });
    const newer = await billing.stateOf(userId);
    expect(newer.plan).toBe('free');

    resume.resolve();
    expect(await outcome).toBe('billing.busy');
    expect(await billing.stateOf(userId)).toEqual(newer);
  });

  it('is free for the user while a read in the background waits for its calls to Stripe', async () => {
    const { userId } = await billing.subscribe();
    const resume = Promise.withResolvers<void>();
    const waiting = {
      ...billing.stripe,
      reserveRead: <T>(work: () => Promise<T>): Promise<T> => resume.promise.then(work),
    };
    const inBackground = refreshSubscriber({ ...billing, stripe: waiting }, userId, {
      by: 'test',
      reason: 'in the background',
      waitMs: 0,
    });
    await refreshSubscriber(billing, userId, { by: 'test', reason: 'by the user', waitMs: 0 });
    resume.resolve();
    await inBackground;
  });

  it('V10 is renewed while its owner lives and expires within ten seconds otherwise, whatever the clock of the process', async () => {
    const { userId } = await billing.subscribe();
    const { db } = billing;
    const secondsLeft = async (): Promise<number> => {
      const rows: { seconds: string | null }[] = await db.query(
        'SELECT TIMESTAMPDIFF(MICROSECOND, NOW(3), lease_until) / 1000000 AS seconds FROM subscribers WHERE user_id = ?',
        [userId],
      );
      return Number(rows[0]?.seconds);
    };
    billing.setTime(new Date(START.getTime() + minutes(10))); // ten minutes ahead
    const resume = Promise.withResolvers<void>();
    const limits = { leaseRenewMs: 50 };
    const action = withLease({ db, limits }, { userId, waitMs: 0 }, () => resume.promise);
    await until('a renewed lease', async () => (await secondsLeft()) > 9);
    expect(await secondsLeft()).toBeLessThanOrEqual(10);
    await db.query('UPDATE subscribers SET lease_until = NOW(3) + INTERVAL 5 SECOND WHERE user_id = ?', [
      userId,
    ]);
    await until('a renewed lease', async () => (await secondsLeft()) > 9);
    resume.resolve();
    await action;
    expect(await secondsLeft()).toBe(0);
  });
});
