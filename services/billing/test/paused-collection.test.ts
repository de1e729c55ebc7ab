import { days, hours, inSeconds } from '@shortlist/contracts/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const BEHAVIOURS = ['void', 'keep_as_draft', 'mark_uncollectible'] as const;

const planOf = async (userId: string) => (await billing.read(userId)).data;

const pass = async (ms: number): Promise<void> => {
  await billing.advance(ms);
  await billing.reconcile();
  await billing.endDuePlans();
};

describe.each(BEHAVIOURS)('a subscription whose collection is paused (%s)', (behavior) => {
  it('is paused: no next payment is promised, and a checkout is not opened and does not cancel it', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.api.subscriptions.update(subscription, { pause_collection: { behavior } });
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({
      plan: 'premium',
      continuation: 'ends',
      problem: { kind: 'paused', resumesAt: null },
    });
    await pass(days(31) + hours(1));
    expect(await planOf(userId)).toMatchObject({ plan: 'free', problem: { kind: 'paused' } });
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.subscription_paused');
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('active');
    expect((await billing.api.charges.list({ customer })).data).toHaveLength(1);
    expect((await billing.reconcile()).repaired).toEqual([]);
  });

  it('renews again from the day on which it resumes by itself', async () => {
    const { userId, subscription } = await billing.subscribe();
    const resumes_at = inSeconds(billing.clock().getTime() + days(10));
    await billing.api.subscriptions.update(subscription, { pause_collection: { behavior, resumes_at } });
    await billing.reconcile();
    const resumesAt = new Date(resumes_at * 1_000).toISOString();
    expect((await planOf(userId)).problem).toMatchObject({ kind: 'paused', resumesAt });
    await pass(days(11));
    expect(await planOf(userId)).toMatchObject({ continuation: 'renews', problem: null });
    await pass(days(21));
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', continuation: 'renews', problem: null });
  });
});
