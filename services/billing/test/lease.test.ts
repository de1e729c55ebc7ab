import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshSubscriber } from '../src/subscriptions/refresh-subscriber.ts';
import { type Billing, openBilling, START } from './support.ts';

const MINUTE = 60_000;

describe('a reading that takes longer than its lease', () => {
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

    billing.setTime(new Date(START.getTime() + 2 * MINUTE));
    await billing.api.subscriptions.cancel(subscription);
    await refreshSubscriber({ db, clock, stripe }, userId, { by: 'test', reason: 'newer', waitMs: 0 });
    const newer = await billing.stateOf(userId);
    expect(newer.plan).toBe('free');

    goOn.resolve();
    expect(await outcome).toBe('billing.busy');
    expect(await billing.stateOf(userId)).toEqual(newer);
  });
});
