import {
  TIMELINE_ITEMS,
  timelineEndpoint,
  type TimelineEntry,
  type TimelineQuery,
} from '@shortlist/contracts/api/timeline';
import { days, hours } from '@shortlist/contracts/durations';
import { countStatements } from '@shortlist/kit/testing/databases';
import { readPages } from '@shortlist/kit/testing/read-pages';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packsIn } from './pack-support.ts';
import { type Billing, LATER_BAD_CARD, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const read = async (userId: string, query: Partial<TimelineQuery> = {}): Promise<TimelineEntry[]> => {
  const all = { userId, items: TIMELINE_ITEMS.join(), limit: 101 };
  return (await billing.call(timelineEndpoint, { ...all, ...query }, billing.asAdmin)).data;
};
/** An entry in a few words. */
const told = (entry: TimelineEntry): string => {
  if ('payment' in entry) return `payment ${entry.payment.what} ${entry.payment.amount}`;
  if ('refund' in entry) return `refund ${entry.refund.what} ${entry.refund.amount}`;
  if ('dispute' in entry) return `dispute ${entry.dispute.what} ${entry.dispute.amount}`;
  if ('subscription' in entry) return `subscription ${entry.subscription.what} ${entry.subscription.amount}`;
  return 'change' in entry ? entry.change.action : '?';
};
const later = () => billing.advance(hours(1));
const settle = async (): Promise<void> => {
  await billing.reconcile();
  await billing.retryInbox();
};
const control = <T>(path: string, body: object = {}) => billing.sandbox.control<T>('POST', path, body);

describe('billing’s part of the timeline', () => {
  it('has a subscription with its payment, and what an admin did to it, the newest first', async () => {
    const { userId, invoice } = await billing.subscribe();
    await later();
    await billing.revoke(userId, { when: 'period_end', reason: 'Team closed' });
    await later();
    await billing.revoke(userId, { when: 'now' });
    await settle();
    const entries = await read(userId);
    expect(entries.map(told)).toEqual([
      'subscription ended 5900',
      'plan.revoke',
      'subscription canceled 5900',
      'plan.end_renewal',
      'subscription started 5900',
      'payment paid 5900',
    ]);
    expect(entries.at(-1)).toMatchObject({
      id: `${invoice}:paid`,
      at: '2026-03-01T12:00:00.000Z',
      payment: { invoiceId: invoice, number: expect.any(String) as string, currency: 'usd', credits: null },
    });
    expect((await read(userId, { kind: 'support' })).map(told)).toEqual(['plan.revoke', 'plan.end_renewal']);
    expect((await read(userId, { kind: 'payments', items: 'payment,change' })).map(told)).toEqual([
      'payment paid 5900',
    ]);
    expect(await read(userId, { kind: 'credits' })).toEqual([]);
  });

  it('has a pack with its refund, which failed', async () => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    await later();
    const { id } = await packsIn(billing).refund(invoice, 900);
    await settle();
    await later();
    await control(`/refunds/${id}/fail`);
    await settle();
    const entries = await read(userId);
    expect(entries.map(told)).toEqual(['refund failed 900', 'refund refunded 900', 'payment paid 1900']);
    expect(entries).toMatchObject([
      { id: `${id}:failed`, refund: { invoiceId: invoice, number: expect.any(String) as string } },
      { id: `${id}:refunded`, refund: { currency: 'usd' } },
      { payment: { credits: 250 } },
    ]);
  });

  it.each(['won', 'lost'])('has a dispute that was %s', async (status) => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    await later();
    const { id } = await control<Stripe.Dispute>(`/invoices/${invoice}/dispute`);
    await settle();
    await later();
    await control(`/disputes/${id}/close`, { status });
    await settle();
    expect((await read(userId, { items: 'dispute' })).map(told)).toEqual([
      `dispute ${status} 1900`,
      'dispute opened 1900',
    ]);
    expect(await read(userId, { items: 'dispute' })).toMatchObject([
      { dispute: { invoiceId: invoice, number: expect.any(String) as string, currency: 'usd' } },
      { id: `${id}:opened` },
    ]);
  });

  it('has a payment that failed', async () => {
    const { userId } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31) + hours(1));
    await settle();
    expect((await read(userId, { items: 'payment' })).map(told)).toEqual([
      'payment failed 5900',
      'payment paid 5900',
    ]);
  });

  it('has nothing of a subscription whose first payment was not made', async () => {
    const userId = uuidv7();
    await billing.db.query(
      `INSERT INTO subscriptions (subscription_id, user_id, status, started_at) VALUES (?, ?, 'incomplete_expired', NOW(3))`,
      [`sub_${userId}`, userId],
    );
    expect(await read(userId)).toEqual([]);
  });

  it('has every entry once in pages of any size, also of one millisecond', async () => {
    const { userId, invoice } = await billing.subscribe();
    await packsIn(billing).refund(invoice, 100);
    await packsIn(billing).refund(invoice, 200);
    await settle();
    await billing.revoke(userId, { when: 'now' });
    await settle();
    const whole = (await read(userId)).map(({ id }) => id);
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole.length).toBeGreaterThan(5);
    for (const limit of [1, 2, 3]) {
      const pages = await readPages((page) => read(userId, { limit, ...page }));
      expect(pages.map(({ id }) => id)).toEqual(whole);
    }
  });

  it('has nothing of another user, keeps the payments of a deleted one, and is read in five statements', async () => {
    const { userId } = await billing.subscribe();
    expect(await countStatements(billing.db, () => read(userId))).toBe(5);
    expect(await read(uuidv7())).toEqual([]);
    await billing.remove(userId);
    expect((await read(userId)).map(told)).toContain('payment paid 5900');
  });
});
