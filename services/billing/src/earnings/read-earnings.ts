import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/public';
import { CURRENCY } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { bucketsOf } from './period.rules.ts';
import { sumFees, sumPaid, sumRefunds } from './queries.ts';

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Earnings are paid invoices; expenses are Stripe's fees and refunds. The totals are the sums of the buckets. */
export const readEarnings = async (
  tx: Tx,
  { period, timeZone, now }: { period: EarningsPeriod; timeZone: string; now: Date },
): Promise<EarningsView> => {
  const buckets = bucketsOf(period, { now, timeZone });
  const [paid, fees, refunds] = await Promise.all([
    sumPaid(tx, buckets),
    sumFees(tx, buckets),
    sumRefunds(tx, buckets),
  ]);
  const expenses = fees.map((fee, index) => fee + (refunds[index] ?? 0));
  return {
    currency: CURRENCY,
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
