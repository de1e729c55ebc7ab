import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DisputeSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { earlyEndReason, endReason, nextMonth, outlookOf, paidCoverage } from './subscription.rules.ts';

const INVOICE_DETAILS = {
  number: null,
  billingReason: null,
  subtotal: 5_900,
  discount: 0,
  tax: 0,
  total: 5_900,
  hostedUrl: null,
  isProcessing: false,
  needsAuthentication: false,
  failedRefunds: [],
};
const NOT_ENDED = { startedAt: new Date('2026-03-01'), canceledAt: null, endedAt: null, cancelReason: null };
const NOT_CANCELED = { ...NOT_ENDED, isCanceledForReturn: false };

it.each([
  ['2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
  ['2026-02-28T10:00:00.000Z', '2026-03-28T10:00:00.000Z'],
  ['2026-03-31T23:59:59.999Z', '2026-04-30T23:59:59.999Z'],
  ['2026-03-29T01:30:00.000Z', '2026-04-29T01:30:00.000Z'],
  ['2026-12-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
])('F12 a month from %s is %s', (from, to) => {
  expect(nextMonth(new Date(from)).toISOString()).toBe(to);
});

it('F12 a month later is always in the next calendar month, at the same time of day', () => {
  const days = { min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(days), (from) => {
      const to = nextMonth(from);
      const months = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
      expect(months(to)).toBe(months(from) + 1);
      expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10));
      expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate());
    }),
  );
});

describe('F10 the paid coverage is', () => {
  const [START, END, GRACE] = [
    '2026-03-01T12:00:00.000Z',
    '2026-04-01T12:00:00.000Z',
    '2026-04-08T12:00:00.000Z',
  ];
  const MIDDLE = '2026-03-10T12:00:00.000Z';
  const NOW = new Date('2026-03-20T12:00:00.000Z');
  const invoice: InvoiceSnapshot = {
    id: 'in_1',
    subscriptionId: 'sub_1',
    status: 'paid',
    amount: 5_900,
    currency: 'usd',
    fee: null,
    ...INVOICE_DETAILS,
    paidAt: new Date(START),
    attempts: 1,
    nextAttemptAt: null,
    refunds: [],
    period: { start: new Date(START), end: new Date(END) },
  };
  const price = { amount: 5_900, currency: 'usd' };
  const subscription = { id: 'sub_1', status: 'active', renews: true, ...NOT_CANCELED, price };
  const refundOf = (amount: number) => [{ id: 're_1', amount, createdAt: new Date(MIDDLE) }];
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
  };
  type Case = [string, Change, object | null];
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
      'the whole period when the payment follows the end',
      { subscription: ended('canceled', MIDDLE), invoice: { paidAt: new Date('2026-03-12T12:00:00.000Z') } },
      toTheEnd,
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
    ['none in another currency', { invoice: { currency: 'eur' } }, null],
    [
      'none while the invoice is open',
      { subscription: { status: 'past_due' }, invoice: { status: 'open' } },
      null,
    ],
  ])('%s', (_, change, expected) => {
    const snapshot = {
      subscriptions: [{ ...subscription, ...change.subscription }],
      invoices: [{ ...invoice, ...change.invoice }],
      disputes: (change.disputes ?? []).map(disputeOf),
    };
    const coverage = paidCoverage(snapshot, NOW);
    expect(coverage).toEqual(expected && { key: 'in_1', start: START, ...expected });
  });
});

describe('the reason why a plan ended is', () => {
  const NOW = new Date('2026-04-08T12:00:00.000Z');
  const start = '2026-03-01T12:00:00.000Z';
  const before = '2026-04-01T12:00:00.000Z';
  const later = '2026-05-01T12:00:00.000Z';
  const paid = (end: string, graceUntil: string | null = null) => ({ key: 'in_1', start, end, graceUntil });
  const granted = (end: string) => ({ key: 'grant:1', start, end, graceUntil: null });

  it.each([
    ['the period end after a paid period', paid(before), null, 'period_end'],
    ['the grace end at the last moment of a grace', paid(before, NOW.toISOString()), null, 'grace_end'],
    ['the grant end after a grant', null, granted(before), 'grant_end'],
    ['the grant end after a grant that outlasted a paid period', paid(start), granted(before), 'grant_end'],
    ['the early reason within a paid period', paid(later), null, 'canceled'],
    ['the early reason within a grace', paid(before, later), null, 'canceled'],
    ['the early reason within a grant', paid(before), granted(later), 'canceled'],
    ['the early reason without any period', null, null, 'canceled'],
  ])('%s', (...[, paidPeriod, grant, reason]) => {
    const state = { version: 1, paid: paidPeriod, granted: grant };
    expect(endReason(state, 'canceled', NOW)).toBe(reason);
  });

  it.each([
    ['a refund when the paid invoice was fully refunded', 5_900, 'refund'],
    ['a cancellation when it was refunded in part', 5_899, 'canceled'],
  ])('%s', (_, amount, reason) => {
    const invoice: InvoiceSnapshot = {
      id: 'in_1',
      subscriptionId: 'sub_1',
      status: 'paid',
      amount: 5_900,
      currency: 'usd',
      fee: null,
      ...INVOICE_DETAILS,
      paidAt: null,
      attempts: 1,
      nextAttemptAt: null,
      period: { start: new Date(start), end: new Date(later) },
      refunds: [{ id: 're_1', amount, createdAt: NOW }],
    };
    const snapshot = { subscriptions: [], invoices: [invoice], disputes: [] };
    expect(earlyEndReason(snapshot, paid(later))).toBe(reason);
  });
});

const NOW = new Date('2026-03-10T12:00:00.000Z');
const start = '2026-03-01T12:00:00.000Z';
const past = '2026-03-09T12:00:00.000Z';
const soon = '2026-03-12T12:00:00.000Z';
const later = '2026-04-01T12:00:00.000Z';
const latest = '2026-04-08T12:00:00.000Z';
const paid = (end: string, graceUntil: string | null) => ({ key: 'in_1', start, end, graceUntil });
const granted = (end: string) => ({ key: 'grant:1', start, end, graceUntil: null });

describe('a plan', () => {
  it.each([
    ['without a period has no outlook', null, null, null],
    ['that is over has no outlook', paid(past, null), granted(past), null],
    ['that is paid renews after its period', paid(later, latest), null, ['renews', later]],
    ['that is set to end ends with its period', paid(later, null), null, ['ends', later]],
    [
      'whose renewal is not paid is collected until its grace ends',
      paid(past, soon),
      null,
      ['collecting', soon],
    ],
    ['that an admin granted ends by itself', null, granted(later), ['granted', later]],
    [
      'without its renewal lasts as long as a grant beside it',
      paid(soon, later),
      granted(latest),
      ['renews', latest],
    ],
    ['that is over leaves the grant', paid(past, null), granted(later), ['granted', later]],
  ])('%s', (...[, paidPeriod, grant, expected]) => {
    const outlook = outlookOf({ version: 1, paid: paidPeriod, granted: grant }, NOW);
    expect(outlook && [outlook.continuation, outlook.premiumUntil]).toEqual(expected);
  });
});
