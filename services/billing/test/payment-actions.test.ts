import { recordSystemChange } from '@shortlist/audit/audit-log';
import { paymentEndpoints } from '@shortlist/contracts/api/payments';
import { days, hours } from '@shortlist/contracts/durations';
import { receiptRequested } from '@shortlist/contracts/events/billing';
import { AUDIT_PAGE_MAX } from '@shortlist/contracts/limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packsIn } from './pack-support.ts';
import { type Billing, codeOf, GOOD_CARD, LATER_BAD_CARD, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const read = (invoiceId: string) => billing.call(paymentEndpoints.getPayment, { invoiceId }, billing.asAdmin);
const retry = (invoiceId: string) =>
  billing.call(paymentEndpoints.retryPayment, { invoiceId }, billing.asAdmin);
const sendReceipt = (invoiceId: string) =>
  billing.call(paymentEndpoints.sendReceipt, { invoiceId }, billing.asAdmin);

/** A user whose renewal was declined. */
const declined = async () => {
  const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
  await billing.advance(days(31) + hours(1));
  await billing.reconcile();
  const { data } = await billing.call(
    paymentEndpoints.listPayments,
    { users: userId, state: 'past_due' },
    billing.asAdmin,
  );
  return { userId, customer, invoice: data[0]?.invoiceId ?? '' };
};
const replaceCard = (customer: string) =>
  billing.sandbox.control('POST', `/customers/${customer}/card`, { card: GOOD_CARD });
const chargesOf = async (customer: string): Promise<number> =>
  (await billing.api.charges.list({ customer })).data.filter(({ paid }) => paid).length;

describe('a failed invoice', () => {
  it('has when it first failed, when it is tried again, and the events of the provider about it', async () => {
    const { userId, customer, invoice } = await declined();
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.untilUnread(userId);
    const { data } = await read(invoice);
    const { next_payment_attempt: next } = await billing.api.invoices.retrieve(invoice);
    expect(next).not.toBeNull();
    expect(data.nextAttemptAt).toBe(new Date((next ?? 0) * 1_000).toISOString());
    expect(Date.parse(data.failedAt ?? '')).toBeLessThan(Date.parse(data.nextAttemptAt ?? ''));
    const types = data.events?.map(({ type }) => type) ?? [];
    expect(types).toContain('invoice.payment_failed');
    expect(types.filter((type) => type === 'invoice.payment_failed')).toHaveLength(1);
    // Not those of the invoice before.
    expect(types).not.toContain('invoice.paid');
    expect(data.events?.every(({ state }) => state !== 'pending')).toBe(true);
  });

  it('that is paid has no next attempt, and none is left once the plan has ended', async () => {
    const paid = await declined();
    await replaceCard(paid.customer);
    await retry(paid.invoice);
    const { data } = await read(paid.invoice);
    expect(data).toMatchObject({ state: 'paid', nextAttemptAt: null });
    expect(data.failedAt).not.toBeNull();
    const ended = await declined();
    await billing.revoke(ended.userId);
    expect((await read(ended.invoice)).data.nextAttemptAt).toBeNull();
  });

  it('of a deleted user has no events, which are about the user', async () => {
    const { userId, customer, invoice } = await declined();
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.untilUnread(userId);
    await billing.advance(hours(1));
    await billing.remove(userId);
    expect((await read(invoice)).data.events).toEqual([]);
  });
});

describe('a failed invoice that an admin retries', () => {
  it('is charged to the card on file now, and the plan goes on', async () => {
    const { userId, customer, invoice } = await declined();
    expect((await read(invoice)).data).toMatchObject({ state: 'past_due', canRetry: true, left: 0 });
    await replaceCard(customer);
    expect(await retry(invoice)).toEqual({ state: 'paid' });
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', problem: null, renews: true });
    const { data, entries } = await read(invoice);
    expect(data).toMatchObject({ state: 'paid', canRetry: false, left: 5_900, effect: 'plan' });
    expect(entries).toMatchObject([{ action: 'payment.try_again', after: { invoice, result: 'paid' } }]);
  });

  it('and declined again says so in words, charges nothing, and leaves a record', async () => {
    const { customer, invoice } = await declined();
    const before = await chargesOf(customer);
    expect(await retry(invoice).catch(codeOf)).toBe('billing.payment_declined');
    expect(await chargesOf(customer)).toBe(before);
    const { data, entries } = await read(invoice);
    expect(data).toMatchObject({ state: 'past_due', canRetry: true });
    expect(entries).toMatchObject([{ action: 'payment.try_again', after: { result: 'declined' } }]);
  });

  it('by two admins at once, or again, is charged once', async () => {
    const { customer, invoice } = await declined();
    await replaceCard(customer);
    const before = await chargesOf(customer);
    const results = await Promise.all([retry(invoice), retry(invoice)].map((one) => one.catch(codeOf)));
    expect(results).toContain('billing.invoice_not_payable');
    expect(results).toContainEqual({ state: 'paid' });
    expect(await retry(invoice).catch(codeOf)).toBe('billing.invoice_not_payable');
    expect(await chargesOf(customer)).toBe(before + 1);
  });

  it('of a plan that ended, or of a deleted user, is not charged', async () => {
    const ended = await declined();
    await billing.revoke(ended.userId);
    await replaceCard(ended.customer);
    expect(await retry(ended.invoice).catch(codeOf)).toBe('billing.invoice_not_payable');
    const deleted = await declined();
    await replaceCard(deleted.customer);
    await billing.remove(deleted.userId);
    expect(await retry(deleted.invoice).catch(codeOf)).toBe('billing.user_not_found');
    expect(await chargesOf(ended.customer)).toBe(1);
    expect(await chargesOf(deleted.customer)).toBe(1);
  });
});

describe('a receipt that an admin sends again', () => {
  it('is emailed once for each request, with the invoice as it was', async () => {
    const { userId, invoice } = await billing.subscribe();
    expect((await read(invoice)).data.hasReceipt).toBe(true);
    await sendReceipt(invoice);
    await sendReceipt(invoice);
    const sent = await billing.emittedData(userId, receiptRequested);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toMatchObject({
      invoiceId: invoice,
      amount: 5_900,
      currency: 'usd',
      invoice: { number: expect.any(String) as string, pdfUrl: expect.stringContaining('http') as string },
    });
    expect((await read(invoice)).entries.map(({ action }) => action)).toEqual([
      'payment.send_receipt',
      'payment.send_receipt',
    ]);
  });

  it('is in the record of the payment however much was recorded about the user since', async () => {
    const { userId, invoice } = await billing.subscribe();
    await sendReceipt(invoice);
    for (let count = 0; count <= AUDIT_PAGE_MAX; count += 1)
      await recordSystemChange(billing.db.manager, {
        action: 'payment.refund',
        targetId: userId,
        after: { invoice: 'in_other' },
        clock: billing.clock,
      });
    expect((await read(invoice)).entries).toMatchObject([
      { action: 'payment.send_receipt', after: { invoice } },
    ]);
  });

  it('exists neither for a pack, nor for a deleted user', async () => {
    const pack = await packsIn(billing).buyPack();
    expect(await sendReceipt(pack.invoice).catch(codeOf)).toBe('billing.no_receipt');
    const { userId, invoice } = await billing.subscribe();
    await billing.remove(userId);
    expect((await read(invoice)).data.hasReceipt).toBe(false);
    expect(await sendReceipt(invoice).catch(codeOf)).toBe('billing.no_receipt');
    expect(await billing.emittedData(userId, receiptRequested)).toEqual([]);
  });
});

describe('a dispute of a payment', () => {
  it('has its due date and its money, and takes notes of admins', async () => {
    const { userId, invoice } = await billing.subscribe();
    const other = await billing.subscribe();
    const { id } = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/dispute`);
    await billing.reconcile();
    await billing.retryInbox();
    expect((await read(invoice)).data.disputes).toMatchObject([
      {
        disputeId: id,
        status: 'needs_response',
        evidenceDueAt: expect.any(String) as string,
        closedAt: null,
        withdrawn: { amount: 5_900, currency: 'usd' },
        fee: { amount: 1_500, currency: 'usd' },
      },
    ]);
    const note = (invoiceId: string, text = 'Answered with the logs') =>
      billing.call(paymentEndpoints.noteDispute, { invoiceId, disputeId: id, note: text }, billing.asAdmin);
    await note(invoice);
    expect((await read(invoice)).entries).toMatchObject([
      { action: 'dispute.note', targetId: userId, after: { dispute: id, note: 'Answered with the logs' } },
    ]);
    expect(await note(other.invoice).catch(codeOf)).toBe('billing.dispute_not_found');
    expect(await note(invoice, ' ').catch(codeOf)).toBe('request.invalid');
    await billing.remove(userId);
    expect(await note(invoice).catch(codeOf)).toBe('billing.user_not_found');
  });
});
