import type { PlanState } from '../plan.ts';
import { defineEndpoint } from './endpoint.ts';
import type { EarningsPeriod, EarningsView, SubscriptionView } from './public.ts';

export type SubscriptionReply = { data: SubscriptionView; planState: PlanState };
type ForUser = { userId: string };
/** With who it is: billing may not have heard of them yet. */
type Person = ForUser & { email: string; name: string };

export const billingEndpoints = {
  getSubscription: defineEndpoint<ForUser, SubscriptionReply>('GET', '/subscriptions/:userId'),
  openCheckout: defineEndpoint<Person, { url: string }>('POST', '/subscriptions/:userId/checkout'),
  confirmCheckout: defineEndpoint<ForUser & { sessionId: string }, SubscriptionReply>(
    'POST',
    '/subscriptions/:userId/confirm',
  ),
  grantPlan: defineEndpoint<Person, SubscriptionReply>('POST', '/subscriptions/:userId/grant'),
  revokePlan: defineEndpoint<ForUser, SubscriptionReply>('POST', '/subscriptions/:userId/revoke'),
  openPortal: defineEndpoint<ForUser & { customerId: string }, { url: string }>(
    'POST',
    '/subscriptions/:userId/portal',
  ),
  earnings: defineEndpoint<{ period: EarningsPeriod; timeZone?: string }, { data: EarningsView }>(
    'GET',
    '/earnings',
  ),
  reconcile: defineEndpoint<
    Record<never, never>,
    { checked: number; failed: number; repaired: { userId: string; what: string }[] }
  >('POST', '/stripe/reconcile'),
  retryInbox: defineEndpoint<Record<never, never>, { retried: number; failed: number }>(
    'POST',
    '/stripe/inbox/retry',
  ),
} as const;

/** Where the provider's webhooks are taken, unread by anything before the signature check. */
export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';
