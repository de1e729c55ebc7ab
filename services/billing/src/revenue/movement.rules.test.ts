import { days } from '@shortlist/contracts/durations';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type InvoiceRecord,
  missingCohortChanges,
  missingMovements,
  type Movement,
  movementsOf,
  type RevenueRecords,
  type SubscriptionRecord,
} from './movement.rules.ts';

const at = (day: string): Date => new Date(`${day}T12:00:00.000Z`);
const NOW = at('2026-12-31');

let count = 0;
const paid = (start: string, end: string, more: Partial<InvoiceRecord> = {}): InvoiceRecord => {
  count += 1;
  return {
    invoiceId: `in_${count}`,
    subscriptionId: 'sub_1',
    billingReason: 'subscription_cycle',
    credits: null,
    status: 'paid',
    amount: 5_900,
    currency: 'usd',
    tax: 0,
    total: 5_900,
    monthlyAmount: 5_900,
    fee: 201,
    settlementCurrency: 'usd',
    isProcessing: false,
    periodStart: at(start),
    periodEnd: at(end),
    paidAt: at(start),
    bookedAt: at(start),
    failedAt: null,
    ...more,
  };
};
const ended = (day: string | null, more: Partial<SubscriptionRecord> = {}): SubscriptionRecord => ({
  subscriptionId: 'sub_1',
  status: day === null ? 'active' : 'canceled',
  canceledAt: day === null ? null : at(day),
  endedAt: day === null ? null : at(day),
  ...more,
});
const recordsOf = (
  invoices: InvoiceRecord[],
  subscriptions: SubscriptionRecord[] = [ended(null)],
  more: Partial<RevenueRecords> = {},
): RevenueRecords => ({ invoices, subscriptions, refunds: [], disputes: [], ...more });

const isMrr = ({ source }: Movement): boolean => source === '';
/** Day, kind and amount of the changes of MRR. */
const mrr = (records: RevenueRecords, now = NOW): string[] =>
  movementsOf(records, now)
    .filter(isMrr)
    .map(({ movedAt, kind, amount, currency }) =>
      [movedAt.toISOString().slice(0, 10), kind, amount, currency].join(' '),
    );
const money = (records: RevenueRecords): string[] =>
  movementsOf(records, NOW)
    .filter((movement) => !isMrr(movement))
    .map(({ movedAt, kind, amount, count: counted }) =>
      [movedAt.toISOString().slice(0, 10), kind, amount, counted].join(' '),
    );

const JAN = paid('2026-01-10', '2026-02-10', { billingReason: 'subscription_create' });
const FEB = paid('2026-02-10', '2026-03-10');

