import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { renewalResumed, renewalStopped } from '@shortlist/contracts/events/billing';
import { days } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { type Billing, codeOf, LATER_BAD_CARD, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

const cancel = (userId: string, when: 'now' | 'period_end' = 'period_end') =>
  billing.call(billingEndpoints.revokePlan, { userId, when }, billing.asUser(userId));
const resume = (userId: string) =>
  billing.call(billingEndpoints.resumePlan, { userId }, billing.asUser(userId));
const refresh = (userId: string) =>
  billing.call(billingEndpoints.refreshSubscription, { userId }, billing.asUser(userId));
const invoicesOf = async (userId: string) =>
  (await billing.call(billingEndpoints.listInvoices, { userId }, billing.asUser(userId))).data;
const fileOf = (userId: string, invoiceId: string) =>
  billing.call(billingEndpoints.openInvoiceFile, { userId, invoiceId }, billing.asUser(userId));

const statusOf = async (subscription: string): Promise<string> =>
  (await billing.api.subscriptions.retrieve(subscription)).status;

describe('a user who cancels', () => {
  it('keeps Premium to the end of the period, and resumes until then', async () => {
    const { userId, subscription } = await billing.subscribe();
    const { periodEnd } = (await billing.read(userId)).data;
    expect((await cancel(userId)).data).toMatchObject({
      plan: 'premium',
      renews: false,
      canResume: true,
      premiumUntil: periodEnd,
    });
    expect((await resume(userId)).data).toMatchObject({
      plan: 'premium',
      renews: true,
      canResume: false,
      continuation: 'renews',
    });
    expect(await billing.api.subscriptions.retrieve(subscription)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
    });
    expect(await billing.emittedData(userId, renewalStopped)).toHaveLength(1);
    expect(await billing.emittedData(userId, renewalResumed)).toHaveLength(1);
    await billing.advance(days(32));
    await billing.reconcile();
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: true });
    expect(await invoicesOf(userId)).toHaveLength(2);
  });

  it('resumes a subscription that the portal had set to end at a time', async () => {
    const { userId, subscription } = await billing.subscribe();
    const at = Math.floor((billing.clock().getTime() + days(9)) / 1_000);
    await billing.api.subscriptions.update(subscription, { cancel_at: at });
    expect((await refresh(userId)).data).toMatchObject({ renews: false, canResume: true });
    expect((await resume(userId)).data).toMatchObject({ renews: true, renewsUntil: null });
  });

  it('and resumes at the same moment gets one of the two, as Stripe does', async () => {
    const { userId, subscription } = await billing.subscribe();
    for (let round = 0; round < 5; round += 1) {
      await Promise.allSettled([cancel(userId), resume(userId), cancel(userId), resume(userId)]);
      const { renews, canResume } = (await billing.read(userId)).data;
      const atStripe = await billing.api.subscriptions.retrieve(subscription);
      expect({ renews, canResume }).toEqual({
        renews: !atStripe.cancel_at_period_end,
        canResume: atStripe.cancel_at_period_end,
      });
    }
  });

  it('while a renewal is not paid, ends the plan at once and owes nothing', async () => {
    const { userId, subscription } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(32));
    await billing.reconcile();
    expect((await billing.read(userId)).data.problem?.kind).toBe('past_due');
    expect(await cancel(userId).catch(codeOf)).toBe('billing.period_not_paid');
    expect((await cancel(userId, 'now')).data).toMatchObject({ plan: 'free', renews: false, problem: null });
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
    expect((await invoicesOf(userId)).map(({ status, payUrl }) => [status, payUrl])).toEqual([
      ['void', null],
      ['paid', null],
    ]);
  });
});

