import { days, hours, inSeconds } from '@shortlist/contracts/durations';
import { renewalStopped } from '@shortlist/contracts/events/billing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const planOf = async (userId: string) => (await billing.read(userId)).data;

const endAt = async (subscription: string, at: Date): Promise<void> => {
  await billing.api.subscriptions.update(subscription, { cancel_at: inSeconds(at.getTime()) });
  await billing.reconcile();
};

const pass = async (ms: number): Promise<void> => {
  await billing.advance(ms);
  await billing.reconcile();
  await billing.endDuePlans();
};

/** The end of the second period: two months after the purchase. */
const endOfNext = (): Date => new Date('2026-05-01T12:00:00.000Z');

describe('a subscription whose end is later than its period', () => {
  it('renews until then, and the user is notified of the date', async () => {
    const { userId, subscription } = await billing.subscribe();
    await endAt(subscription, endOfNext());
    const renewsUntil = endOfNext().toISOString();
    expect(await planOf(userId)).toMatchObject({ continuation: 'renews', renews: true, renewsUntil });
    expect((await billing.stateOf(userId)).paid?.graceUntil).not.toBeNull();
    expect(await billing.emittedData(userId, renewalStopped)).toMatchObject([{ renewsUntil }]);
    expect((await billing.reconcile()).repaired).toEqual([]);
  });

  it('keeps the plan at a renewal whose invoice is still a draft', async () => {
    const { userId, subscription } = await billing.subscribe();
    await endAt(subscription, endOfNext());
    await billing.sandbox.control('PUT', '/settings', { finalizationFails: true });
    await pass(days(31) + hours(1));
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', continuation: 'collecting', renews: true });
  });

  it('no longer renews once its last period is paid, and ends with it', async () => {
    const { userId, subscription } = await billing.subscribe();
    await endAt(subscription, endOfNext());
    await pass(days(31) + hours(1));
    expect(await planOf(userId)).toMatchObject({
      plan: 'premium',
      continuation: 'ends',
      renews: false,
      renewsUntil: null,
      periodEnd: endOfNext().toISOString(),
    });
    expect(await billing.emittedData(userId, renewalStopped)).toMatchObject([{}, { renewsUntil: null }]);
    expect((await billing.reconcile()).repaired).toEqual([]);
    await pass(days(30));
    expect(await planOf(userId)).toMatchObject({ plan: 'free', problem: null });
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
  });

  it('renews without end if the date is removed', async () => {
    const { userId, subscription } = await billing.subscribe();
    await endAt(subscription, endOfNext());
    await billing.api.subscriptions.update(subscription, { cancel_at: '' });
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ continuation: 'renews', renews: true, renewsUntil: null });
    expect(await billing.emitted(userId)).toContain('RenewalResumed');
  });
});

it('a subscription that ends with its period no longer renews', async () => {
  const { userId, subscription } = await billing.subscribe();
  await endAt(subscription, new Date('2026-04-01T12:00:00.000Z'));
  expect(await planOf(userId)).toMatchObject({ continuation: 'ends', renews: false, renewsUntil: null });
});

it('a subscription that ends within its period ends the plan then, but not if the date is removed', async () => {
  const { userId, subscription } = await billing.subscribe();
  const end = '2026-03-11T12:00:00.000Z';
  await endAt(subscription, new Date(end));
  expect(await planOf(userId)).toMatchObject({
    continuation: 'ends',
    renews: false,
    premiumUntil: end,
    periodEnd: end,
  });
  await billing.api.subscriptions.update(subscription, { cancel_at: '' });
  await billing.reconcile();
  expect(await planOf(userId)).toMatchObject({
    continuation: 'renews',
    periodEnd: '2026-04-01T12:00:00.000Z',
  });
  await endAt(subscription, new Date(end));
  await pass(days(11));
  expect(await planOf(userId)).toMatchObject({ plan: 'free' });
  expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
  expect((await billing.reconcile()).repaired).toEqual([]);
});
