import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import { problemTexts } from '../messages/payment-problem.ts';
import { longDate } from './dates.ts';
import { money } from './money.ts';

/** What a user reads about a problem: what happened, and what to do next. */
export type ProblemText = { title: string; next: string };

type Kind = PaymentProblem['kind'];

/** The kinds whose next step differs while the user has a plan, and while the plan continues until the end of its grace. */
const WITH_PLAN = ['past_due', 'authentication', 'processing'] as const;
const IN_GRACE = ['past_due', 'authentication'] as const;

const nextStep = (kind: Kind, { plan, graceUntil }: SubscriptionView): string => {
  const inGrace = IN_GRACE.find((one) => one === kind);
  if (graceUntil !== null && inGrace !== undefined)
    return problemTexts(`${inGrace}_in_grace`, { date: longDate(graceUntil) });
  const withPlan = plan === 'premium' ? WITH_PLAN.find((one) => one === kind) : undefined;
  return withPlan === undefined ? problemTexts(`${kind}_next`) : problemTexts(`${withPlan}_with_plan`);
};

export const problemText = ({ kind }: PaymentProblem, subscription: SubscriptionView): ProblemText => ({
  title: problemTexts(kind),
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
  if (kind === 'authentication') return problemTexts('confirmPayment');
  return amount === null || currency === null
    ? problemTexts('payInvoice')
    : problemTexts('pay', { amount: money(amount, currency) });
};
