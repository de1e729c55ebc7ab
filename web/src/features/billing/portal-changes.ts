// What a user has changed at Stripe: the plan before the portal was opened, compared with the one after the return.
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { shortDay } from '../../lib/dates.ts';
import { billingText } from '../../messages/billing.ts';

type Card = NonNullable<SubscriptionView['card']>;

export const cardText = ({ brand, last4 }: Card): string => billingText('cardEnding', { brand, last4 });

/** What is kept of the plan while the user is at Stripe. */
export type PlanBefore = Pick<SubscriptionView, 'plan' | 'renews'> & { card: string; hasProblem: boolean };

const nameOf = (card: SubscriptionView['card']): string => (card ? cardText(card) : '');

export const planBefore = ({ plan, renews, card, problem }: SubscriptionView): PlanBefore => ({
  plan,
  renews,
  card: nameOf(card),
  hasProblem: problem !== null,
});

const renewalChange = (before: PlanBefore, view: SubscriptionView): string | null => {
  if (before.renews === view.renews) return null;
  if (view.renews) return billingText('returnResumed', { day: shortDay(view.periodEnd ?? '') });
  return billingText('returnCanceled', { day: shortDay(view.premiumUntil ?? '') });
};

/** One sentence for each change; one that says so without any. */
export const changesAtStripe = (before: PlanBefore, view: SubscriptionView): string[] => {
  const changes: string[] = [];
  const hasPaid = before.hasProblem && view.problem === null && view.plan === 'premium';
  if (hasPaid) changes.push(billingText('returnPaid'));
  if (view.plan === 'premium') changes.push(...[renewalChange(before, view)].filter((text) => text !== null));
  else if (before.plan === 'premium') changes.push(billingText('returnEnded'));
  const card = nameOf(view.card);
  if (card !== '' && before.card !== '' && card !== before.card)
    changes.push(billingText('returnCard', { card }));
  return changes.length === 0 ? [billingText('returnNothing')] : changes;
};
