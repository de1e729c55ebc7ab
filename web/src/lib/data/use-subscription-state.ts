import { type DisplayedState, subscriptionState } from '../subscription.rules.ts';
import { usePlan } from './use-plan.ts';

const displayedState = ({
  plan,
  isConfirming,
  view,
  hasFailed,
}: ReturnType<typeof usePlan>): DisplayedState => {
  if (isConfirming) return 'confirming';
  if (view !== undefined) return subscriptionState(view);
  return plan !== null && hasFailed ? plan : 'unknown';
};

/** The plan with the state of its subscription, as every screen shows it. The frame of the page does without, since it loads first. */
export const useSubscriptionState = () => {
  const known = usePlan();
  return { ...known, state: displayedState(known) };
};