describe('resuming a subscription is refused', () => {
  const refused = (userId: string) => resume(userId).then(String, codeOf);

  it('for one that renews, that has ended, or that does not exist', async () => {
    const { userId, subscription } = await billing.subscribe();
    expect(await refused(userId)).toBe('billing.renewal_not_stopped');
    await cancel(userId);
    await billing.api.subscriptions.cancel(subscription); // in the portal, meanwhile
    expect(await refused(userId)).toBe('billing.renewal_not_stopped');
    expect((await billing.read(userId)).data.canResume).toBe(false);
    expect(await refused(await billing.register())).toBe('billing.renewal_not_stopped');
  });

  it('for a deleted and for an unknown user', async () => {
    const { userId, subscription } = await billing.subscribe();
    await cancel(userId);
    await billing.remove(userId);
    expect(await refused(userId)).toBe('billing.user_not_found');
    await until('the subscription to end', async () => (await statusOf(subscription)) === 'canceled');
    expect(await refused(uuidv7())).toBe('billing.user_not_found');
  });

  it('while Stripe does not respond, which changes nothing, so it can be tried again', async () => {
    const { userId } = await billing.subscribe();
    await cancel(userId);
    await billing.sandbox.control('PUT', '/faults', {
      path: '/v1/subscriptions',
      method: 'POST',
      status: 500,
    });
    expect(await refused(userId)).toBe('billing.provider_unavailable');
    expect((await billing.read(userId)).data).toMatchObject({ renews: false, canResume: true });
    await billing.sandbox.control('DELETE', '/faults');
    expect((await resume(userId)).data.renews).toBe(true);
  });
});

describe('the card on file', () => {
  it('is that of the subscription, without its id at Stripe, also after a change in the portal', async () => {
    const { userId, customer } = await billing.subscribe();
    const { card } = (await billing.read(userId)).data;
    expect(card).toEqual({ brand: 'visa', last4: '4242', expires: expect.stringMatching(/^\d{4}-\d{2}$/) });
    const other = { number: '5555555555554444', exp_month: 4, exp_year: 2031 };
    await billing.sandbox.control('POST', `/customers/${customer}/card`, { card: other });
    expect((await refresh(userId)).data.card).toEqual({
      brand: 'mastercard',
      last4: '4444',
      expires: '2031-04',
    });
  });

  it('is stored nowhere after the deletion of its user, nor once the subscription is closed at Stripe', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.remove(userId);
    await until('the subscription to end', async () => (await statusOf(subscription)) === 'canceled');
    await billing.reconcile();
    const rows = await billing.db.query<{ card: unknown }[]>(
      'SELECT card FROM subscribers WHERE user_id = ?',
      [userId],
    );
    expect(rows).toEqual([{ card: null }]);
  });
});

describe('the invoices', () => {
  it('of a user are listed with those of packs, the newest first, and their files open', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.advance(days(2));
    const pack = billing.sessionIn((await billing.openPackCheckout(userId)).url);
    await billing.pay(pack);
    await billing.confirmPack(userId, pack);
    const listed = await invoicesOf(userId);
    expect(
      listed.map(({ credits, status, amount, refunded }) => [credits, status, amount, refunded]),
    ).toEqual([
      [250, 'paid', 1_900, 0],
      [null, 'paid', 5_900, 0],
    ]);
    expect(listed.every(({ number }) => number !== null && number !== '')).toBe(true);
    expect((await fileOf(userId, invoice)).url).toMatch(/\/pdf$/);
  });

  it('of another user are not, and do not open', async () => {
    const { invoice } = await billing.subscribe();
    const other = await billing.subscribe();
    expect((await invoicesOf(other.userId)).map(({ invoiceId }) => invoiceId)).toEqual([other.invoice]);
    expect(await fileOf(other.userId, invoice).catch(codeOf)).toBe('billing.invoice_not_found');
    expect(await fileOf(other.userId, 'in_unknown').catch(codeOf)).toBe('billing.invoice_not_found');
  });

  it('of a deleted user are kept for accounting and not listed', async () => {
    const { userId } = await billing.subscribe();
    await billing.remove(userId);
    const rows = await billing.db.query<unknown[]>('SELECT 1 FROM invoices WHERE user_id = ?', [userId]);
    expect(rows).toHaveLength(1);
  });
});

it('a link to change the card opens the page of the card, which returns to the page of the plan', async () => {
  const { userId, customer: customerId } = await billing.subscribe();
  const input = { userId, customerId, page: 'card' } as const;
  const { url } = await billing.call(billingEndpoints.openPortal, input, billing.asUser(userId));
  const page = await (await fetch(url)).text();
  expect(page).toContain('Change card');
  expect(page).toContain('href="https://shortlist.test/payments?from=portal"');
});
