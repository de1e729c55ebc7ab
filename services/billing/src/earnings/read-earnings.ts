import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/billing';
import type { Tx } from '@shortlist/kit/data/db';
import { addUp, bucketsOf, inCurrency, inOtherCurrencies } from './earnings.rules.ts';
import { countUnknownFees, sumMovements } from './queries.ts';

type Query = { period: EarningsPeriod; timeZone: string; currency: string; now: Date };

/**
 * Earnings are paid invoices without their tax; expenses are Stripe's fees, refunds without their tax, and disputes. Each is booked on the day
 * on which Stripe's balance changed. The totals are the sums of the buckets.
 */
export const readEarnings = async (
  tx: Tx,
  { period, timeZone, currency, now }: Query,
): Promise<EarningsView> => {
  const buckets = bucketsOf(period, { now, timeZone });
  const [sums, unknownFees] = await Promise.all([sumMovements(tx, buckets), countUnknownFees(tx, buckets)]);
  const shown = inCurrency(sums, currency, buckets.starts.length);
  return {
    currency,
    from: (buckets.starts[0] ?? now).toISOString(),
    to: buckets.end.toISOString(),
    buckets: buckets.starts.map((start, index) => ({
      start: start.toISOString(),
      ...addUp(shown.slice(index, index + 1)),
    })),
    ...addUp(shown),
    others: inOtherCurrencies(sums, currency),
    unknownFees,
  };
};