describe('MRR', () => {
  it('is new with the first payment, and a renewal changes nothing', () => {
    expect(mrr(recordsOf([JAN, FEB]), at('2026-03-01'))).toEqual(['2026-01-10 new 5900 usd']);
  });

  it('goes on through the grace, and is churned at its end', () => {
    expect(mrr(recordsOf([JAN]), at('2026-02-16'))).toEqual(['2026-01-10 new 5900 usd']);
    expect(mrr(recordsOf([JAN]), at('2026-02-17'))).toEqual([
      '2026-01-10 new 5900 usd',
      '2026-02-17 churned -5900 usd',
    ]);
  });

  it('is not churned while a renewal is paid within the grace, and reactivated by one after it', () => {
    const inGrace = paid('2026-02-10', '2026-03-10', { paidAt: at('2026-02-15') });
    expect(mrr(recordsOf([JAN, inGrace]), at('2026-03-01'))).toEqual(['2026-01-10 new 5900 usd']);
    const afterIt = paid('2026-02-10', '2026-03-10', { paidAt: at('2026-02-20') });
    expect(mrr(recordsOf([JAN, afterIt]), at('2026-03-01'))).toEqual([
      '2026-01-10 new 5900 usd',
      '2026-02-17 churned -5900 usd',
      '2026-02-20 reactivated 5900 usd',
    ]);
  });

  it('ends when the subscription ends, not when its end is ordered', () => {
    const ordered = ended(null, { canceledAt: at('2026-01-20') });
    expect(mrr(recordsOf([JAN], [ordered]), at('2026-02-09'))).toEqual(['2026-01-10 new 5900 usd']);
    expect(mrr(recordsOf([JAN], [ordered]))).toContain('2026-02-10 churned -5900 usd');
    expect(mrr(recordsOf([JAN], [ended('2026-01-20')]))).toContain('2026-01-20 churned -5900 usd');
  });

  it.each(['paused', 'unpaid', 'canceled'])('of a subscription that is %s ends with its period', (status) => {
    expect(mrr(recordsOf([JAN], [ended(null, { status })]))).toContain('2026-02-10 churned -5900 usd');
  });

  it('goes on while a bank processes the debit of a renewal', () => {
    const debit = paid('2026-02-10', '2026-03-10', { status: 'open', paidAt: null, isProcessing: true });
    expect(mrr(recordsOf([JAN, debit]), at('2026-03-02'))).toEqual(['2026-01-10 new 5900 usd']);
    expect(mrr(recordsOf([JAN, debit]), at('2026-03-04'))).toContain('2026-03-03 churned -5900 usd');
  });

  it('of a second subscription at another price is reactivated, at the price of its own', () => {
    const again = paid('2026-06-01', '2026-07-01', { subscriptionId: 'sub_2', monthlyAmount: 4_900 });
    const subscriptions = [ended('2026-02-01'), ended(null, { subscriptionId: 'sub_2' })];
    expect(mrr(recordsOf([JAN, again], subscriptions), at('2026-06-15'))).toEqual([
      '2026-01-10 new 5900 usd',
      '2026-02-01 churned -5900 usd',
      '2026-06-01 reactivated 4900 usd',
    ]);
  });

  it('expands and contracts with what a month costs', () => {
    const half = { ...JAN, monthlyAmount: 2_950 };
    const less = paid('2026-03-10', '2026-04-10', { monthlyAmount: 4_900 });
    expect(mrr(recordsOf([half, FEB, less]), at('2026-04-01'))).toEqual([
      '2026-01-10 new 2950 usd',
      '2026-02-10 expansion 2950 usd',
      '2026-03-10 contraction -1000 usd',
    ]);
  });

  it('of another currency is never added', () => {
    const euro = paid('2026-02-01', '2026-03-01', { subscriptionId: 'sub_2', currency: 'eur' });
    const subscriptions = [ended(null), ended(null, { subscriptionId: 'sub_2' })];
    expect(mrr(recordsOf([JAN, euro], subscriptions), at('2026-02-05'))).toEqual([
      '2026-01-10 new 5900 usd',
      '2026-02-01 reactivated 5900 eur',
    ]);
  });

  it.each([
    ['a pack', { credits: 250, subscriptionId: null }],
    ['an invoice that costs nothing', { monthlyAmount: 0, amount: 0, total: 0 }],
    ['an unpaid invoice', { status: 'open', paidAt: null }],
    ['a payment after its period', { paidAt: at('2026-03-01') }],
    ['a part of a period', { monthlyAmount: null, billingReason: 'subscription_update' }],
  ] as const)('does not come from %s', (_, more) => {
    expect(mrr(recordsOf([{ ...JAN, ...more }]))).toEqual([]);
  });

  it('of an invoice from before monthly amounts comes from its totals, without tax', () => {
    const old = { ...JAN, monthlyAmount: null, total: 7_021, tax: 1_121 };
    expect(mrr(recordsOf([old]), at('2026-02-01'))).toEqual(['2026-01-10 new 5900 usd']);
  });
});

