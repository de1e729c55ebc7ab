import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '@shortlist/kit/testing/until';
import { refreshSubscriber } from '../src/subscriptions/refresh-subscriber.ts';
import { withLease } from '../src/subscriptions/lease.ts';
import { type Billing, openBilling, START } from './support.ts';

describe('a reading whose lease has run out', () => {
  let billing: Billing;
  beforeAll(async () => {
    billing = await openBilling();
  });
  afterAll(() => billing.close());

  it('F4 does not overwrite the newer one that was made meanwhile', async () => {
    const { userId, subscription } = await billing.subscribe();
    const hasRead = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { db, clock, stripe } = billing;
    const slow = {
      ...stripe,
      readCustomer: async (customerId: string) => {
        const state = await stripe.readCustomer(customerId);
        hasRead.resolve();
        await goOn.promise;
        return state;
      },
    };
    const late = refreshSubscriber({ db, clock, stripe: slow }, userId, {
      by: 'test',
      reason: 'slow',
      waitMs: 0,
    });
    const outcome = late.then(
      () => 'written',
      (error: { code?: string }) => error.code,
    );
    await hasRead.promise;

    await db.query('UPDATE subscribers SET lease_until = NOW(3) WHERE user_id = ?', [userId]);
    await billing.api.subscriptions.cancel(subscription);
    await refreshSubscriber({ db, clock, stripe }, userId, { by: 'test', reason: 'newer', waitMs: 0 });
    const newer = await billing.stateOf(userId);
    expect(newer.plan).toBe('free');

    goOn.resolve();
    expect(await outcome).toBe('billing.busy');
    expect(await billing.stateOf(userId)).toEqual(newer);
  });

  it('V10 whoever lives renews it, and whoever has died is followed within ten seconds, whatever their clock said', async () => {
    const { userId } = await billing.subscribe();
    const { db } = billing;
    const left = async (): Promise<number> => {
      const rows: { seconds: string | null }[] = await db.query(
        'SELECT TIMESTAMPDIFF(MICROSECOND, NOW(3), lease_until) / 1000000 AS seconds FROM subscribers WHERE user_id = ?',
        [userId],
      );
      return Number(rows[0]?.seconds);
    };
    billing.setTime(new Date(START.getTime() + 600_000)); // ten minutes ahead
    const goOn = Promise.withResolvers<void>();
    const holding = withLease({ db }, { userId, waitMs: 0 }, () => goOn.promise);
    await until('a lease that was renewed', async () => (await left()) > 9);
    expect(await left()).toBeLessThanOrEqual(10);
    await db.query('UPDATE subscribers SET lease_until = NOW(3) + INTERVAL 5 SECOND WHERE user_id = ?', [
      userId,
    ]);
    await until('a lease that was renewed', async () => (await left()) > 9);
    goOn.resolve();
    await holding;
    expect(await left()).toBe(0);
  });
});
