import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/admin-views';
import type { Tx } from '@shortlist/kit/data/db';
import { bucketsOf, inCurrency, inOtherCurrencies } from './earnings.rules.ts';
import { countUnknownFees, sumDisputes, sumFees, sumPaid, sumRefunds } from './queries.ts';

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

type Query = { period: EarningsPeriod; timeZone: string; currency: string; now: Date };

/** Earnings are paid invoices; expenses are Stripe's fees, refunds and disputes. The totals are the sums of the buckets. */
export const readEarnings = async (
  tx: Tx,
  { period, timeZone, currency, now }: Query,
): Promise<EarningsView> => {
  const buckets = bucketsOf(period, { now, timeZone });
  const [earnings, unknownFees, ...costs] = await Promise.all([
    sumPaid(tx, buckets),
    countUnknownFees(tx, buckets),
    sumFees(tx, buckets),
    sumRefunds(tx, buckets),
    sumDisputes(tx, buckets),
  ]);
  const expenses = costs.flat();
  const paid = inCurrency(earnings, currency, buckets.starts.length);
  const spent = inCurrency(expenses, currency, buckets.starts.length);
  return {
    currency,
    from: (buckets.starts[0] ?? now).toISOString(),
    to: buckets.end.toISOString(),
    buckets: buckets.starts.map((start, index) => ({
      start: start.toISOString(),
      earnings: paid[index] ?? 0,
      expenses: spent[index] ?? 0,
    })),
    earnings: sum(paid),
    expenses: sum(spent),
    others: inOtherCurrencies({ earnings, expenses }, currency),
    unknownFees,
  };
};
