// The period of the reports is one of the calendar, or chosen days; it ends today at the latest, so that it is compared with as many days.
// Periods of the calendar are drawn by month with the months before them, chosen days as they are. Rates of nothing are not known, which
// is null, and differs from 0.
import {
  COMPARISONS,
  type Comparison,
  type RetentionCohort,
  type RevenueFigures,
  type RevenueKind,
  type RevenueStep,
} from '@shortlist/contracts/api/revenue';
import { addDays, countDays, dayRange, type Days, monthStart } from '../../lib/days.rules.ts';

export const PERIODS = ['this_month', 'last_month', 'last_3_months', 'this_year', 'custom'] as const;
export type Period = (typeof PERIODS)[number];

export const DEFAULT_PERIOD: Period = 'this_month';
export const DEFAULT_COMPARISON: Comparison = 'previous';

/** `currency`: undefined for the one of the price. */
export type Choice = { period: Period; days: Days; compare: Comparison; currency: string | undefined };

const chosenDays = (params: URLSearchParams, today: string): Days => {
  const { from, to = today } = dayRange(params.get('from'), params.get('to'));
  const last = to > today ? today : to;
  const first = from ?? monthStart(last);
  // Days that have not come have no figures.
  return first > last ? { from: monthStart(today), to: today } : { from: first, to: last };
};

const DAYS_OF: Record<Period, (params: URLSearchParams, today: string) => Days> = {
  this_month: (_, today) => ({ from: monthStart(today), to: today }),
  last_month: (_, today) => ({ from: monthStart(today, -1), to: addDays(monthStart(today), -1) }),
  last_3_months: (_, today) => ({ from: monthStart(today, -3), to: addDays(monthStart(today), -1) }),
  this_year: (_, today) => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
  custom: chosenDays,
};

const CURRENCY = /^[a-z]{3}$/;

/** What the parameters of an address choose. Those that mean nothing are as if they were not there. */
export const choiceIn = (params: URLSearchParams, today: string): Choice => {
  const period = PERIODS.find((known) => known === params.get('period')) ?? DEFAULT_PERIOD;
  const currency = params.get('currency') ?? '';
  return {
    period,
    days: DAYS_OF[period](params, today),
    compare: COMPARISONS.find((known) => known === params.get('compare')) ?? DEFAULT_COMPARISON,
    currency: CURRENCY.test(currency) ? currency : undefined,
  };
};

const DAYS_BY_DAY = 31;
const DAYS_BY_WEEK = 14 * 7;
const MONTHS_DRAWN = 12;

const stepOf = ({ period, days }: Choice): RevenueStep => {
  if (period !== 'custom') return 'month';
  const length = countDays(days);
  if (length <= DAYS_BY_DAY) return 'day';
  return length <= DAYS_BY_WEEK ? 'week' : 'month';
};

/** The days that the chart draws, and the length of its bars. */
export const chartOf = (choice: Choice): Days & { step: RevenueStep } => {
  const { days } = choice;
  const step = stepOf(choice);
  const first = monthStart(days.to, 1 - MONTHS_DRAWN);
  return { from: step === 'month' && first < days.from ? first : days.from, to: days.to, step };
};

/** What the bars of one period draw, in minor units. `lost` is 0 or less. */
export type Movement = { gained: number; reactivated: number; lost: number; net: number };

export const movementOf = ({ sums }: Pick<RevenueFigures, 'sums'>): Movement => {
  const gained = sums.new.amount + sums.expansion.amount;
  const lost = sums.churned.amount + sums.contraction.amount;
  return { gained, reactivated: sums.reactivated.amount, lost, net: gained + sums.reactivated.amount + lost };
};

export const totalMovement = (movements: readonly Movement[]): Movement =>
  movements.reduce(
    (sum, { gained, reactivated, lost, net }) => ({
      gained: sum.gained + gained,
      reactivated: sum.reactivated + reactivated,
      lost: sum.lost + lost,
      net: sum.net + net,
    }),
    { gained: 0, reactivated: 0, lost: 0, net: 0 },
  );

export const FIRST_FIGURES = [
  'mrr',
  'net_new_mrr',
  'subscribers',
  'subscriber_churn',
  'arpu',
  'failed_renewal',
] as const;

export const MORE_FIGURES = [
  'new',
  'expansion',
  'contraction',
  'reactivated',
  'churned',
  'revenue_churn',
  'ltv',
  'recovered_renewal',
  'payment',
  'pack',
  'tax',
  'refund',
  'dispute',
  'fee',
  'cash',
] as const;

export type Figure = (typeof FIRST_FIGURES)[number] | (typeof MORE_FIGURES)[number];

const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

const arpuOf = ({ mrr, subscribers }: RevenueFigures): number | null => shareOf(mrr, subscribers);

