import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/public';
import { longDate } from './dates.ts';
import { money } from './money.ts';

/** What a user reads about a problem: what happened, and what to do next. */
export type ProblemText = { title: string; next: string };

type Kind = PaymentProblem['kind'];

const TITLES: Record<Kind, string> = {
  past_due: 'Your renewal could not be collected.',
  authentication: 'Your bank needs you to confirm your payment.',
  processing: 'Your bank is still confirming your payment.',
  incomplete: 'Your first payment did not go through.',
  paused: 'Your subscription is paused.',
};

const NEXT: Record<Kind, string> = {
  past_due: 'Pay it to get your plan back. You need not subscribe again.',
  authentication: 'Confirm it to get your plan back. You need not subscribe again.',
  processing:
    'This can take a few days. You need not pay again; your plan starts as soon as it is confirmed.',
  incomplete: 'You have not been charged. You can try again.',
  paused: 'Nothing is charged until you resume it in the billing portal.',
};

/** The next step of a user whose plan is paid or granted for longer. */
const WITH_PLAN: Partial<Record<Kind, string>> = {
  past_due: 'Pay it to continue your subscription.',
  authentication: 'Confirm it to continue your subscription.',
  processing: 'This can take a few days. You need not pay again.',
};

/** The next step of a user whose plan continues until the end of its grace. */
const IN_GRACE: Partial<Record<Kind, string>> = {
  past_due: 'unless it is paid.',
  authentication: 'unless you confirm it.',
};

const nextStep = (kind: Kind, { plan, graceUntil }: SubscriptionView): string => {
  const condition = IN_GRACE[kind];
  if (graceUntil !== null && condition !== undefined)
    return `Your plan ends on ${longDate(graceUntil)} ${condition}`;
  return (plan === 'premium' ? WITH_PLAN[kind] : undefined) ?? NEXT[kind];
};

export const problemText = ({ kind }: PaymentProblem, subscription: SubscriptionView): ProblemText => ({
  title: TITLES[kind],
  next: nextStep(kind, subscription),
});

/** Whether the user can do something about the problem outside these pages. */
export const isActionable = ({ kind }: PaymentProblem): boolean =>
  kind === 'past_due' || kind === 'authentication' || kind === 'paused';

/** Whether a user may open a new checkout: a first payment that failed is made again. */
export const canBuy = (problem: PaymentProblem | null): boolean =>
  problem === null || problem.kind === 'incomplete';

/** The label of the link to the page of the open invoice. */
export const payLabel = ({ kind, amount, currency }: PaymentProblem): string => {
  if (kind === 'authentication') return 'Confirm your payment';
  return amount === null || currency === null ? 'Pay your invoice' : `Pay ${money(amount, currency)}`;
};
