import type { RevenueFigures, RevenueView } from '@shortlist/contracts/api/revenue';
import { count, percent, signedMoney } from '../../lib/money.ts';
import { revenueText } from '../../messages/revenue.ts';
import { type Figure, FIGURES, movementOf } from './revenue.rules.ts';

const formatted = (figure: Figure, value: number, currency: string): string => {
  const { unit } = FIGURES[figure];
  if (unit === 'money') return signedMoney(value, currency);
  return unit === 'rate' ? percent(value, 1) : count(value);
};

/** A figure that is not known is not 0. */
export const valueText = (figure: Figure, figures: RevenueFigures, currency: string): string => {
  const value = FIGURES[figure].valueOf(figures);
  return value === null ? revenueText('unknown') : formatted(figure, value, currency);
};

const COUNTED = {
  new: 'countedSubscribers',
  expansion: 'countedSubscribers',
  contraction: 'countedSubscribers',
  reactivated: 'countedSubscribers',
  churned: 'countedSubscribers',
  payment: 'countedPayments',
  pack: 'countedPacks',
  refund: 'countedRefunds',
  dispute: 'countedDisputes',
} as const;

const isCounted = (figure: Figure): figure is keyof typeof COUNTED => figure in COUNTED;

/** Why a figure is not known. */
const UNKNOWN: Partial<Record<Figure, string>> = {
  subscriber_churn: revenueText('noSubscribersAtStart'),
  revenue_churn: revenueText('noMrrAtStart'),
  arpu: revenueText('noSubscribers'),
  ltv: revenueText('noChurn'),
};

/** What a figure is made of. */
const noteOf = (figure: Figure, figures: RevenueFigures, currency: string): string | undefined => {
  if (FIGURES[figure].valueOf(figures) === null) return UNKNOWN[figure];
  const { sums, subscribersAtStart, mrrAtStart } = figures;
  if (figure === 'subscriber_churn')
    return revenueText('someOf', { some: sums.churned.count, all: subscribersAtStart });
  if (figure === 'revenue_churn')
    return revenueText('ofMrr', {
      lost: signedMoney(0 - movementOf(figures).lost, currency),
      start: signedMoney(mrrAtStart, currency),
    });
  if (figure === 'failed_renewal' || figure === 'recovered_renewal')
    return sums[figure].count === 0 ? undefined : signedMoney(sums[figure].amount, currency);
  return isCounted(figure) ? revenueText(COUNTED[figure], { count: sums[figure].count }) : undefined;
};

type Values = { now: number | null; then: number | null };

/** A difference is said where both are 0 or more: more of what is negative would mean less. */
const comparisonText = (figure: Figure, { now, then }: Values, currency: string): string | undefined => {
  if (then === null) return now === null ? undefined : revenueText('wasUnknown');
  if (now === then) return revenueText('same');
  const { unit } = FIGURES[figure];
  if (now === null || unit === 'rate' || then < 0 || now < 0)
    return revenueText('was', { value: formatted(figure, then, currency) });
  const difference = formatted(figure, Math.abs(now - then), currency);
  if (now > then) return revenueText('more', { difference });
  return revenueText(unit === 'count' ? 'fewer' : 'less', { difference });
};

export type Direction = 'up' | 'down' | null;

const directionOf = ({ now, then }: Values): Direction => {
  if (now === null || then === null || now === then) return null;
  return now > then ? 'up' : 'down';
};

/** What stands below a figure: what it is made of, and how it differs from the period before. */
export const changeOf = (figure: Figure, view: RevenueView): { text: string; direction: Direction } => {
  const { current, before, currency } = view;
  const { valueOf } = FIGURES[figure];
  const note = noteOf(figure, current, currency);
  if (before === null) return { text: note ?? '', direction: null };
  const values = { now: valueOf(current), then: valueOf(before) };
  const texts = [note, comparisonText(figure, values, currency)].filter((text) => text !== undefined);
  return { text: texts.join(', '), direction: directionOf(values) };
};
