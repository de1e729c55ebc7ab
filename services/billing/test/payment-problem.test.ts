import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import { paymentSucceeded, planGranted } from '@shortlist/contracts/events/billing';
import { asService } from '@shortlist/kit/http/http-client';
import { type Billing, codeOf, GOOD_CARD, LATER_BAD_CARD, openBilling } from './support.ts';

/** Stripe gives up three weeks after the first attempt, long after the grace of seven days. */
const THREE_WEEKS = { retryDays: [7, 14, 21] };
const MONTH = days(31);
/** Each payment must be authenticated, so a renewal waits for the payer. */
const AUTHENTICATED_CARD = '4000002760003184';

let billing: Billing;
// One service for each test: the sandbox's clock cannot be set back.
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
  await billing.sandbox.control('PUT', '/settings', THREE_WEEKS);
});
afterAll(() => billing.close());

const tryCheckout = (userId: string): Promise<string> =>
  billing.openCheckout(userId).then(({ url }) => url, codeOf);
const viewOf = async (userId: string) => (await billing.read(userId)).data;
const exportedPlan = async (userId: string) =>
  (await billing.call(dataExportEndpoints.billing, { userId, section: 'plan' }, asService())).data;
const openInvoiceOf = async (customer: string): Promise<string> =>
  (await billing.api.invoices.list({ customer, status: 'open' })).data[0]?.id ?? '';
const chargesOf = async (customer: string): Promise<number[]> =>
  (await billing.api.charges.list({ customer })).data.filter(({ paid }) => paid).map(({ amount }) => amount);
const statusesOf = async (customer: string): Promise<string[]> =>
  (await billing.api.subscriptions.list({ customer, status: 'all' })).data.map(({ status }) => status);
const payWithGoodCard = async (customer: string): Promise<void> => {
  await billing.sandbox.control('POST', `/customers/${customer}/card`, { card: GOOD_CARD });
  await billing.api.invoices.pay(await openInvoiceOf(customer));
};

/** A checkout that is paid by bank debit, which the bank has not confirmed. */
const startDebit = async (userId: string) => {
  const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
  const path = `/checkout_sessions/${sessionId}/pay`;
  const session = await billing.sandbox.control<{ customer: string; invoice: string }>('POST', path, {
    method: 'bank_debit',
  });
  return { ...session, sessionId };
};
const settle = (invoice: string, outcome: 'succeeded' | 'failed') =>
  billing.sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome });

