import {
  type Comparison,
  MRR_KINDS,
  REVENUE_KINDS,
  type RevenueFigures,
  type RevenueRange,
  type RevenueSeries,
  type RevenueStep,
  type RevenueView,
} from '@shortlist/contracts/api/revenue';
import { REVENUE_PERIODS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { boundariesOf, comparedWith, type DayRange, lengthOf } from './period.rules.ts';
import { listCurrencies, type PeriodSum, sumPeriods } from './report-queries.ts';

const SUBSCRIBERS = { new: 1, reactivated: 1, churned: -1, expansion: 0, contraction: 0 } as const;

const sumsOf = (rows: readonly PeriodSum[]): RevenueFigures['sums'] => {
  const sumOf = (kind: PeriodSum['kind']) => {
    const found = rows.filter((row) => row.kind === kind);
    return {
      amount: found.reduce((sum, { amount }) => sum + amount, 0),
      count: found.reduce((sum, { count }) => sum + count, 0),
    };
  };
  return Object.fromEntries(REVENUE_KINDS.map((kind) => [kind, sumOf(kind)])) as RevenueFigures['sums'];
};

const mrrOf = (sums: RevenueFigures['sums']): number =>
  MRR_KINDS.reduce((mrr, kind) => mrr + sums[kind].amount, 0);

const subscribersOf = (sums: RevenueFigures['sums']): number =>
  MRR_KINDS.reduce((count, kind) => count + SUBSCRIBERS[kind] * sums[kind].count, 0);

const readPeriods = async (
  tx: Tx,
  currency: string,
  boundaries: readonly Date[],
): Promise<RevenueFigures[]> => {
  const rows = Map.groupBy(await sumPeriods(tx, currency, boundaries), ({ period }) => period);
  const earlier = sumsOf(rows.get(-1) ?? []);
  let [mrr, subscribers] = [mrrOf(earlier), subscribersOf(earlier)];
  return boundaries.slice(1).map((to, index) => {
    const sums = sumsOf(rows.get(index) ?? []);
    const [mrrAtStart, subscribersAtStart] = [mrr, subscribers];
    mrr += mrrOf(sums);
    subscribers += subscribersOf(sums);
    const span = { from: (boundaries[index] ?? to).toISOString(), to: to.toISOString() };
    return { ...span, mrrAtStart, mrr, subscribersAtStart, subscribers, sums };
  });
};

/** The instants at which the steps of a range begin and end. Throws `billing.range_reversed` and `billing.range_too_long`. */
const instantsOf = ({ from, to, timeZone = 'UTC' }: RevenueRange, step: RevenueStep | 'range'): Date[] => {
  if (lengthOf({ from, to }) < 1) throw createError('billing.range_reversed');
  const boundaries = boundariesOf({ from, to }, { step, timeZone, max: REVENUE_PERIODS_MAX });
  if (boundaries.length > REVENUE_PERIODS_MAX + 1) throw createError('billing.range_too_long');
  return boundaries;
};

/** The beginning and the end of a range. */
export const spanOf = (range: RevenueRange): [from: Date, to: Date] =>
  instantsOf(range, 'range') as [Date, Date];

type Input = RevenueRange & { currency: string };

const readRange = async (tx: Tx, input: Input, range: DayRange): Promise<RevenueFigures> => {
  const [figures] = await readPeriods(tx, input.currency, spanOf({ ...input, ...range }));
  return figures as RevenueFigures; // of the one period between two instants
};

/** The figures of a range of days, and of the range with which it is compared. */
export const readRevenue = async (
  tx: Tx,
  { compare, ...input }: Input & { compare: Comparison },
): Promise<RevenueView> => {
  const other = comparedWith(input, compare);
  return {
    currency: input.currency,
    currencies: await listCurrencies(tx),
    current: await readRange(tx, input, input),
    days: lengthOf(input),
    before: other && (await readRange(tx, input, other)),
    daysBefore: other && lengthOf(other),
  };
};

/** The figures of each step of a range. */
export const readSeries = async (
  tx: Tx,
  { step, ...input }: Input & { step: RevenueStep },
): Promise<RevenueSeries> => ({
  currency: input.currency,
  periods: await readPeriods(tx, input.currency, instantsOf(input, step)),
});
