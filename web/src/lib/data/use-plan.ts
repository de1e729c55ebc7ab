import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { Plan } from '@shortlist/contracts/plan';
import { useEffect } from 'react';
import { days, seconds } from '@shortlist/contracts/durations';
import { now } from '../clock.ts';
import { useAppSelector } from '../state/hooks.tsx';
import { revalidate } from './revalidate.ts';
import { clearPendingPayment, usePaymentPending } from './pending-payment.ts';
import { useQuery } from './use-query.ts';
import { useUser } from './use-user.ts';

const POLL_MS = 3_000;

export const useSubscription = (options: { refreshInterval?: number } = {}) => {
  const known = useAppSelector((state) => state.endUserAuth.subscription);
  const fallback = known === null ? {} : { fallbackData: known };
  return useQuery('subscription', publicEndpoints.subscription, {}, { ...fallback, ...options });
};

export const useCredits = () => useQuery('credits', publicEndpoints.credits, {});

/** The pack of credits that is sold, and those of the user. */
export const useCreditPacks = () => useQuery('credits', publicEndpoints.creditPacks, {});

const planOf = (known: { plan: Plan } | undefined): Plan | null => (known === undefined ? null : known.plan);

/**
 * The user's plan, whose label every page has; null until it is known, and while a recent payment is being confirmed. Without a view,
 * billing has not responded yet, or has failed.
 */
export const usePlan = () => {
  const userId = useAppSelector((state) => state.endUserAuth.endUserInfo?.id ?? null);
  const isPending = usePaymentPending(userId);
  const options = { refreshInterval: isPending ? POLL_MS : 0 };
  const query = useUser(options);
  const { data: view, error } = useSubscription(options);
  const latest = planOf(view) ?? planOf(query.data);
  useEffect(() => {
    if (latest === 'premium' && isPending && userId !== null) clearPendingPayment(userId);
  }, [latest, isPending, userId]);
  const isConfirming = isPending && latest === 'free';
  const hasFailed = view === undefined && error !== undefined;
  return { plan: isConfirming ? null : latest, isConfirming, view, hasFailed, user: query.data, query };
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
