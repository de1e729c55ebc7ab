import { describe, expect, it } from 'vitest';
import type { DisputeSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { problemOf, withSince } from './problem.rules.ts';

const subscription = (change: Partial<SubscriptionSnapshot> = {}): SubscriptionSnapshot => ({
  id: 'sub_1',
  status: 'past_due',
  sellsPlan: true,
  interval: 'month',
  currency: 'usd',
  nextInterval: null,
  scheduleId: null,
  isScheduledElsewhere: false,
  discount: null,
  endsAt: null,
  renews: true,
  endedAt: null,
  resumesAt: null,
  canceledAt: null,
  cancelReason: null,
  isCanceledForReturn: false,
  card: null,
  trial: null,
  isTrialRefused: false,
  startedAt: new Date('2026-03-01'),
  price: { amount: 5_900, currency: 'usd' },
  ...change,
});

const invoice = (change: Partial<InvoiceSnapshot> = {}): InvoiceSnapshot => ({
  id: 'in_1',
  number: 'A-1',
  subscriptionId: 'sub_1',
  billingReason: 'subscription_cycle',
  credits: null,
  isTrial: false,
  sellsMore: false,
  status: 'open',
  amount: 5_900,
  currency: 'usd',
  subtotal: 5_900,
  discount: 0,
  tax: 0,
  total: 5_900,
  monthlyAmount: null,
  failedAt: null,
  paidAt: null,
  attempts: 1,
  nextAttemptAt: null,
  fee: null,
  refunds: [],
  failedRefunds: [],
  chargeId: 'ch_1',
  paymentIntentId: 'pi_1',
  returnedRefunds: [],
  hostedUrl: 'https://stripe.test/i/in_1',
  pdfUrl: null,
  isProcessing: false,
  needsAuthentication: false,
  period: { start: new Date('2026-04-01'), end: new Date('2026-05-01') },
  ...change,
});

const DUE = { amount: 5_900, currency: 'usd', payUrl: 'https://stripe.test/i/in_1', resumesAt: null };
const PROCESSING = { ...DUE, kind: 'processing', payUrl: null, resumesAt: null };
const PAUSED = { kind: 'paused', amount: null, currency: null, payUrl: null, resumesAt: null };

const NOW = new Date('2026-04-03');

type Case = [string, string, Partial<InvoiceSnapshot>, object | null];

describe('the problem of a subscription', () => {
  it.each<Case>([
    ['past due is its open invoice', 'past_due', {}, { ...DUE, kind: 'past_due' }],
    [
      'past due waits for authentication',
      'past_due',
      { needsAuthentication: true },
      { ...DUE, kind: 'authentication' },
    ],
    ['past due is processing while a payment is', 'past_due', { isProcessing: true }, PROCESSING],
    ['active is processing while a bank debit is', 'active', { isProcessing: true }, PROCESSING],
    ['active with an open invoice is none', 'active', {}, null],
    [
      'past due without an open invoice leaves the billing portal',
      'past_due',
      { status: 'uncollectible' },
      { kind: 'past_due', amount: null, currency: null, payUrl: null, resumesAt: null },
    ],
    [
      'past due is not the invoice of another subscription',
      'past_due',
      { subscriptionId: 'sub_0' },
      { kind: 'past_due', amount: null, currency: null, payUrl: null, resumesAt: null },
    ],
    ['incomplete is its first invoice', 'incomplete', {}, { ...DUE, kind: 'incomplete' }],
    [
      'incomplete stays incomplete when it needs authentication',
      'incomplete',
      { needsAuthentication: true },
      { ...DUE, kind: 'incomplete' },
    ],
    ['incomplete is processing while a bank debit is', 'incomplete', { isProcessing: true }, PROCESSING],
    ['paused is the pause', 'paused', {}, PAUSED],
    ['unpaid is none: Stripe has given up', 'unpaid', {}, null],
    ['canceled is none, although its invoice is open', 'canceled', {}, null],
    ['expired incomplete is none', 'incomplete_expired', {}, null],
    ['unpaid is processing while a bank debit is', 'unpaid', { isProcessing: true }, PROCESSING],
    ['canceled is processing while a bank debit is', 'canceled', { isProcessing: true }, PROCESSING],
  ])('that is %s', (...[, status, change, expected]) => {
    const snapshot = {
      subscriptions: [subscription({ status })],
      invoices: [invoice(change)],
      foreign: [],
      packs: [],
      disputes: [],
    };
    expect(problemOf(snapshot, NOW)).toEqual(expected);
  });

  it('is that of the newest open invoice', () => {
    const older = invoice({ id: 'in_0', amount: 100, period: { start: new Date(0), end: new Date(1) } });
    const snapshot = {
      subscriptions: [subscription()],
      invoices: [older, invoice()],
      foreign: [],
      packs: [],
      disputes: [],
    };
    expect(problemOf(snapshot, NOW)).toMatchObject(DUE);
  });

  it('is incomplete for an active one whose renewal was never invoiced, once the grace is over', () => {
    const paid = invoice({ status: 'paid' });
    const snapshot = {
      subscriptions: [subscription({ status: 'active' })],
      invoices: [paid],
      foreign: [],
      packs: [],
      disputes: [],
    };
    expect(problemOf(snapshot, new Date('2026-05-07'))).toBeNull();
    expect(problemOf(snapshot, new Date('2026-05-08'))).toEqual({ ...PAUSED, kind: 'incomplete' });
  });

  describe('with a disputed payment', () => {
    const dispute = (change: Partial<DisputeSnapshot> = {}): DisputeSnapshot => ({
      id: 'dp_1',
      invoiceId: 'in_1',
      chargeId: 'ch_1',
      amount: 5_900,
      currency: 'usd',
      reason: 'fraudulent',
      status: 'needs_response',
      openedAt: new Date('2026-04-02'),
      evidenceDueAt: null,
      transactions: [],
      ...change,
    });
    const of = (status: string, disputes: DisputeSnapshot[], paid: Partial<InvoiceSnapshot> = {}) =>
      problemOf(
        {
          subscriptions: [subscription({ status })],
          invoices: [invoice({ status: 'paid', ...paid })],
          foreign: [],
          packs: [],
          disputes,
        },
        NOW,
      );

    it('is the dispute while it is open and the subscription is ongoing', () => {
      const disputed = { kind: 'disputed', amount: 5_900, currency: 'usd', payUrl: null, resumesAt: null };
      expect(of('active', [dispute()])).toEqual(disputed);
      expect(of('canceled', [dispute()])).toBeNull();
      expect(of('active', [dispute({ status: 'won' })])).toBeNull();
      expect(of('active', [dispute({ status: 'appeal_under_review' })])).toBeNull();
      expect(of('active', [dispute({ invoiceId: 'in_0' })])).toBeNull();
    });

    it('is an unpaid renewal or a pause first', () => {
      expect(of('past_due', [dispute()])?.kind).toBe('past_due');
      expect(of('paused', [dispute()])?.kind).toBe('paused');
    });
  });

  it('keeps the time at which its kind was first seen', () => {
    const problem = { kind: 'past_due', ...DUE } as const;
    const first = withSince(problem, null, NOW);
    expect(first?.since).toBe(NOW.toISOString());
    const later = new Date('2026-04-09');
    expect(withSince({ ...problem, amount: 100 }, first, later)?.since).toBe(NOW.toISOString());
    expect(withSince({ ...problem, kind: 'paused' }, first, later)?.since).toBe(later.toISOString());
    expect(withSince(null, first, later)).toBeNull();
  });

  it('does not exist without a subscription', () => {
    expect(
      problemOf({ subscriptions: [], invoices: [], foreign: [], packs: [], disputes: [] }, NOW),
    ).toBeNull();
  });
});
