import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import { PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import { stateText } from '../messages/subscription.ts';
import { shortTime, shortDay } from './dates.ts';
import { money } from './money.ts';
import { isTrial, type StateKey } from './subscription.rules.ts';

/** The amount that a text of a state is about; empty without one. */
export const amountOf = (key: StateKey, view: SubscriptionView | undefined): string => {
  if (view === undefined) return '';
  const due = key === 'lastInvoice' ? view.lastPayment : view.problem;
  return due === null || due.amount === null || due.currency === null ? '' : money(due.amount, due.currency);
};

/** The texts about the end of the paid period, which a grant may outlast. */
const OF_PERIOD = new Set<StateKey>(['renewsOn', 'creditsOnDay']);

/** The texts about the end of a subscription that renews until then. */
const OF_SUBSCRIPTION = new Set<StateKey>(['renewsUntil', 'active_until']);

const endOf = (key: StateKey, { renewsUntil, periodEnd, premiumUntil }: SubscriptionView): string | null => {
  if (OF_SUBSCRIPTION.has(key)) return renewsUntil;
  return OF_PERIOD.has(key) ? periodEnd : premiumUntil;
};

/** The text of a plan in its trial, or of one that is paid by the year, where that differs. */
const keyFor = (key: StateKey, view: SubscriptionView | undefined): StateKey => {
  if (view === undefined) return key;
  if (isTrial(view) && key in OF_TRIAL) return OF_TRIAL[key as keyof typeof OF_TRIAL];
  return key === 'active' && view.interval === 'year' ? 'activeYear' : key;
};

const OF_TRIAL = { active: 'trial', canceled: 'trialCanceled', renewsOn: 'trialUntil' } as const;

/**
 * When Premium credits that are used up come back. Those of a year or a long grant come each month, which is before the end of the plan's period,
 * also while a payment for the time after the grant waits; `nextAt`: the end of the credits' own.
 */
export const creditsTextOf = (
  key: StateKey | null,
  view: SubscriptionView | undefined,
  nextAt: string | null,
): string => {
  const end = view?.periodEnd ?? null;
  const hasMonths =
    key !== null && view?.plan === 'premium' && (view.interval === 'year' || view.continuation !== 'renews');
  return hasMonths && nextAt !== null && end !== null && nextAt < end
    ? textOf('creditsOnDay', { ...view, periodEnd: nextAt })
    : textOf(key, view);
};

/** A text of a state; empty without a key. A plan without an end has no text that names one. */
export const textOf = (key: StateKey | null, view: SubscriptionView | undefined): string => {
  if (key === null) return '';
  const end = view === undefined ? null : endOf(key, view);
  const [date, day] = end === null ? ['', ''] : [shortTime(end), shortDay(end)];
  const resumesAt = view?.problem?.resumesAt ?? null;
  const resumes = resumesAt === null ? '' : shortTime(resumesAt);
  return stateText(keyFor(key, view), {
    date,
    day,
    resumes,
    amount: amountOf(key, view),
    limit: PREMIUM_CREDITS,
  });
};

/** The label of the link to the page of the open invoice. */
export const payLabel = ({ kind, amount, currency }: PaymentProblem): string => {
  if (kind === 'authentication') return stateText('confirmPayment');
  return amount === null || currency === null
    ? stateText('payInvoice')
    : stateText('pay', { amount: money(amount, currency) });
};