describe('a renewal that fails for longer than the grace', () => {
  it('leads to the page of its open invoice, whose payment brings the plan back without a second charge', async () => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(MONTH);
    await billing.reconcile();
    const problem = {
      kind: 'past_due',
      amount: 5_900,
      currency: 'usd',
      payUrl: (await billing.api.invoices.retrieve(await openInvoiceOf(customer))).hosted_invoice_url,
    };
    expect(problem.payUrl).toMatch(/^http/);
    const inGrace = await viewOf(userId);
    expect(inGrace).toMatchObject({ plan: 'premium', continuation: 'collecting', problem });
    expect(inGrace.premiumUntil).toBe(inGrace.graceUntil);

    await billing.advance(days(8));
    await billing.endDuePlans();
    const { since } = inGrace.problem ?? {};
    expect(await viewOf(userId)).toMatchObject({
      plan: 'free',
      continuation: null,
      premiumUntil: null,
      problem: { ...problem, since },
    });
    expect(await tryCheckout(userId)).toBe('billing.payment_open');
    expect(await statusesOf(customer)).toEqual(['past_due']);

    await payWithGoodCard(customer);
    await billing.reconcile();
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null, graceUntil: null });
    expect(await chargesOf(customer)).toEqual([5_900, 5_900]);
    await billing.advance(days(14));
    await billing.reconcile();
    expect(await chargesOf(customer)).toEqual([5_900, 5_900]);
    expect(await billing.emitted(userId)).toEqual([
      'PaymentSucceeded',
      'PaymentFailed',
      'PaymentFailed',
      'PlanRevoked',
      'PaymentSucceeded',
    ]);
  });

  it('lets the user buy again once Stripe has given up', async () => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(MONTH + days(22));
    await billing.reconcile();
    expect(await statusesOf(customer)).toEqual(['canceled']);
    expect(await viewOf(userId)).toMatchObject({ plan: 'free', problem: null });
    await billing.subscribe(userId);
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
  });

  it('can no longer be paid on its page once the user buys again', async () => {
    billing.policies.unpaidInvoices = 'keep';
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(MONTH + days(22));
    await billing.reconcile();
    expect(await openInvoiceOf(customer)).not.toBe('');
    await billing.subscribe(userId);
    expect(await openInvoiceOf(customer)).toBe('');
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
  });

  it.each([['void'], ['uncollectible']])(
    'and whose invoice is %s lets the user buy again, with one subscription left',
    async (end) => {
      const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
      await billing.advance(MONTH + days(1));
      await billing.sandbox.control('POST', `/invoices/${await openInvoiceOf(customer)}/${end}`);
      await billing.reconcile();
      expect(await tryCheckout(userId)).toBe('billing.already_subscribed');
      await billing.advance(days(8));
      await billing.endDuePlans();
      expect(await viewOf(userId)).toMatchObject({ plan: 'free', problem: null });
      await billing.subscribe(userId);
      expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
      expect(await statusesOf(customer)).toEqual(['active', 'canceled']);
      const { data } = await billing.api.invoices.list({ customer });
      expect(data.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
    },
  );

  it('is no longer a problem when it was paid without a webhook and the user subscribes', async () => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(MONTH + days(8));
    await billing.reconcile();
    await payWithGoodCard(customer);
    expect(await tryCheckout(userId)).toBe('billing.already_subscribed');
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
  });

  it('names the page on which the payment is confirmed when the bank requires it', async () => {
    const { userId } = await billing.subscribe(undefined, AUTHENTICATED_CARD);
    await billing.advance(MONTH + days(8));
    await billing.reconcile();
    const { plan, problem } = await viewOf(userId);
    expect([plan, problem?.kind]).toEqual(['free', 'authentication']);
    expect(problem?.payUrl).toMatch(/^http/);
    expect(await tryCheckout(userId)).toBe('billing.payment_open');
  });

  it.each([['void'], ['uncollectible']])('offers no page of an invoice that is %s', async (end) => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(MONTH + days(1));
    await billing.reconcile();
    await billing.sandbox.control('POST', `/invoices/${await openInvoiceOf(customer)}/${end}`);
    await billing.reconcile();
    expect((await viewOf(userId)).problem?.payUrl ?? null).toBeNull();
  });
});

describe('a bank debit', () => {
  it('allows no second checkout while pending, and makes premium once the bank confirms it', async () => {
    const userId = await billing.register();
    const { customer, invoice, sessionId } = await startDebit(userId);
    expect(await billing.confirm(userId, sessionId).catch(codeOf)).toBe('billing.payment_processing');
    const problem = { kind: 'processing', amount: 5_900, currency: 'usd', payUrl: null };
    expect(await viewOf(userId)).toMatchObject({ plan: 'free', problem });
    expect(await tryCheckout(userId)).toBe('billing.payment_processing');
    await settle(invoice, 'succeeded');
    await billing.reconcile();
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
    expect(await chargesOf(customer)).toEqual([5_900]);
  });

  it('is found by a second checkout although no webhook reported it', async () => {
    const userId = await billing.register();
    await startDebit(userId);
    expect(await tryCheckout(userId)).toBe('billing.payment_processing');
  });

  it('that the bank returns lets the user buy again, with one subscription left', async () => {
    const userId = await billing.register();
    const { customer, invoice, sessionId } = await startDebit(userId);
    await settle(invoice, 'failed');
    expect(await billing.confirm(userId, sessionId).catch(codeOf)).toBe('billing.not_paid');
    expect((await viewOf(userId)).problem?.kind).toBe('incomplete');
    await billing.subscribe(userId);
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
    const live = (await statusesOf(customer)).filter((status) => status === 'active');
    expect(live).toHaveLength(1);
    expect(await chargesOf(customer)).toEqual([5_900]);
    expect(await openInvoiceOf(customer)).toBe('');
  });

  it('of a renewal keeps the plan, and reconciliation does not read the customer again', async () => {
    const userId = await billing.register();
    const { invoice } = await startDebit(userId);
    await settle(invoice, 'succeeded');
    await billing.advance(MONTH);
    await billing.reconcile();
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: { kind: 'processing' } });
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/charges', status: 500, times: 100 });
    expect(await billing.reconcile()).toMatchObject({ failed: 0, repaired: [] });
  });

  it('is reported as failed when the bank returns it, not when it starts', async () => {
    const userId = await billing.register();
    const { customer, invoice } = await startDebit(userId);
    await billing.reconcile();
    expect(await billing.emitted(userId)).toEqual(['SubscriptionChanged']);
    await settle(invoice, 'succeeded');
    await billing.reconcile();
    await billing.advance(MONTH);
    await billing.reconcile();
    const before = ['SubscriptionChanged', 'PaymentSucceeded', 'SubscriptionChanged'];
    expect(await billing.emitted(userId)).toEqual(before);
    await settle(await openInvoiceOf(customer), 'failed');
    await billing.reconcile();
    await billing.reconcile();
    expect(await billing.emitted(userId)).toEqual([...before, 'PaymentFailed']);
    expect((await viewOf(userId)).problem?.kind).toBe('past_due');
  });

  it('of the last invoice of an ended subscription allows no checkout while pending', async () => {
    billing.policies.unpaidInvoices = 'keep';
    await billing.sandbox.control('PUT', '/settings', { retryDays: [] });
    const userId = await billing.register();
    const { customer, invoice } = await startDebit(userId);
    await settle(invoice, 'succeeded');
    await billing.advance(MONTH);
    await settle(await openInvoiceOf(customer), 'failed');
    await billing.advance(days(8));
    await billing.reconcile();
    await billing.endDuePlans();
    expect(await statusesOf(customer)).toEqual(['canceled']);
    await billing.api.invoices.pay(await openInvoiceOf(customer));
    expect(await tryCheckout(userId)).toBe('billing.payment_processing');
    expect((await viewOf(userId)).problem?.kind).toBe('processing');
    await settle(await openInvoiceOf(customer), 'succeeded');
    await billing.reconcile();
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
    expect(await chargesOf(customer)).toEqual([5_900, 5_900]);
  });

  it('of a user who is deleted in the meantime is refunded when it arrives', async () => {
    const userId = await billing.register();
    const { customer, invoice } = await startDebit(userId);
    await billing.remove(userId);
    await billing.reconcile();
    await settle(invoice, 'succeeded');
    await billing.reconcile();
    const { data } = await billing.api.charges.list({ customer });
    expect(data.map(({ amount_refunded: refunded }) => refunded)).toEqual([5_900]);
  });
});

