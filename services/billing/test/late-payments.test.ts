import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, hours } from '@shortlist/contracts/durations';
import { afterEach, describe, expect, it } from 'vitest';
import { type Billing, codeOf, GOOD_CARD, LATER_BAD_CARD, openBilling } from './support.ts';

let billing: Billing;
afterEach(() => billing.close());

const planOf = async (userId: string) => (await billing.read(userId)).data;
const alertsOf = async (kind: string) =>
  (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data.filter(
    (alert) => alert.kind === kind,
  );
const invoicesOf = async (customer: string) => (await billing.api.invoices.list({ customer })).data;
const auditOf = (userId: string): Promise<{ action: string }[]> =>
  billing.db.query('SELECT action FROM audit_log WHERE target_id = ?', [userId]);
const payLate = async (customer: string, invoice: string): Promise<void> => {
  const path = `/customers/${customer}/card`;
  const { id } = await billing.sandbox.control<{ id: string }>('POST', path, { card: GOOD_CARD });
  await billing.api.invoices.pay(invoice, { payment_method: id });
  await billing.reconcile();
};

/** A subscription that ended because its renewal stayed unpaid. The retries take fifteen days. */
const endUnpaid = async () => {
  const subscriber = await billing.subscribe(undefined, LATER_BAD_CARD);
  for (const wait of [days(31) + hours(1), days(4), days(6), days(8)]) {
    await billing.advance(wait);
    await billing.reconcile();
    await billing.endDuePlans();
  }
  const [renewal] = await invoicesOf(subscriber.customer);
  return { ...subscriber, renewal: renewal?.id ?? '' };
};

describe('the open invoice of a subscription that ended unpaid', () => {
  it('is voided, so that no one pays for a past period', async () => {
    billing = await openBilling();
    const { userId, customer } = await endUnpaid();
    expect((await invoicesOf(customer)).map(({ status }) => status)).toEqual(['void', 'paid']);
    expect(await planOf(userId)).toMatchObject({ plan: 'free', problem: null });
    expect(await billing.openCheckout(userId)).toMatchObject({ url: expect.any(String) as string });
  });

  it('stays payable by configuration; paid two months late, it buys a whole period', async () => {
    billing = await openBilling({ policies: { unpaidInvoices: 'keep' } });
    const { userId, customer, renewal } = await endUnpaid();
    await billing.advance(days(60));
    const paidAt = billing.clock();
    await payLate(customer, renewal);
    const { plan, periodEnd } = await planOf(userId);
    expect(plan).toBe('premium');
    const lasts = Date.parse(periodEnd ?? '') - paidAt.getTime();
    expect(lasts).toBeGreaterThanOrEqual(days(28));
    expect(lasts).toBeLessThanOrEqual(days(31));
    await billing.advance(days(32));
    await billing.endDuePlans();
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
    expect(await alertsOf('late_payment')).toEqual([]);
  });

  it('paid late is refunded in full by the other policy, recorded and reported, once', async () => {
    billing = await openBilling({ policies: { unpaidInvoices: 'keep', latePayments: 'refund' } });
    const { userId, customer, renewal } = await endUnpaid();
    await payLate(customer, renewal);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
    const { data: refunds } = await billing.api.refunds.list({ limit: 100 });
    expect(refunds.map(({ amount }) => amount)).toEqual([5_900]);
    expect(await alertsOf('late_payment')).toMatchObject([
      { userId, objectId: renewal, amount: 5_900, detail: 'It was refunded in full.' },
    ]);
    expect((await auditOf(userId)).filter(({ action }) => action === 'payment.refund')).toHaveLength(1);
    expect(await billing.emitted(userId)).toContain('PaymentRefunded');
  });

  it('is not refunded again when the bank returns the refund, and then counts', async () => {
    billing = await openBilling({ policies: { unpaidInvoices: 'keep', latePayments: 'refund' } });
    const { userId, customer, renewal } = await endUnpaid();
    await payLate(customer, renewal);
    const { data: refunds } = await billing.api.refunds.list({ limit: 100 });
    await billing.sandbox.control('POST', `/refunds/${refunds[0]?.id}/fail`);
    await billing.reconcile();
    await billing.reconcile();
    expect((await billing.api.refunds.list({ limit: 100 })).data).toHaveLength(1);
    expect(await planOf(userId)).toMatchObject({ plan: 'premium' });
    expect(await alertsOf('refund_failed')).toHaveLength(1);
  });

  it('that was recorded under one policy is not refunded when the policy changes', async () => {
    billing = await openBilling({ policies: { unpaidInvoices: 'keep' } });
    const { userId, customer, renewal } = await endUnpaid();
    await payLate(customer, renewal);
    billing.policies.latePayments = 'refund';
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium' });
    expect((await billing.api.refunds.list({ limit: 100 })).data).toEqual([]);
  });
});

describe('unsubscribing now', () => {
  it('ends a plan that a late payment brought', async () => {
    billing = await openBilling({ policies: { unpaidInvoices: 'keep' } });
    const { userId, customer, renewal } = await endUnpaid();
    await payLate(customer, renewal);
    expect(await planOf(userId)).toMatchObject({ plan: 'premium' });
    expect((await billing.revoke(userId)).data).toMatchObject({ plan: 'free' });
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
  });

  it('ends a plan that came back because its refund failed, and a later purchase counts', async () => {
    billing = await openBilling();
    const { userId, invoice } = await billing.subscribe();
    const { id } = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/refund`);
    await billing.reconcile();
    await billing.sandbox.control('POST', `/refunds/${id}/fail`);
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium' });
    expect((await billing.revoke(userId)).data).toMatchObject({ plan: 'free' });
    await billing.reconcile();
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
    await billing.advance(hours(1));
    await billing.subscribe(userId);
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', renews: true });
  });
});

describe('a lost dispute of an older payment', () => {
  const loseOldest = async () => {
    const subscriber = await billing.subscribe();
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    const dispute = await billing.sandbox.control<{ id: string }>(
      'POST',
      `/invoices/${subscriber.invoice}/dispute`,
    );
    await billing.sandbox.control('POST', `/disputes/${dispute.id}/close`, { status: 'lost' });
    await billing.reconcile();
    return subscriber;
  };

  it('ends the plan, and the next renewal is not charged', async () => {
    billing = await openBilling();
    const { userId, customer } = await loseOldest();
    expect(await planOf(userId)).toMatchObject({ plan: 'free' });
    await billing.advance(days(32));
    await billing.reconcile();
    expect((await billing.api.charges.list({ customer })).data).toHaveLength(2);
  });

  it('changes nothing by configuration', async () => {
    billing = await openBilling({ policies: { olderDisputes: 'keep' } });
    const { userId } = await loseOldest();
    expect(await planOf(userId)).toMatchObject({ plan: 'premium', renews: true });
  });
});

describe('a grant', () => {
  it('closes the page on which the user could pay for the same time', async () => {
    billing = await openBilling();
    const userId = await billing.register();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    expect((await billing.grant(userId)).data).toMatchObject({ plan: 'premium' });
    expect((await billing.api.checkout.sessions.retrieve(sessionId)).status).toBe('expired');
  });

  it('is not made if the page has just been paid', async () => {
    billing = await openBilling();
    const userId = await billing.register();
    await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
    expect((await billing.grant(userId)).data).toMatchObject({ plan: 'premium', renews: true });
    expect((await billing.stateOf(userId)).granted).toBeNull();
  });
});

describe('a renewal whose invoice Stripe cannot finalize', () => {
  it('is not a dead end after the grace: the user gets an email, and may buy again', async () => {
    billing = await openBilling();
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('PUT', '/settings', { finalizationFails: true });
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    await billing.advance(days(8));
    await billing.endDuePlans();
    expect(await planOf(userId)).toMatchObject({ plan: 'free', problem: { kind: 'incomplete' } });
    await billing.sandbox.control('PUT', '/settings', { finalizationFails: false });
    const page = await billing.openCheckout(userId).catch(codeOf);
    expect(page).toMatchObject({ url: expect.any(String) as string });
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
  });
});
