import { billingEndpoints, packEndpoints } from '@shortlist/contracts/api/billing';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { asService } from '@shortlist/kit/http/http-client';
import { until } from '@shortlist/kit/testing/until';
import type { Stripe } from 'stripe';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** 2.9 % and 30 cents of $19.00 and of $59.00. */
const PACK_FEE = 85;
const PLAN_FEE = 201;
const DISPUTE_FEE = 1_500;

const openPage = async (): Promise<{ userId: string; sessionId: string }> => {
  const userId = await billing.register();
  return { userId, sessionId: billing.sessionIn((await billing.openPackCheckout(userId)).url) };
};
const buyPack = async () => {
  const { userId, sessionId } = await openPage();
  const paid = await billing.pay(sessionId);
  await billing.confirmPack(userId, sessionId);
  return { userId, sessionId, ...paid };
};
const earnings = async () =>
  (await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin)).data;
const alertsOf = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT kind, amount, detail FROM alerts WHERE user_id = ?', [userId]);
const invoicesOf = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT credits, status, amount, refunded FROM invoices WHERE user_id = ?', [userId]);
const packRows = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT state FROM credit_packs WHERE user_id = ?', [userId]);
const isClosing = async (userId: string): Promise<boolean> => (await billing.stateOf(userId)).row.closing;
const dispute = (invoice: string) =>
  billing.sandbox.control<Stripe.Dispute>('POST', `/invoices/${invoice}/dispute`);

describe('the money of a pack', () => {
  it('counts in the earnings in addition to a plan’s, with its fee, refund and dispute', async () => {
    await billing.subscribe();
    const { invoice } = await buyPack();
    expect(await earnings()).toMatchObject({ earnings: 5_900 + 1_900, expenses: PLAN_FEE + PACK_FEE });
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount: 500 });
    await dispute((await buyPack()).invoice);
    await billing.reconcile();
    expect(await earnings()).toMatchObject({
      earnings: 5_900 + 2 * 1_900,
      expenses: PLAN_FEE + 2 * PACK_FEE + 500 + 1_900 + DISPUTE_FEE,
      unknownFees: 0,
    });
  });

  it('has its tax listed separately, and a refund gives back its share', async () => {
    await billing.sandbox.control('PUT', '/settings', { taxPercent: 10 });
    const { userId, invoice } = await buyPack();
    expect(await earnings()).toMatchObject({ earnings: 1_900, tax: 190 });
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await billing.reconcile();
    expect(await earnings()).toMatchObject({ earnings: 1_900, tax: 0, expenses: 1_900 + 91 });
    const { data } = await billing.call(packEndpoints.listCreditPacks, { userId }, asService());
    expect(data).toMatchObject([{ amount: 2_090, paidCredits: 0 }]);
  });

  it('gets its fee when Stripe captures the payment later', async () => {
    await billing.sandbox.control('PUT', '/settings', { captureDelaySeconds: 60 });
    await buyPack();
    expect(await earnings()).toMatchObject({ expenses: 0, unknownFees: 1 });
    await billing.advance(600_000);
    await billing.reconcile();
    expect(await earnings()).toMatchObject({ expenses: PACK_FEE, unknownFees: 0 });
  });

  it('that a dispute withdrew raises an alert that names the pack', async () => {
    const { userId, invoice } = await buyPack();
    const { id } = await dispute(invoice);
    await billing.reconcile();
    await billing.sandbox.control('POST', `/disputes/${id}/close`, { status: 'lost' });
    await billing.reconcile();
    const detail = 'It paid for a pack of 250 credits.';
    expect(await alertsOf(userId)).toEqual(
      expect.arrayContaining([
        { kind: 'dispute_opened', amount: 1_900, detail: expect.stringContaining(detail) as string },
        { kind: 'dispute_lost', amount: 1_900, detail },
      ]),
    );
  });
});

