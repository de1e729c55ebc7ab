import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { useEffect } from 'react';
import { useAppSelector } from '../state/hooks.tsx';
import { clearPendingPayment, usePaymentPending } from './pending-payment.ts';
import { useQuery } from './use-query.ts';
import { useUser } from './use-user.ts';

export const useSubscription = () => useQuery('subscription', publicEndpoints.subscription, {});

/** What rendering a value of the subscription needs. */
export type SubscriptionQuery = Pick<ReturnType<typeof useSubscription>, 'data' | 'error'>;

export const useCredits = () => useQuery('credits', publicEndpoints.credits, {});

const POLL_MS = 3_000;

export type DisplayedPlan = 'unknown' | 'confirming' | 'premium' | 'free';

const displayedPlanOf = (user: UserView | undefined, pending: boolean): DisplayedPlan => {
  if (user === undefined) return 'unknown';
  if (user.plan === 'premium') return 'premium';
  return pending ? 'confirming' : 'free';
};

/** The plan to display: 'confirming' instead of free while a recent payment is pending. */
export const useDisplayedPlan = () => {
  const userId = useAppSelector((state) => state.endUserAuth.endUserInfo?.id ?? null);
  const pending = usePaymentPending(userId);
  const query = useUser({ refreshInterval: pending ? POLL_MS : 0 });
  const { data: user } = query;
  const plan = displayedPlanOf(user, pending);
  useEffect(() => {
    if (plan === 'premium' && pending && userId !== null) clearPendingPayment(userId);
  }, [plan, pending, userId]);
  return { plan, user, query };
};