describe('a paused subscription', () => {
  it('leads to the billing portal, and is premium again once it is resumed', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('POST', `/subscriptions/${subscription}/pause`);
    await billing.advance(MONTH + days(8));
    await billing.reconcile();
    const problem = { kind: 'paused', amount: null, currency: null, payUrl: null };
    expect(await viewOf(userId)).toMatchObject({ plan: 'free', problem });
    expect(await tryCheckout(userId)).toBe('billing.subscription_paused');
    await billing.sandbox.control('POST', `/subscriptions/${subscription}/resume`);
    await billing.reconcile();
    expect(await viewOf(userId)).toMatchObject({ plan: 'premium', problem: null });
  });

  it('is in each event for the directory, even with a grant', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('POST', `/subscriptions/${subscription}/pause`);
    await billing.advance(MONTH + days(8));
    await billing.reconcile();
    await billing.grant(userId);
    const view = await viewOf(userId);
    expect(view).toMatchObject({ plan: 'premium', continuation: 'granted', problem: { kind: 'paused' } });
    const exported = { paymentProblem: 'paused', paymentProblemSince: view.problem?.since };
    expect(exported.paymentProblemSince).toEqual(expect.any(String));
    expect(await exportedPlan(userId)).toMatchObject([exported]);
    expect(await billing.emittedData(userId, planGranted)).toMatchObject([{ problem: 'paused' }]);
    expect(await billing.emittedData(userId, paymentSucceeded)).toMatchObject([{ problem: null }]);
  });

  it('from before problems had a time is reported by the next reconciliation, once', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('POST', `/subscriptions/${subscription}/pause`);
    await billing.reconcile();
    await billing.db.query("UPDATE subscribers SET problem = JSON_REMOVE(problem, '$.since')");
    expect((await viewOf(userId)).problem).toMatchObject({ kind: 'paused', since: null });
    const before = (await billing.emitted(userId)).length;
    await billing.reconcile();
    await billing.reconcile();
    expect((await billing.emitted(userId)).slice(before)).toEqual(['SubscriptionChanged']);
    expect((await viewOf(userId)).problem?.since).toEqual(expect.any(String));
  });

  it('notifies open pages although the plan is the same', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('POST', `/subscriptions/${subscription}/pause`);
    await billing.reconcile();
    await billing.reconcile();
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'SubscriptionChanged']);
  });
});