const subscriberChurnOf = ({ sums, subscribersAtStart }: RevenueFigures): number | null =>
  shareOf(sums.churned.count, subscribersAtStart);

const lifetimeValueOf = (figures: RevenueFigures): number | null => {
  const arpu = arpuOf(figures);
  const churn = subscriberChurnOf(figures);
  return arpu === null || churn === null ? null : shareOf(arpu, churn);
};

const rounded = (amount: number | null): number | null => (amount === null ? null : Math.round(amount));

const amountOf =
  (kind: RevenueKind) =>
  ({ sums }: RevenueFigures): number =>
    sums[kind].amount;

const countOf =
  (kind: RevenueKind) =>
  ({ sums }: RevenueFigures): number =>
    sums[kind].count;

type Rule = { unit: 'money' | 'count' | 'rate'; valueOf: (figures: RevenueFigures) => number | null };

/** Money in minor units, a rate from 0 to 1; null for what is not known. */
export const FIGURES: Record<Figure, Rule> = {
  mrr: { unit: 'money', valueOf: ({ mrr }) => mrr },
  net_new_mrr: { unit: 'money', valueOf: (figures) => movementOf(figures).net },
  subscribers: { unit: 'count', valueOf: ({ subscribers }) => subscribers },
  subscriber_churn: { unit: 'rate', valueOf: subscriberChurnOf },
  arpu: { unit: 'money', valueOf: (figures) => rounded(arpuOf(figures)) },
  failed_renewal: { unit: 'count', valueOf: countOf('failed_renewal') },
  new: { unit: 'money', valueOf: amountOf('new') },
  expansion: { unit: 'money', valueOf: amountOf('expansion') },
  contraction: { unit: 'money', valueOf: amountOf('contraction') },
  reactivated: { unit: 'money', valueOf: amountOf('reactivated') },
  churned: { unit: 'money', valueOf: amountOf('churned') },
  // Not a negative zero, which would be shown with its sign.
  revenue_churn: {
    unit: 'rate',
    valueOf: (figures) => shareOf(0 - movementOf(figures).lost, figures.mrrAtStart),
  },
  ltv: { unit: 'money', valueOf: (figures) => rounded(lifetimeValueOf(figures)) },
  recovered_renewal: { unit: 'count', valueOf: countOf('recovered_renewal') },
  payment: { unit: 'money', valueOf: amountOf('payment') },
  pack: { unit: 'money', valueOf: amountOf('pack') },
  tax: { unit: 'money', valueOf: amountOf('tax') },
  refund: { unit: 'money', valueOf: amountOf('refund') },
  dispute: { unit: 'money', valueOf: amountOf('dispute') },
  fee: { unit: 'money', valueOf: amountOf('fee') },
  cash: {
    unit: 'money',
    valueOf: ({ sums: { payment, pack, refund, dispute, fee } }) =>
      payment.amount + pack.amount + refund.amount + dispute.amount + fee.amount,
  },
};

/** What the pages behind the figures list: those who pay now, or the entries of a kind. */
export type Listed = 'subscribers' | RevenueKind;

const LISTED: Record<Figure, Listed | null> = {
  mrr: 'subscribers',
  net_new_mrr: null,
  subscribers: 'subscribers',
  subscriber_churn: 'churned',
  arpu: null,
  failed_renewal: 'failed_renewal',
  new: 'new',
  expansion: 'expansion',
  contraction: 'contraction',
  reactivated: 'reactivated',
  churned: 'churned',
  revenue_churn: null,
  ltv: null,
  recovered_renewal: 'recovered_renewal',
  payment: 'payment',
  pack: 'pack',
  tax: 'tax',
  refund: 'refund',
  dispute: 'dispute',
  fee: 'fee',
  cash: null,
};

/** What is behind a figure; null where nothing is, and of those who pay now where the period has ended before. */
export const listedBehind = (figure: Figure, figures: RevenueFigures, isNow: boolean): Listed | null => {
  const listed = LISTED[figure];
  if (listed === null) return null;
  if (listed === 'subscribers') return isNow && figures.subscribers > 0 ? listed : null;
  const { amount, count } = figures.sums[listed];
  return amount !== 0 || count !== 0 ? listed : null;
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Of all cohorts together, the share that was active in each month after the first: of those who have come to it. */
export const retentionOfAll = (cohorts: readonly RetentionCohort[]): (number | null)[] => {
  const length = Math.max(0, ...cohorts.map(({ active }) => active.length));
  return Array.from({ length }, (_, month) => {
    const reached = cohorts.filter(({ active }) => active.length > month);
    const active = sumOf(reached.map((cohort) => cohort.active[month] ?? 0));
    return shareOf(active, sumOf(reached.map(({ people }) => people)));
  });
};