it('a pack is in the data file of its user, with its invoice', async () => {
  const { userId } = await buyPack();
  const read = async (section: string) =>
    (await billing.call(dataExportEndpoints.billing, { userId, section }, asService())).data;
  expect(await read('packs')).toMatchObject([
    { credits: 250, paidCredits: 250, amount: 1_900, currency: 'usd', state: 'paid' },
  ]);
  expect(await read('invoices')).toMatchObject([{ credits: 250, amount: 1_900, status: 'paid' }]);
});

describe('the deletion of a user', () => {
  it('closes the page of a pack that is still open', async () => {
    const { userId, sessionId } = await openPage();
    await billing.remove(userId);
    await until('the end of the closing', async () => !(await isClosing(userId)));
    expect((await billing.api.checkout.sessions.retrieve(sessionId)).status).toBe('expired');
    expect(await billing.openPackCheckout(userId).catch(codeOf)).toBe('billing.user_not_found');
  });

  it('refunds a pack that is paid afterwards, once, and records no pack', async () => {
    const { userId, sessionId } = await openPage();
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/', status: 500, times: 1_000 });
    await billing.remove(userId);
    const { customer } = await billing.pay(sessionId);
    await billing.sandbox.control('DELETE', '/faults');
    await billing.reconcile();
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.reconcile();
    expect((await billing.api.refunds.list()).data.map(({ amount }) => amount)).toEqual([1_900]);
    expect(await invoicesOf(userId)).toEqual([
      { credits: 250, status: 'paid', amount: 1_900, refunded: 1_900 },
    ]);
    expect(await packRows(userId)).toEqual([]);
    expect(await alertsOf(userId)).toMatchObject([
      { kind: 'payment_of_deleted_user', amount: 1_900, detail: 'It was refunded in full.' },
    ]);
    expect(await billing.emitted(userId)).not.toContain('CreditPackChanged');
  });

  it('keeps the invoice of a pack that was paid before, which is not refunded', async () => {
    const { userId } = await buyPack();
    await billing.advance(60_000);
    await billing.remove(userId);
    await until('the end of the closing', async () => !(await isClosing(userId)));
    expect(await invoicesOf(userId)).toEqual([{ credits: 250, status: 'paid', amount: 1_900, refunded: 0 }]);
    expect(await packRows(userId)).toEqual([]);
    await billing.reconcile();
    expect(await packRows(userId)).toEqual([]);
    expect((await billing.api.refunds.list()).data).toEqual([]);
  });
});

describe('a pack whose customer is unknown, as after the database was restored', () => {
  const forget = async (userId: string): Promise<void> => {
    for (const table of ['invoices', 'credit_packs', 'checkout_intents', 'stripe_events', 'cursors'])
      await billing.db.query(`DELETE FROM ${table}`);
    await billing.db.query(
      'UPDATE subscribers SET customer_id = NULL, customer_key = NULL WHERE user_id = ?',
      [userId],
    );
  };

  it('is given to the user whom the customer names', async () => {
    const { userId } = await buyPack();
    await forget(userId);
    await billing.reconcile();
    expect(await packRows(userId)).toEqual([{ state: 'paid' }]);
    expect(await alertsOf(userId)).toEqual([]);
  });

  it('is found when its user wants to buy another', async () => {
    const { userId } = await buyPack();
    await forget(userId);
    await billing.openPackCheckout(userId);
    expect(await packRows(userId)).toEqual([{ state: 'paid' }]);
    expect((await billing.api.customers.list()).data).toHaveLength(1);
  });

  it('raises an alert when that user has another customer', async () => {
    const { userId } = await buyPack();
    await forget(userId);
    await billing.db.query("UPDATE subscribers SET customer_id = 'cus_other' WHERE user_id = ?", [userId]);
    await billing.reconcile();
    await billing.reconcile();
    expect(await alertsOf(userId)).toMatchObject([{ kind: 'pack_without_user' }]);
    expect(await packRows(userId)).toEqual([]);
  });
});
