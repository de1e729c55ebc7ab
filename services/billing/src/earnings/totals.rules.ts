// Sums of different currencies are never added. The view shows the buckets of one currency; each other currency in which money
// moved has totals of its own. A fee in another currency than its payment, after a conversion by Stripe, is such a row.
import type { BucketSum } from './queries.ts';

type OtherTotals = { currency: string; earnings: number; expenses: number };

const sum = (rows: BucketSum[]): number => rows.reduce((total, row) => total + row.total, 0);

/** The sums of one currency by bucket; 0 for a bucket without rows. */
export const inCurrency = (rows: BucketSum[], currency: string, buckets: number): number[] =>
  Array.from({ length: buckets }, (_, index) =>
    sum(rows.filter((row) => row.currency === currency && row.bucket === index)),
  );

/** The totals of every other currency, by its code. */
export const inOtherCurrencies = (
  { earnings, expenses }: { earnings: BucketSum[]; expenses: BucketSum[] },
  currency: string,
): OtherTotals[] => {
  const codes = new Set([...earnings, ...expenses].map((row) => row.currency));
  codes.delete(currency);
  return [...codes]
    .toSorted()
    .map((code) => ({
      currency: code,
      earnings: sum(earnings.filter((row) => row.currency === code)),
      expenses: sum(expenses.filter((row) => row.currency === code)),
    }))
    .filter((totals) => totals.earnings !== 0 || totals.expenses !== 0);
};
