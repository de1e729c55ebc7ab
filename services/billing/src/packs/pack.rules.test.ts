import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DisputeSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { paidStateOf } from './pack.rules.ts';

type Pack = Parameters<typeof paidStateOf>[0];

const packOf = (amount: number, refunds: number[] = [], credits = 250): Pack =>
  ({
    id: 'in_1',
    credits,
    amount,
    refunds: refunds.map((refund) => ({ amount: refund })) as InvoiceSnapshot['refunds'],
  }) as Pack; // the fields that the rules read
const disputed = (...statuses: string[]) => ({
  disputes: statuses.map((status) => ({ invoiceId: 'in_1', status }) as DisputeSnapshot),
});
const NO_DISPUTE = disputed();

describe('F14 a paid pack of 250 credits for $19.00', () => {
  it.each<[string, number[], number, string]>([
    ['counts in full', [], 250, 'paid'],
    ['keeps 184 after a refund of $5.00', [500], 184, 'partly_refunded'],
    ['keeps 1 while $0.08 are left', [1_892], 1, 'partly_refunded'],
    ['keeps none while less than the price of a credit is left', [1_893], 0, 'partly_refunded'],
    ['keeps none after refunds of all', [1_000, 900], 0, 'refunded'],
  ])('%s', (...[, refunds, paidCredits, state]) => {
    expect(paidStateOf(packOf(1_900, refunds), NO_DISPUTE)).toEqual({ paidCredits, state });
  });

  it.each(['needs_response', 'under_review', 'lost', 'appeal_needs_response', 'appeal_under_review'])(
    'keeps none while a dispute is %s, also after a refund',
    (status) => {
      const none = { paidCredits: 0, state: 'disputed' };
      expect(paidStateOf(packOf(1_900), disputed(status))).toEqual(none);
      expect(paidStateOf(packOf(1_900, [500]), disputed('won', status))).toEqual(none);
    },
  );

  it.each(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])(
    'counts as before while a dispute is %s',
    (status) => {
      expect(paidStateOf(packOf(1_900), disputed(status)).paidCredits).toBe(250);
      expect(paidStateOf(packOf(1_900, [500]), disputed(status)).paidCredits).toBe(184);
    },
  );

  it('is not touched by the dispute of another payment', () => {
    const { disputes } = disputed('lost');
    const other = { disputes: disputes.map((dispute) => ({ ...dispute, invoiceId: 'in_2' })) };
    expect(paidStateOf(packOf(1_900), other).state).toBe('paid');
  });
});

it('a free pack counts in full', () => {
  expect(paidStateOf(packOf(0), NO_DISPUTE)).toEqual({ paidCredits: 250, state: 'paid' });
});

const positive = (max: number) => fc.integer({ min: 1, max });

it('never gives more credits than the kept money pays for, nor a whole credit too few', () => {
  fc.assert(
    fc.property(
      positive(1_000_000),
      positive(1_000_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (amount, credits, part) => {
        const refund = Math.round(amount * part);
        const { paidCredits } = paidStateOf(
          packOf(amount, refund === 0 ? [] : [refund], credits),
          NO_DISPUTE,
        );
        const kept = amount - refund;
        expect(paidCredits * amount).toBeLessThanOrEqual(credits * kept);
        expect((paidCredits + 1) * amount).toBeGreaterThan(credits * kept);
      },
    ),
  );
});

it('a further refund never gives credits back', () => {
  fc.assert(
    fc.property(positive(100_000), fc.array(positive(10_000), { maxLength: 6 }), (amount, refunds) => {
      const left = refunds.map(
        (_, index) => paidStateOf(packOf(amount, refunds.slice(0, index)), NO_DISPUTE).paidCredits,
      );
      expect(left).toEqual(left.toSorted((one, other) => other - one));
    }),
  );
});
