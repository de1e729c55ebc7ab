import { exampleProfile } from '@shortlist/contracts/testing/examples';
import * as billing from '@shortlist/contracts/events/billing';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  INVOICE as invoice,
  openWorker,
  PAID as paid,
  PAYMENT as payment,
  START,
  type Worker,
} from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const account = {
  email: 'ada@people.test',
  ...exampleProfile({ firstName: 'Ada', lastName: 'Lovelace' }),
  picture: null,
  createdAt: START.toISOString(),
};
const { planState } = payment;

const sentTo = async (userId: string) => {
  await worker.send(userId);
  const [mail, ...more] = await worker.sent(userId);
  expect(more).toEqual([]);
  return mail;
};

describe('the email about an event', () => {
  it('welcomes a new user', async () => {
    const userId = worker.addUser();
    await worker.publish(userRegistered, userId, account);
    const mail = await sentTo(userId);
    expect(mail).toMatchObject({ subject: 'Welcome to Shortlist', to: [{ name: 'Ada' }] });
    expect(mail?.text).toContain('20 free credits');
    expect(mail?.text).toContain('https://shortlist.test/');
  });

  it('is a receipt for a payment', async () => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, payment);
    const mail = await sentTo(userId);
    expect(mail?.text).toContain('$59.00 on March 1, 2026 at 12:00 PM UTC');
    expect(mail?.text).toContain('paid until April 1, 2026 at 12:00 PM UTC');
    expect(mail?.text).toContain(
      [
        'Invoice: A1B2-0001',
        'Period: March 1, 2026 to April 1, 2026',
        'Paid on: March 1, 2026',
        'Amount: $59.00',
        'Tax included: $4.37',
      ].join('\n'),
    );
    expect(mail?.text).toContain(`Download the invoice (PDF): ${invoice.pdfUrl}`);
    expect(mail?.html).toContain('href="https://invoice.stripe.test/in_1/pdf?s=ap&amp;x=1"');
  });

  it.each([
    ['without a PDF leads to the billing portal', { ...invoice, pdfUrl: null }, 'Invoice: A1B2-0001'],
    ['of an event from before invoices were added names the amount alone', undefined, 'Invoice: in_1'],
  ])('that is a receipt %s', async (_case, details, line) => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, invoice: details as never });
    const text = (await sentTo(userId))?.text;
    expect(text).toContain(line);
    expect(text).toContain('Amount: $59.00');
    expect(text).toContain('Your invoice is in the billing portal.');
    expect(text).toContain('See your invoices: https://shortlist.test/payments');
    if (details === undefined) expect(text).not.toMatch(/Tax|Period/);
  });

  it.each([
    [4_900, 'eur', '€49.00'],
    [5_900, 'jpy', '¥5,900'],
  ])('names in a receipt what Stripe charged: %i %s', async (amount, currency, text) => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, amount, currency });
    expect((await sentTo(userId))?.text).toContain(`We received ${text} on`);
  });

  it('says in a receipt when a discount made the amount 0', async () => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, amount: 0 });
    const text = (await sentTo(userId))?.text;
    expect(text).toContain('There was nothing to pay this time');
    expect(text).toContain('Your plan is paid until April 1, 2026');
    expect(text).toContain('Amount: $0.00');
    expect(text).not.toContain('We received');
  });

  it('is a receipt without a period if the payment was refunded before its event', async () => {
    const userId = worker.addUser();
    const nothing = { ...payment, planState: { ...planState, paid: null } };
    await worker.publish(billing.paymentSucceeded, userId, nothing);
    expect((await sentTo(userId))?.text).not.toContain('paid until');
  });

  it('names the end of the plan and the subscription page if a renewal failed', async () => {
    const userId = worker.addUser();
    const failed = { invoiceId: 'in_2', attempt: 1, nextAttemptAt: null, confirmUrl: null, planState };
    await worker.publish(billing.paymentFailed, userId, failed);
    const mail = await sentTo(userId);
    expect(mail?.text).toContain('Your plan stays active until April 8, 2026');
    expect(mail?.text).toContain('Pay your invoice: https://shortlist.test/payments');
  });

  it('says that the payment restores the plan if a renewal failed after the grace', async () => {
    const userId = worker.addUser();
    const state = { ...planState, paid: { ...paid, end: '2026-02-21T12:00:00.000Z', graceUntil: null } };
    const failed = { invoiceId: 'in_2', attempt: 3, nextAttemptAt: null, confirmUrl: null, planState: state };
    await worker.publish(billing.paymentFailed, userId, failed);
    expect((await sentTo(userId))?.text).toContain('Pay the invoice to get it back.');
  });

  it('links to the page for confirming a renewal if the bank requires that', async () => {
    const userId = worker.addUser();
    const confirmUrl = 'https://invoice.stripe.test/i/acct_1/live_2?s=ap&x=1';
    const waiting = { invoiceId: 'in_2', attempt: 1, nextAttemptAt: null, confirmUrl, planState };
    await worker.publish(billing.paymentFailed, userId, waiting);
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('Confirm your payment');
    expect(mail?.text).toContain(`Confirm your payment: ${confirmUrl}`);
    expect(mail?.html).toContain('href="https://invoice.stripe.test/i/acct_1/live_2?s=ap&amp;x=1"');
    expect(mail?.text).not.toContain('card');
    expect(mail?.text).toContain('Your plan stays active until April 8, 2026');
  });

  it('says that the bank returned the payment when a plan ended by a dispute', async () => {
    const userId = worker.addUser();
    const ended = { by: 'stripe', reason: 'dispute', planState } as const;
    await worker.publish(billing.planRevoked, userId, ended);
    expect((await sentTo(userId))?.text).toContain('Your bank reversed your payment');
  });

  it('confirms a pack of credits once, but not its refund', async () => {
    const userId = worker.addUser();
    const packId = '01999999-0000-8000-8000-000000000000';
    const pack = { packId, version: 1, credits: 250, paidCredits: 250, paidAt: START.toISOString() };
    const event = await worker.publish(billing.creditPackChanged, userId, pack);
    await worker.publishAgain(event, 'billing.events');
    await worker.publish(billing.creditPackChanged, userId, { ...pack, version: 2, paidCredits: 184 });
    await worker.publish(billing.creditPackChanged, userId, { ...pack, version: 3 });
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('Your pack of 250 credits');
    expect(mail?.text).toContain('We received your payment on March 1, 2026');
    expect(mail?.text).toContain('This was a one-time payment');
  });

  it('reports a grant and its end', async () => {
    const userId = worker.addUser();
    const granted = { ...paid, key: 'grant:1', graceUntil: null };
    const by = 'admin';
    await worker.publish(billing.planGranted, userId, {
      by,
      reason: 'a gift',
      planState: { version: 1, paid: null, granted },
    });
    expect((await sentTo(userId))?.text).toContain('Premium until April 1, 2026');
    await worker.publish(billing.planRevoked, userId, {
      by,
      reason: 'grant_end',
      planState: { version: 2, paid: null, granted: null },
    });
    await worker.send(userId);
    expect((await worker.sent(userId)).map(({ subject }) => subject)).toEqual([
      'You now have Shortlist Premium',
      'Your Shortlist plan has ended',
    ]);
  });

  it('is the same receipt again for each request of an admin', async () => {
    const userId = worker.addUser();
    const { planState: _, invoice: details, ...paidInvoice } = payment;
    for (const _request of [1, 2])
      await worker.publish(billing.receiptRequested, userId, { ...paidInvoice, invoice: details ?? invoice });
    await worker.send(userId);
    const mails = await worker.sent(userId);
    expect(mails).toHaveLength(2);
    for (const { subject, text } of mails) {
      expect(subject).toBe('Your Shortlist receipt');
      expect(text).toContain('paid until April 1, 2026 at 12:00 PM UTC');
      expect(text).toContain(`Download the invoice (PDF): ${invoice.pdfUrl}`);
    }
  });

  it('reports that the renewal was stopped, and that it was resumed', async () => {
    const userId = worker.addUser();
    const stopped = { version: 2, paid: { ...paid, graceUntil: null }, granted: null };
    await worker.publish(billing.renewalStopped, userId, { by: 'stripe', planState: stopped });
    await worker.publish(billing.renewalResumed, userId, { by: 'stripe', planState });
    await worker.send(userId);
    const [stop, resume] = await worker.sent(userId);
    expect(stop?.subject).toBe('Your Shortlist plan will not renew');
    expect(stop?.text).toContain('You keep Premium until April 1, 2026 at 12:00 PM UTC.');
    expect(resume?.subject).toBe('Your Shortlist plan renews again');
    expect(resume?.text).toContain('The next payment is due on April 1, 2026 at 12:00 PM UTC.');
  });

  it('names the day until which a subscription renews', async () => {
    const userId = worker.addUser();
    const renewsUntil = '2026-06-01T12:00:00.000Z';
    await worker.publish(billing.renewalStopped, userId, { by: 'stripe', renewsUntil, planState });
    await worker.send(userId);
    const [mail] = await worker.sent(userId);
    expect(mail?.subject).toBe('Your Shortlist plan has an end date');
    expect(mail?.text).toContain('Your plan renews until June 1, 2026 at 12:00 PM UTC, then ends.');
  });

  it('names the card that is about to expire, once for duplicate events', async () => {
    const userId = worker.addUser();
    const card = { brand: 'visa', last4: '4242', expires: '2026-03', planState };
    const event = await worker.publish(billing.cardExpiring, userId, card);
    await worker.publishAgain(event, 'billing.events');
    await worker.publish(billing.cardExpiring, worker.addUser(), { ...card, brand: 'unionpay' });
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('Your card is about to expire');
    expect(mail?.text).toContain('Your Visa card ending in 4242 expires at the end of March 2026.');
    expect(mail?.text).toContain('Update your card: https://shortlist.test/subscription?page=card');
  });

  it('says before the end of a trial what will be charged and how to cancel, once for duplicate events', async () => {
    const userId = worker.addUser();
    const ending = {
      endsAt: '2026-03-15T12:00:00.000Z',
      amount: 59_000,
      currency: 'usd',
      interval: 'year',
    } as const;
    const event = await worker.publish(billing.trialEnding, userId, { ...ending, planState });
    await worker.publishAgain(event, 'billing.events');
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('Your free trial of Shortlist is about to end');
    expect(mail?.text).toContain('Your free trial ends on March 15, 2026 at 12:00 PM UTC.');
    expect(mail?.text).toContain('charged $590.00, before tax and discounts, for one year of Premium');
    expect(mail?.text).toContain('cancel your subscription on its page before then');
    expect(mail?.text).toContain('Manage your subscription: https://shortlist.test/payments');
  });

  it('sends no receipt for a trial, for which nothing was paid', async () => {
    const userId = worker.addUser();
    const begun = {
      invoiceId: 'in_trial',
      amount: 0,
      currency: 'usd',
      paidAt: paid.start,
      trial: true,
      invoice: null,
    };
    await worker.publish(billing.paymentSucceeded, userId, { ...begun, planState });
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
  });

  it.each([
    ['period_end', 'You will not be charged again.'],
    ['grant_end', 'You will not be charged again.'],
    ['grace_end', 'We could not collect the payment for your plan, so your Premium plan has ended'],
  ] as const)('reports the end of a plan by time: %s', async (reason, text) => {
    const userId = worker.addUser();
    const ended = { version: 2, paid, granted: null };
    await worker.publish(billing.planRevoked, userId, { by: 'schedule', reason, planState: ended });
    expect(await sentTo(userId)).toMatchObject({ subject: 'Your Shortlist plan has ended' });
    expect((await worker.sent(userId))[0]?.text).toContain(text);
  });
});
