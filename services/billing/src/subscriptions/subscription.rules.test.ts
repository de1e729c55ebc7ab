import { describe, expect, it } from 'vitest';
import type {
  CustomerSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from '../stripe/snapshot.ts';
import {
  earlyEndReason,
  isClosed,
  isLost,
  paidCoverage,
  paymentsToRefund,
  type Reading,
} from './subscription.rules.ts';

const NOTHING: CustomerSnapshot = { subscriptions: [], invoices: [], foreign: [], packs: [], disputes: [] };
const INVOICE_DETAILS = {
  currency: 'usd',
  fee: null,
  attempts: 1,
  nextAttemptAt: null,
  number: null,
  billingReason: null,
  credits: null,
  isTrial: false,
  sellsMore: false,
  subtotal: 5_900,
  discount: 0,
  tax: 0,
  total: 5_900,
  monthlyAmount: null,
  failedAt: null,
  hostedUrl: null,
  pdfUrl: null,
  isProcessing: false,
  needsAuthentication: false,
  failedRefunds: [],
  chargeId: 'ch_1',
  paymentIntentId: 'pi_1',
  returnedRefunds: [],
};
const NOT_ENDED = {
  startedAt: new Date('2026-03-01'),
  canceledAt: null,
  endedAt: null,
  resumesAt: null,
  cancelReason: null,
};
const NOT_CANCELED = {
  sellsPlan: true,
  interval: 'month' as const,
  currency: 'usd',
  nextInterval: null,
  scheduleId: null,
  isScheduledElsewhere: false,
  discount: null,
  endsAt: null,
  ...NOT_ENDED,
  isCanceledForReturn: false,
  card: null,
  trial: null,
  isTrialRefused: false,
};

describe('F10 the paid coverage is', () => {
  const [START, END, GRACE] = [
    '2026-03-01T12:00:00.000Z',
    '2026-04-01T12:00:00.000Z',
    '2026-04-08T12:00:00.000Z',
  ];
  const MIDDLE = '2026-03-10T12:00:00.000Z';
  const NOW = new Date('2026-03-20T12:00:00.000Z');
  const READING: Reading = {
    granted: null,
    revokedAt: null,
    now: NOW,
    policies: { unpaidInvoices: 'void', latePayments: 'period', olderDisputes: 'end' },
  };
  const invoice: InvoiceSnapshot = {
    id: 'in_1',
    subscriptionId: 'sub_1',
    status: 'paid',
    amount: 5_900,
    ...INVOICE_DETAILS,
    paidAt: new Date(START),
    refunds: [],
    period: { start: new Date(START), end: new Date(END) },
  };
  const price = { amount: 5_900, currency: 'usd' };
  const subscription = { id: 'sub_1', status: 'active', renews: true, ...NOT_CANCELED, price };
  const refundOf = (amount: number) => [
    { id: 're_1', amount, createdAt: new Date(MIDDLE), order: null, takesCredits: false },
  ];
  const disputeOf = (status: string): DisputeSnapshot => ({
    id: 'du_1',
    invoiceId: 'in_1',
    chargeId: 'ch_1',
    amount: 5_900,
    currency: 'usd',
    status,
    reason: 'fraudulent',
    openedAt: new Date(MIDDLE),
    evidenceDueAt: null,
    transactions: [],
  });
  type Change = {
    disputes?: string[];
    subscription?: Partial<SubscriptionSnapshot>;
    invoice?: Partial<InvoiceSnapshot>;
    reading?: Partial<Reading>;
    /** Another invoice of the subscription, for the next period. */
    renewal?: Partial<InvoiceSnapshot>;
    /** The invoice whose payment is disputed. */
    disputed?: string;
  };
  type Case = [string, Change, object | null];
  const LATE = '2026-03-12T12:00:00.000Z';
  const KEEP = { ...READING.policies, olderDisputes: 'keep' } as const;
  const older = {
    paidAt: new Date('2026-02-01T12:00:00.000Z'),
    period: { start: new Date('2026-02-01T12:00:00.000Z'), end: new Date(START) },
  };
  const newer = { ...invoice, id: 'in_9', subscriptionId: 'sub_2', paidAt: new Date(MIDDLE) };
  const ongoing = { ...subscription, status: 'past_due' };
  const toTheEnd = { end: END, graceUntil: null };
  const withGrace = { end: END, graceUntil: GRACE };
  const ended = (status: string, at: string) => ({ status, endedAt: new Date(at) });
  const cutAt = (end: string) => ({ end, graceUntil: null });

  it.each<Case>([
    ['the period and its grace while active', {}, withGrace],
    ['the same while past due', { subscription: { status: 'past_due' } }, withGrace],
    ['the period alone when it will not renew', { subscription: { renews: false } }, toTheEnd],
    ['the period alone once unpaid', { subscription: { status: 'unpaid' } }, toTheEnd],
    ['the time before a cancellation', { subscription: ended('canceled', MIDDLE) }, cutAt(MIDDLE)],
    [
      'the time before the subscription expired incomplete',
      { subscription: ended('incomplete_expired', MIDDLE) },
      cutAt(MIDDLE),
    ],
    [
      'the time before now when Stripe dates the end later',
      { subscription: ended('canceled', '2026-03-20T12:00:30.000Z') },
      cutAt(NOW.toISOString()),
    ],
    [
      'a whole period from the day of a payment after the end',
      { subscription: ended('canceled', MIDDLE), invoice: { paidAt: new Date(LATE) } },
      { start: LATE, ...cutAt('2026-04-12T12:00:00.000Z') },
    ],
    [
      'a whole period from the day of a payment after the period',
      { subscription: { status: 'unpaid' }, invoice: { paidAt: new Date('2026-05-31T12:00:00.000Z') } },
      { start: '2026-05-31T12:00:00.000Z', ...cutAt('2026-06-30T12:00:00.000Z') },
    ],
    [
      'a whole period after the grant that covers the day of a late payment',
      {
        subscription: ended('canceled', MIDDLE),
        invoice: { paidAt: new Date(LATE) },
        reading: { granted: { key: 'grant:1', start: MIDDLE, end: END, graceUntil: null } },
      },
      { start: END, ...cutAt('2026-05-01T12:00:00.000Z') },
    ],
    [
      'not moved by a grant that was made after a late payment',
      {
        subscription: ended('canceled', MIDDLE),
        invoice: { paidAt: new Date(LATE) },
        reading: { granted: { key: 'grant:1', start: END, end: GRACE, graceUntil: null } },
      },
      { start: LATE, ...cutAt('2026-04-12T12:00:00.000Z') },
    ],
    [
      'the time before everything was ended, although the refund failed for which the subscription was canceled',
      {
        subscription: { ...ended('canceled', MIDDLE), isCanceledForReturn: true },
        reading: { revokedAt: new Date(LATE) },
      },
      cutAt(LATE),
    ],
    [
      'the time before everything was ended, of a debit that arrived late',
      {
        subscription: ended('canceled', START),
        invoice: { paidAt: new Date(MIDDLE) },
        reading: { revokedAt: new Date(LATE) },
      },
      { start: MIDDLE, ...cutAt(LATE) },
    ],
    [
      'unchanged by an end before the payment',
      { invoice: { paidAt: new Date(MIDDLE) }, reading: { revokedAt: new Date(START) } },
      withGrace,
    ],
    [
      'as long as the bank works on the debit of the renewal',
      { renewal: { status: 'open', isProcessing: true } },
      { end: END, graceUntil: '2026-04-22T12:00:00.000Z' },
    ],
    ['the period and its grace when the renewal is open', { renewal: { status: 'open' } }, withGrace],
    [
      'without a grace after a lost dispute of an older payment',
      { renewal: older, disputes: ['lost'], disputed: 'in_2' },
      toTheEnd,
    ],
    [
      'unchanged by a lost dispute of an older payment where the operator says so',
      { renewal: older, disputes: ['lost'], disputed: 'in_2', reading: { policies: KEEP } },
      withGrace,
    ],
    [
      'the time before the cancellation for a lost dispute of an older payment',
      {
        subscription: { ...ended('canceled', MIDDLE), isCanceledForReturn: true },
        renewal: older,
        disputes: ['lost'],
        disputed: 'in_2',
      },
      cutAt(MIDDLE),
    ],
    ['the period and its grace after a partial refund', { invoice: { refunds: refundOf(5_899) } }, withGrace],
    ['none after a full refund', { invoice: { refunds: refundOf(5_900) } }, null],
    ['the period and its grace when a discount makes the amount 0', { invoice: { amount: 0 } }, withGrace],
    ...(['void', 'uncollectible'] as const).map((status): Case => [
      `none of an invoice that became ${status}`,
      { invoice: { status } },
      null,
    ]),
    ...['needs_response', 'under_review', 'won', 'warning_closed', 'prevented'].map((status): Case => [
      `unchanged by a dispute that is ${status}`,
      { disputes: [status] },
      withGrace,
    ]),
    ['none after a lost dispute', { disputes: ['lost'] }, null],
    ['none after a lost dispute beside a won one', { disputes: ['won', 'lost'] }, null],
    [
      'the whole period again when the refund failed for which the subscription was canceled',
      { subscription: { ...ended('canceled', MIDDLE), isCanceledForReturn: true } },
      toTheEnd,
    ],
    ['the same in another currency of the price', { invoice: { currency: 'eur' } }, withGrace],
    [
      'none while the invoice is open',
      { subscription: { status: 'past_due' }, invoice: { status: 'open' } },
      null,
    ],
  ])('%s', (_, change, expected) => {
    const snapshot = {
      subscriptions: [{ ...subscription, ...change.subscription }],
      invoices: [
        { ...invoice, ...change.invoice },
        ...(change.renewal ? [{ ...invoice, id: 'in_2', paidAt: null, ...change.renewal }] : []),
      ],
      foreign: [],
      packs: [],
      disputes: (change.disputes ?? []).map((status) => ({
        ...disputeOf(status),
        invoiceId: change.disputed ?? 'in_1',
      })),
    };
    const coverage = paidCoverage(snapshot, { ...READING, ...change.reading });
    expect(coverage).toEqual(expected && { key: 'in_1', start: START, ...expected });
  });

  it.each<[string, Partial<InvoiceSnapshot>, Partial<CustomerSnapshot>, boolean]>([
    ['of nobody who has another plan stays', {}, {}, false],
    ['is given back to somebody who has another paid period then', {}, { invoices: [newer] }, true],
    [
      'stays when the other period was paid later',
      {},
      { invoices: [{ ...newer, paidAt: new Date('2026-03-13T12:00:00.000Z') }] },
      false,
    ],
    ['is given back while its own subscription goes on', {}, { subscriptions: [ongoing] }, true],
    ['stays when it is disputed', {}, { invoices: [newer], disputes: [disputeOf('needs_response')] }, false],
    ['stays when its refund failed', { failedRefunds: refundOf(5_900) }, { invoices: [newer] }, false],
    ['stays when nothing was paid', { amount: 0 }, { invoices: [newer] }, false],
  ])('a late payment %s', (...[, change, other, isGivenBack]) => {
    const late = { ...invoice, paidAt: new Date(LATE), ...change };
    const endedThen = { ...subscription, ...ended('canceled', MIDDLE) };
    const isOngoing = (other.subscriptions ?? []).length > 0;
    const paid = isOngoing ? { ...late, period: older.period } : late;
    const subscriptions = isOngoing ? [ongoing] : [endedThen, { ...subscription, id: 'sub_2' }];
    const snapshot = { ...NOTHING, ...other, subscriptions, invoices: [paid, ...(other.invoices ?? [])] };
    expect(paymentsToRefund(snapshot, READING)).toEqual(isGivenBack ? [paid] : []);
  });
});

describe('the reason of an end before its time is', () => {
  const start = '2026-03-01T12:00:00.000Z';
  const later = '2026-05-01T12:00:00.000Z';

  it.each([
    ['a refund when the paid invoice was fully refunded', 5_900, 'refund'],
    ['a cancellation when it was refunded in part', 5_899, 'canceled'],
  ])('%s', (_, amount, reason) => {
    const invoice: InvoiceSnapshot = {
      id: 'in_1',
      subscriptionId: 'sub_1',
      status: 'paid',
      amount: 5_900,
      ...INVOICE_DETAILS,
      paidAt: null,
      period: { start: new Date(start), end: new Date(later) },
      refunds: [{ id: 're_1', amount, createdAt: new Date(start), order: null, takesCredits: false }],
    };
    const snapshot = { ...NOTHING, invoices: [invoice] };
    expect(earlyEndReason(snapshot, { key: 'in_1', start, end: later, graceUntil: null })).toBe(reason);
  });
});

const disputed = { id: 'in_1' } as InvoiceSnapshot;

describe('a dispute', () => {
  it.each([
    ['warning_needs_response', false, false],
    ['warning_under_review', false, false],
    ['warning_closed', false, true],
    ['needs_response', false, false],
    ['under_review', false, false],
    ['won', false, true],
    ['lost', true, true],
    ['appeal_needs_response', true, false],
    ['appeal_under_review', true, false],
    ['prevented', false, true],
  ])('in the state %s is lost: %s, and closed: %s', (status, lost, closed) => {
    const dispute = { invoiceId: disputed.id, status } as DisputeSnapshot;
    const snapshot = { ...NOTHING, invoices: [disputed], disputes: [dispute] };
    expect([isLost(disputed, snapshot), isClosed(dispute)]).toEqual([lost, closed]);
    expect(isLost({ ...disputed, id: 'in_2' }, snapshot)).toBe(false);
  });
});
