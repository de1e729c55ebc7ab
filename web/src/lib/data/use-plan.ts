import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { useEffect } from 'react';
import { days, seconds } from '@shortlist/contracts/durations';
import { now } from '../clock.ts';
import { useAppSelector } from '../state/hooks.tsx';
import { type DisplayedState, STATES, subscriptionState } from '../subscription.rules.ts';
import { revalidate } from './live-updates.ts';
import { clearPendingPayment, usePaymentPending } from './pending-payment.ts';
import { useQuery } from './use-query.ts';
import { useUser } from './use-user.ts';

const POLL_MS = 3_000;

export const useSubscription = (options: { refreshInterval?: number } = {}) =>
  useQuery('subscription', publicEndpoints.subscription, {}, options);

export const useCredits = () => useQuery('credits', publicEndpoints.credits, {});

type Known = {
  view: SubscriptionView | undefined;
  plan: 'premium' | 'free' | undefined;
  isPending: boolean;
  hasFailed: boolean;
};

const displayedState = ({ view, plan, isPending, hasFailed }: Known): DisplayedState => {
  if (isPending && (view?.plan ?? plan) === 'free') return 'confirming';
  if (view !== undefined) return subscriptionState(view);
  return plan === undefined || !hasFailed ? 'unknown' : plan;
};

/**
 * The user's subscription as every screen shows it: its state, and the label of the plan, which is known earlier. A recent payment is
 * shown as being confirmed instead of as free. Without a view, billing has not responded yet, or has failed.
 */
export const usePlan = () => {
  const userId = useAppSelector((state) => state.endUserAuth.endUserInfo?.id ?? null);
  const isPending = usePaymentPending(userId);
  const options = { refreshInterval: isPending ? POLL_MS : 0 };
  const query = useUser(options);
  const { data: view, error } = useSubscription(options);
  const { data: user } = query;
  const state = displayedState({ view, plan: user?.plan, isPending, hasFailed: error !== undefined });
  const plan = state === 'unknown' ? (user?.plan ?? null) : STATES[state].plan;
  useEffect(() => {
    if (plan === 'premium' && isPending && userId !== null) clearPendingPayment(userId);
  }, [plan, isPending, userId]);
  return { state, plan, view, user, query };
};

/** A timer of a browser overflows beyond 2^31 ms. */
const LONGEST_MS = days(24);

/** When the plan that a page shows ends or renews by time. */
const nextChange = ({ periodEnd, premiumUntil }: SubscriptionView): number =>
  Math.min(...[periodEnd, premiumUntil].map((end) => (end === null ? Infinity : Date.parse(end))));

/** Reads the plan again just after its end, which may come while the page is open: nobody has to change anything for it. */
export const usePlanEnd = (): void => {
  const { data: view } = useSubscription();
  const end = view?.plan === 'premium' ? nextChange(view) : Infinity;
  useEffect(() => {
    const wait = end - now() + seconds(1);
    if (wait < 0 || wait > LONGEST_MS) return undefined;
    const timer = setTimeout(() => void revalidate(['subscription']), wait);
    return () => clearTimeout(timer);
  }, [end]);
};
