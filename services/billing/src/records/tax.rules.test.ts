import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paidTax, withTax } from './tax.rules.ts';

const at = (second: number): Date => new Date(second * 1_000);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

describe('the tax in a payment', () => {
  it.each([
    ['all of it when all was paid by money', { amount: 6_372, tax: 472, total: 6_372 }, 472],
    ['its share when a balance paid the rest', { amount: 3_186, tax: 472, total: 6_372 }, 236],
    ['rounded half up', { amount: 1, tax: 1, total: 2 }, 1],
    ['none when nothing was paid', { amount: 0, tax: 472, total: 6_372 }, 0],
    ['none of an invoice of 0', { amount: 0, tax: 0, total: 0 }, 0],
  ])('is %s', (_, invoice, tax) => {
    expect(paidTax(invoice)).toBe(tax);
  });
});

/** A refund follows the one before by `wait` seconds, takes a share of what is left, and may fail `failsAfter` seconds later. */
const step = fc.record({
  wait: fc.integer({ min: 0, max: 5 }),
  share: fc.integer({ min: 1, max: 100 }),
  failsAfter: fc.option(fc.integer({ min: 0, max: 20 }), { freq: 2 }),
});
const invoice = fc
  .record({
    total: fc.integer({ min: 1, max: 100_000 }),
    paid: fc.integer({ min: 1, max: 100 }),
    rate: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ total, paid, rate }) => ({
    total,
    amount: Math.max(1, Math.floor((total * paid) / 100)),
    tax: Math.round((total * rate) / (100 + rate)),
  }));

type Refund = { refundId: string; amount: number; createdAt: Date; failedAt: Date | null };

const notFailedAt = <R extends Refund>(refunds: R[], time: Date): R[] =>
  refunds.filter(({ createdAt, failedAt }) => createdAt <= time && (failedAt === null || failedAt > time));

/** Refunds as Stripe allows them: never more than is left. The last one takes the rest. */
const refundsOf = (amount: number, steps: { wait: number; share: number; failsAfter: number | null }[]) => {
  const refunds: Refund[] = [];
  let second = 0;
  const add = (part: number, failsAfter: number | null): void => {
    const createdAt = at(second);
    const left = amount - sum(notFailedAt(refunds, createdAt).map((one) => one.amount));
    const taken = Math.ceil((left * part) / 100);
    if (taken === 0) return;
    const failedAt = failsAfter === null ? null : at(second + failsAfter);
    refunds.push({ refundId: `re_${refunds.length + 100}`, amount: taken, createdAt, failedAt });
  };
  for (const { wait, share, failsAfter } of steps) {
    second += wait;
    add(share, failsAfter);
  }
  second += 100;
  add(100, null);
  return refunds;
};

describe('the tax in refunds', () => {
  it('adds up to that of the payment exactly, whatever was refunded and failed in between', () => {
    fc.assert(
      fc.property(invoice, fc.array(step, { maxLength: 8 }), (invoiced, steps) => {
        const refunds = refundsOf(invoiced.amount, steps);
        const taxed = withTax(refunds.toReversed(), invoiced);
        const notFailed = notFailedAt(taxed, at(10_000));
        expect(sum(notFailed.map(({ amount }) => amount))).toBe(invoiced.amount);
        expect(sum(notFailed.map(({ tax }) => tax))).toBe(paidTax(invoiced));
      }),
      { numRuns: 1_000 },
    );
  });

  it('never changes because of later events, so a closed month keeps its sum', () => {
    fc.assert(
      fc.property(invoice, fc.array(step, { minLength: 1, maxLength: 8 }), (invoiced, steps) => {
        const refunds = refundsOf(invoiced.amount, steps);
        const [first] = refunds;
        const earlier = refunds.slice(0, -1).map((one) => ({
          ...one,
          failedAt:
            one.failedAt !== null && one.failedAt <= (refunds.at(-2)?.createdAt ?? at(0))
              ? one.failedAt
              : null,
        }));
        expect(first).toBeDefined();
        const before = withTax(earlier, invoiced).map(({ tax }) => tax);
        expect(
          withTax(refunds, invoiced)
            .map(({ tax }) => tax)
            .slice(0, before.length),
        ).toEqual(before);
      }),
    );
  });

  it('is the share of each', () => {
    const refund = (refundId: string, second: number) => ({
      refundId,
      amount: 100,
      createdAt: at(second),
      failedAt: null,
    });
    const refunds = [refund('re_1', 1), refund('re_2', 2), refund('re_3', 3)];
    const taxes = withTax(refunds, { amount: 300, tax: 50, total: 300 }).map(({ tax }) => tax);
    expect(taxes).toEqual([17, 16, 17]);
  });
});
