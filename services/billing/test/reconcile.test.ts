import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { days } from '@shortlist/contracts/durations';
import type { StripeGateway } from '../src/stripe/gateway.ts';
import { findCursor, setCursor } from '../src/reconcile/queries.ts';
import { reconcile } from '../src/reconcile/reconcile.ts';
import { type Billing, openBilling, times } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** A change whose event was lost, and the state that reconciliation must lead to. */
type Difference = [string, (billing: Billing) => Promise<{ userId: string; expected: object }>];

const payWithoutWebhook = async (): Promise<{
  userId: string;
  customer: string;
  subscription: string;
  invoice: string;
}> => {
  const userId = uuidv7();
  const paid = await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
  return { userId, ...paid };
};

const DIFFERENCES: Difference[] = [
  [
    'a first payment',
    async () => ({
      userId: (await payWithoutWebhook()).userId,
      expected: { plan: 'premium', row: { subscriptionStatus: 'active' } },
    }),
  ],
  [
    'a renewal',
    async () => {
      const { userId } = await billing.subscribe();
      await billing.advance(days(31));
      return { userId, expected: { plan: 'premium', paid: { end: '2026-05-01T12:00:00.000Z' } } };
    },
  ],
  [
    'a cancellation',
    async () => {
      const { userId, subscription } = await billing.subscribe();
      await billing.advance(days(1));
      await billing.api.subscriptions.cancel(subscription);
      return { userId, expected: { plan: 'free', row: { subscriptionStatus: 'canceled' } } };
    },
  ],
  [
    'a cancellation at the period end',
    async () => {
      const { userId, subscription } = await billing.subscribe();
      await billing.api.subscriptions.update(subscription, { cancel_at_period_end: true });
      return { userId, expected: { plan: 'premium', row: { renews: false }, paid: { graceUntil: null } } };
    },
  ],
  [
    'a refund',
    async () => {
      const { userId, invoice } = await billing.subscribe();
      await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
      return { userId, expected: { plan: 'free' } };
    },
  ],
  [
    'a customer that was deleted at Stripe',
    async () => {
      const { userId, customer } = await billing.subscribe();
      await billing.advance(days(1));
      await billing.api.customers.del(customer);
      return { userId, expected: { plan: 'free' } };
    },
  ],
];

