import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const planOf = async (userId: string) => (await billing.read(userId)).data;
const alerts = async () =>
  (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data.filter(
    ({ kind }) => kind === 'subscription_without_user',
  );

const RECORDS = ['invoices', 'subscriptions', 'checkout_intents', 'stripe_events', 'cursors', 'outbox'];

/** Sets the database back to when the user had registered and not paid. */
const forgetPayments = async (userId: string): Promise<void> => {
  for (const table of RECORDS) await billing.db.query(`DELETE FROM ${table}`);
  await billing.db.query(
    `UPDATE subscribers SET customer_id = NULL, customer_key = NULL, subscription_id = NULL,
       subscription_status = NULL, renews = FALSE, paid = NULL, version = 0, plan_ends_at = NULL WHERE user_id = ?`,
    [userId],
  );
};

const paidOnce = async (): Promise<void> => {
  expect((await billing.api.customers.list()).data).toHaveLength(1);
  expect((await billing.api.subscriptions.list({ status: 'all' })).data).toHaveLength(1);
  expect((await billing.api.charges.list()).data).toHaveLength(1);
};

describe('a payment whose rows are gone', () => {
  it('is found when the user wants to buy again', async () => {
    const { userId } = await billing.subscribe(await billing.register());
    await forgetPayments(userId);
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.already_subscribed');
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', renews: true });
    await paidOnce();
  });

  it('is found under another address of the user', async () => {
    const { userId, customer } = await billing.subscribe(await billing.register());
    await forgetPayments(userId);
    await billing.api.customers.update(customer, { email: 'former@people.test' });
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.already_subscribed');
    await paidOnce();
  });

  it('is found by reconciliation', async () => {
    const { userId } = await billing.subscribe(await billing.register());
    await forgetPayments(userId);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', renews: true });
    expect(await alerts()).toEqual([]);
  });

  it('is found by a webhook of the subscription', async () => {
    const { userId, customer } = await billing.subscribe(await billing.register());
    const events = await billing.eventsOf(customer);
    await forgetPayments(userId);
    await billing.deliver(events.find(({ type }) => type === 'customer.subscription.created') ?? {});
    await billing.intake.stop();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium' });
  });

  it('of a user whose row is gone too raises an alert, which is resolved when the user is back', async () => {
    const { userId, subscription } = await billing.subscribe(await billing.register());
    await forgetPayments(userId);
    await billing.db.query('DELETE FROM subscribers');
    await billing.reconcile();
    await billing.reconcile();
    expect(await alerts()).toMatchObject([{ userId: null, objectId: subscription, resolvedAt: null }]);
    await billing.register(userId);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium' });
    expect((await alerts())[0]?.resolvedAt).toEqual(expect.any(String));
  });

  it('of a user who has another customer by now raises an alert', async () => {
    const { userId, subscription } = await billing.subscribe(await billing.register());
    await forgetPayments(userId);
    await billing.db.query("UPDATE subscribers SET customer_id = 'cus_other' WHERE user_id = ?", [userId]);
    await billing.reconcile();
    expect(await alerts()).toMatchObject([{ userId, objectId: subscription }]);
  });
});