describe('money', () => {
  it('of a payment is without its tax, and its fee is in the currency of the balance', () => {
    const invoice = { ...JAN, total: 7_021, amount: 7_021, tax: 1_121, settlementCurrency: 'eur' };
    expect(money(recordsOf([invoice]))).toEqual([
      '2026-01-10 payment 5900 1',
      '2026-01-10 tax 1121 1',
      '2026-01-10 fee -201 1',
    ]);
    const fees = movementsOf(recordsOf([invoice]), NOW).filter(({ kind }) => kind === 'fee');
    expect(fees.map(({ currency }) => currency)).toEqual(['eur']);
  });

  it('of a refund leaves on its day and is back on the day of its failure, and MRR stays', () => {
    const refund = {
      refundId: 're_1',
      invoiceId: JAN.invoiceId,
      currency: 'usd',
      amount: 2_000,
      tax: 300,
      createdAt: at('2026-01-20'),
      failedAt: at('2026-02-03'),
    };
    const records = recordsOf([{ ...JAN, fee: null }], [ended(null)], { refunds: [refund] });
    expect(money(records)).toEqual([
      '2026-01-10 payment 5900 1',
      '2026-01-20 refund -1700 1',
      '2026-01-20 tax -300 1',
      '2026-02-03 refund 1700 -1',
      '2026-02-03 tax 300 -1',
    ]);
    expect(mrr(records, at('2026-02-05'))).toEqual(['2026-01-10 new 5900 usd']);
  });

  it('of a dispute leaves with its fee', () => {
    const dispute = {
      transactionId: 'txn_1',
      invoiceId: JAN.invoiceId,
      currency: 'usd',
      amount: 5_900,
      fee: 1_500,
    };
    const disputes = [{ ...dispute, createdAt: at('2026-02-01') }];
    expect(money(recordsOf([{ ...JAN, fee: null }], [ended(null)], { disputes }))).toEqual([
      '2026-01-10 payment 5900 1',
      '2026-02-01 dispute -5900 1',
      '2026-02-01 fee -1500 1',
    ]);
  });

  it('of a renewal that failed at first counts as failed that day, and as recovered when paid', () => {
    const failed = { ...FEB, fee: null, failedAt: at('2026-02-10'), paidAt: at('2026-02-13') };
    expect(money(recordsOf([{ ...failed, status: 'open', paidAt: null, bookedAt: null }]))).toEqual([
      '2026-02-10 failed_renewal 5900 1',
    ]);
    expect(money(recordsOf([failed]))).toContain('2026-02-13 recovered_renewal 5900 1');
    // The first payment of a checkout is no renewal.
    expect(money(recordsOf([{ ...JAN, fee: null, failedAt: at('2026-01-10') }]))).toEqual([
      '2026-01-10 payment 5900 1',
    ]);
  });
});

const sumsOf = (movements: Movement[]): Record<string, number> =>
  movements.reduce<Record<string, number>>((sums, { kind, movedAt, currency, amount }) => {
    const key = `${kind} ${currency} ${movedAt.toISOString()}`;
    return { ...sums, [key]: (sums[key] ?? 0) + amount };
  }, {});
const without0 = (sums: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));

it('what is added brings any stored movements to what the records say, and then nothing is missing', () => {
  const day = fc
    .integer({ min: 0, max: 360 })
    .map((offset) => new Date(at('2026-01-01').getTime() + days(offset)));
  const history = fc.array(
    fc.record({
      start: day,
      amount: fc.constantFrom(0, 2_950, 5_900),
      id: fc.constantFrom('sub_1', 'sub_2'),
    }),
    { maxLength: 12 },
  );
  const records = fc.record({ history, end: fc.option(day) }).map(({ history: invoices, end }) =>
    recordsOf(
      invoices.map(({ start, amount, id }, index) => ({
        ...JAN,
        ...{ invoiceId: `in_${index}`, subscriptionId: id, monthlyAmount: amount, amount, total: amount },
        ...{ paidAt: start, bookedAt: start, periodStart: start },
        periodEnd: new Date(start.getTime() + days(30)),
      })),
      [ended(null, { endedAt: end, canceledAt: end }), ended(null, { subscriptionId: 'sub_2' })],
    ),
  );
  fc.assert(
    fc.property(records, records, (before, after) => {
      const [stored, derived] = [movementsOf(before, NOW), movementsOf(after, NOW)];
      const all = [...stored, ...missingMovements(derived, stored)];
      expect(without0(sumsOf(all))).toEqual(without0(sumsOf(derived)));
      expect(missingMovements(derived, all)).toEqual([]);
      // MRR is never below 0 and ends where its parts say.
      let sum = 0;
      for (const { amount } of derived.filter(isMrr)) {
        sum += amount;
        expect(sum).toBeGreaterThanOrEqual(0);
      }
      const counts = (movements: Movement[]): number =>
        missingCohortChanges(movements, []).reduce((active, change) => active + change.active, 0);
      expect(counts(derived)).toBe(sum > 0 ? 1 : 0);
    }),
  );
});