describe('F6: reconciliation', () => {
  it.each(DIFFERENCES)(
    'repairs %s that no webhook reported, returns the repair, and finds nothing in the next run',
    async (_, differ) => {
      const { userId, expected } = await differ(billing);
      const { repaired, failed } = await billing.reconcile();
      expect(await billing.stateOf(userId)).toMatchObject(expected);
      expect(repaired).toMatchObject([{ userId, what: expect.stringMatching(/ to /) as string }]);
      expect(failed).toBe(0);
      expect((await billing.reconcile()).repaired).toEqual([]);
    },
  );

  it.each([
    ['a payment', "paid = NULL, subscription_status = 'canceled'"],
    ['a period that ends too late', "paid = JSON_SET(paid, '$.end', '2027-01-01T00:00:00.000Z')"],
    ['a period that ends too soon', "paid = JSON_SET(paid, '$.end', '2026-03-02T00:00:00.000Z')"],
    ['a renewal that is switched off', 'renews = FALSE'],
    ['another subscription id', "subscription_id = 'sub_unknown'"],
  ])('repairs %s that is stored wrongly, although no event is missing', async (_, change) => {
    const { userId } = await billing.subscribe();
    await billing.reconcile();
    const { paid, row } = await billing.stateOf(userId);
    await billing.db.query(`UPDATE subscribers SET ${change} WHERE user_id = ?`, [userId]);
    expect((await billing.reconcile()).repaired).toMatchObject([{ userId }]);
    expect(await billing.stateOf(userId)).toMatchObject({
      plan: 'premium',
      paid,
      row: { ...row, version: expect.any(Number) as number },
    });
    expect((await billing.reconcile()).repaired).toEqual([]);
  });

  it('repairs a stored period that outlasts its subscription, with an expired grant', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.advance(days(1));
    await billing.api.subscriptions.cancel(subscription);
    await billing.reconcile();
    await billing.db.query(
      `UPDATE subscribers SET granted = JSON_SET(paid, '$.key', 'grant:1'),
         paid = JSON_SET(paid, '$.end', '2027-01-01T00:00:00.000Z') WHERE user_id = ?`,
      [userId],
    );
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect((await billing.reconcile()).repaired).toMatchObject([{ userId }]);
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('reads subscriptions page by page, and the next run continues where a long run stopped', async () => {
    const users = await Promise.all(times(22).map(() => payWithoutWebhook()));
    const { listSubscriptions } = billing.stripe;
    // Pages of one subscription, and no listed events.
    const onePerPage: StripeGateway['listSubscriptions'] = async (cursor) => {
      const { data } = await listSubscriptions(null);
      const at = cursor === null ? 0 : data.findIndex(({ id }) => id === cursor) + 1;
      return { data: data.slice(at, at + 1), next: at + 1 < data.length ? (data[at]?.id ?? null) : null };
    };
    const listEvents: StripeGateway['listEvents'] = () => Promise.resolve({ data: [], next: null });
    const parts = { ...billing, stripe: { ...billing.stripe, listEvents, listSubscriptions: onePerPage } };
    const runs = [await reconcile(parts), await reconcile(parts), await reconcile(parts)];
    expect(runs.map(({ checked, repaired }) => [checked, repaired.length])).toEqual([
      [20, 20],
      [2, 2],
      [20, 0],
    ]);
    for (const { userId } of users) expect((await billing.stateOf(userId)).plan).toBe('premium');
  });

  it('continues after a customer whose read failed, and returns the number of failures', async () => {
    const broken = await payWithoutWebhook();
    const { userId } = await payWithoutWebhook();
    await billing.sandbox.control('PUT', '/faults', {
      path: '/v1/charges',
      method: 'GET',
      status: 500,
      times: 1,
    });
    const first = await billing.reconcile();
    expect(first.failed).toBeGreaterThan(0);
    await billing.advance(10_000);
    await billing.retryInbox();
    await billing.reconcile();
    for (const id of [userId, broken.userId]) expect((await billing.stateOf(id)).plan).toBe('premium');
  });

  it('stores missed events as settled', async () => {
    const { customer } = await payWithoutWebhook();
    expect(await billing.inbox(customer)).toEqual([]);
    await billing.reconcile();
    const inbox = await billing.inbox(customer);
    expect(inbox.length).toBeGreaterThan(2);
    expect(inbox.filter(({ status }) => status !== 'done')).toEqual([]);
  });

  it('starts from the first page when the subscription of its cursor no longer exists', async () => {
    await setCursor(billing.db.manager, { list: 'subscriptions', position: 'sub_gone' });
    const { userId } = await billing.subscribe();
    expect((await billing.reconcile()).checked).toBe(1);
    expect(await findCursor(billing.db.manager, 'subscriptions')).toBeNull();
    expect((await billing.stateOf(userId)).plan).toBe('premium');
  });

  it('makes one call for each hundred objects and none for each customer when nothing differs', async () => {
    await Promise.all(times(12).map(() => billing.subscribe()));
    await billing.reconcile();
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/charges', status: 500, times: 100 });
    expect(await billing.reconcile()).toEqual({ checked: 12, failed: 0, repaired: [] });
  });

  it('repairs a day without webhooks', async () => {
    const users = await Promise.all(times(5).map(() => payWithoutWebhook()));
    await billing.advance(days(1));
    const { repaired } = await billing.reconcile();
    expect(repaired.map(({ userId }) => userId).toSorted()).toEqual(
      users.map(({ userId }) => userId).toSorted(),
    );
  });
});
