import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { days, minutes, seconds } from '@shortlist/contracts/durations';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import type { Plan } from '@shortlist/contracts/plan';
import { useEffect, useSyncExternalStore } from 'react';
import { now } from '../dates.ts';
import { useAppSelector } from '../state/hooks.tsx';
import { readTabItem, removeTabItem, writeTabItem } from '../storage.ts';
import { type DisplayedState, subscriptionState } from '../subscription.rules.ts';
import { useUser } from './use-account.ts';
import { revalidate, useQuery } from './use-query.ts';

// A user who returns from the checkout is not shown as Free unless the payment has failed. The mark names the user, so that it
// does not apply to the next one who logs in in the same tab.
const PENDING_PAYMENT = 'pendingPayment';
const PENDING_MS = minutes(15);
const CHANGED = 'shortlist:pending-payment';

const readMark = (): { owner: string; since: number } => {
  const [owner = '', since = ''] = (readTabItem(PENDING_PAYMENT) ?? '').split(' ');
  return { owner, since: Number(since) };
};

const announce = (): void => void window.dispatchEvent(new Event(CHANGED));

export const markPaymentPending = (userId: string): void => {
  writeTabItem(PENDING_PAYMENT, `${userId} ${now()}`);
  announce();
};

export const clearPendingPayment = (userId: string): void => {
  if (readMark().owner !== userId) return;
  removeTabItem(PENDING_PAYMENT);
  announce();
};

const isPending = (userId: string | null): boolean => {
  const { owner, since } = readMark();
  return owner === userId && now() - since < PENDING_MS;
};

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
};

const usePaymentPending = (userId: string | null): boolean =>
  useSyncExternalStore(subscribe, () => isPending(userId));

const POLL_MS = 3_000;

export const useSubscription = (options: { refreshInterval?: number } = {}) => {
  const known = useAppSelector((state) => state.sessions.user.subscription);
  const fallback = known === null ? {} : { fallbackData: known };
  return useQuery('subscription', publicEndpoints.subscription, {}, { ...fallback, ...options });
};

export const useCredits = () => useQuery('credits', publicEndpoints.credits, {});

/** The pack of credits that is sold, and those of the user. A charge does not change them. */
export const useCreditPacks = () => useQuery('subscription', publicEndpoints.creditPacks, {});

const planOf = (known: { plan: Plan } | undefined): Plan | null => (known === undefined ? null : known.plan);

/**
 * The user's plan, whose label every page has; null until it is known, and while a recent payment is being confirmed. Without a view,
 * billing has not responded yet, or has failed.
 */
export const usePlan = () => {
  const userId = useAppSelector((state) => state.sessions.user.user?.id ?? null);
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

/** The plan with the state of its subscription, as every screen shows it. */
export const useSubscriptionState = () => {
  const known = usePlan();
  return { ...known, state: displayedState(known) };
};

/** A timer of a browser overflows beyond 2^31 ms. */
const LONGEST_MS = days(24);

/** When the plan that a page shows ends or renews by time. */
const nextChange = ({ periodEnd, premiumUntil }: SubscriptionView): number =>
  Math.min(...[periodEnd, premiumUntil].map((end) => (end === null ? Infinity : Date.parse(end))));

/** Reads the plan again just after its end, which may come while the page is open, without any change on the server. */
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

/** What the credits page reads first of the history. */
export const FIRST_HISTORY_PAGE = { limit: HISTORY_PAGE, returns: 'joined' } as const;
