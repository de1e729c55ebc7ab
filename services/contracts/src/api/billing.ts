import type { AlertView, StripeSetup } from '../system.ts';
import type { PlanState } from '../plan.ts';
import type { UnsubscribeInput } from '../schemas/admin.ts';
import { defineEndpoint } from './endpoint.ts';
import type { PlanOutlook, Price, SubscriptionView } from './public.ts';
import type { EarningsPeriod, EarningsView } from '../earnings.ts';

/** `outlook` is null for a free plan. */
export type SubscriptionReply = {
  data: SubscriptionView;
  planState: PlanState;
  outlook: PlanOutlook | null;
};
type ForUser = { userId: string };
/** With name and address, since billing may not have consumed the registration yet. */
type UserDetails = ForUser & { email: string; name: string };

export const billingEndpoints = {
  /** The price of the current offer. */
  getOffer: defineEndpoint<Record<never, never>, { data: Price }>('GET', '/offer'),
  /** The last results of the checks of the account at Stripe. */
  getStripeSetup: defineEndpoint<Record<never, never>, { data: StripeSetup }>('GET', '/stripe/setup'),
  getSubscription: defineEndpoint<ForUser, SubscriptionReply>('GET', '/subscriptions/:userId'),
  openCheckout: defineEndpoint<UserDetails, { url: string }>('POST', '/subscriptions/:userId/checkout'),
  confirmCheckout: defineEndpoint<ForUser & { sessionId: string }, SubscriptionReply>(
    'POST',
    '/subscriptions/:userId/confirm',
  ),
  grantPlan: defineEndpoint<UserDetails, SubscriptionReply>('POST', '/subscriptions/:userId/grant'),
  /** Changes nothing for a user who is free. At the period's end: throws `billing.period_not_paid` during a grace. */
  revokePlan: defineEndpoint<ForUser & UnsubscribeInput, SubscriptionReply>(
    'POST',
    '/subscriptions/:userId/revoke',
  ),
  openPortal: defineEndpoint<ForUser & { customerId: string }, { url: string }>(
    'POST',
    '/subscriptions/:userId/portal',
  ),
  earnings: defineEndpoint<{ period: EarningsPeriod; timeZone?: string }, { data: EarningsView }>(
    'GET',
    '/earnings',
  ),
  /** Unresolved alerts first, then the newest; at most ALERTS_MAX. */
  listAlerts: defineEndpoint<Record<never, never>, { data: AlertView[] }>('GET', '/alerts'),
  resolveAlert: defineEndpoint<{ alertId: string }, { data: AlertView }>('POST', '/alerts/:alertId/resolve'),
  reconcile: defineEndpoint<
    Record<never, never>,
    { checked: number; failed: number; repaired: { userId: string; what: string }[] }
  >('POST', '/stripe/reconcile'),
  /** Ends the plans whose time is over. */
  endDuePlans: defineEndpoint<Record<never, never>, { ended: number; failed: number }>(
    'POST',
    '/plans/end-due',
  ),
  retryInbox: defineEndpoint<Record<never, never>, { retried: number; failed: number }>(
    'POST',
    '/stripe/inbox/retry',
  ),
} as const;

/** The path of Stripe's webhooks. Nothing parses the body before the signature check. */
export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';
/**
 * The largest event that is taken. That of an invoice has some kilobytes; its ten lines may repeat metadata of up to 25 KB.
 */
export const STRIPE_WEBHOOK_BYTES = 256 * 1024;
