import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/data/db';
import { bucketsOf } from './period.rules.ts';
import { sumFees, sumPaid, sumRefunds } from './queries.ts';

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

type Query = { period: EarningsPeriod; timeZone: string; currency: string; now: Date };

/** Earnings are paid invoices; expenses are Stripe's fees and refunds. The totals are the sums of the buckets. */
export const readEarnings = async (
  tx: Tx,
  { period, timeZone, currency, now }: Query,
): Promise<EarningsView> => {
  const buckets = bucketsOf(period, { now, timeZone });
  const [paid, fees, refunds] = await Promise.all([
    sumPaid(tx, { ...buckets, currency }),
    sumFees(tx, { ...buckets, currency }),
    sumRefunds(tx, { ...buckets, currency }),
  ]);
  const expenses = fees.map((fee, index) => fee + (refunds[index] ?? 0));
  return {
    currency,
    from: (buckets.starts[0] ?? now).toISOString(),
    to: buckets.end.toISOString(),
    buckets: buckets.starts.map((start, index) => ({
      start: start.toISOString(),
      earnings: paid[index] ?? 0,
      expenses: expenses[index] ?? 0,
    })),
    earnings: sum(paid),
    expenses: sum(expenses),
  };
};
