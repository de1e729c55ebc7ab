import Joi from 'joi';
import type { EarningsView } from '../earnings.ts';
import type { PlanState } from '../plan.ts';
import {
  alertId,
  type EarningsQuery,
  earningsRules,
  type UnsubscribeInput,
  unsubscribeRules,
} from '../schemas/admin.ts';
import { uuid } from '../schemas/text.ts';
import type { AlertView, StripeSetup } from '../system.ts';
import type { Price, SubscriptionView } from './public-plan.ts';
import type { PlanOutlook } from './public.ts';
import { serviceEndpoint } from './service-endpoint.ts';

const stripeId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();
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
  getOffer: serviceEndpoint<Record<never, never>, { data: Price }>({
    method: 'GET',
    path: '/offer',
    roles: ['service'],
  }),
  /** The last results of the checks of the account at Stripe. */
  getStripeSetup: serviceEndpoint<Record<never, never>, { data: StripeSetup }>({
    method: 'GET',
    path: '/stripe/setup',
    roles: ['admin'],
  }),
  getSubscription: serviceEndpoint<ForUser, SubscriptionReply>({
    method: 'GET',
    path: '/subscriptions/:userId',
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: { userId: uuid },
  }),
  openCheckout: serviceEndpoint<UserDetails, { url: string }>({
    method: 'POST',
    path: '/subscriptions/:userId/checkout',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, email: Joi.string().max(254).required(), name: Joi.string().max(210).required() },
  }),
  confirmCheckout: serviceEndpoint<ForUser & { sessionId: string }, SubscriptionReply>({
    method: 'POST',
    path: '/subscriptions/:userId/confirm',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, sessionId: stripeId },
  }),
  grantPlan: serviceEndpoint<UserDetails, SubscriptionReply>({
    method: 'POST',
    path: '/subscriptions/:userId/grant',
    roles: ['admin'],
    input: { userId: uuid, email: Joi.string().max(254).required(), name: Joi.string().max(210).required() },
  }),
  /** Changes nothing for a user who is free. At the period's end: throws `billing.period_not_paid` during a grace. */
  revokePlan: serviceEndpoint<ForUser & UnsubscribeInput, SubscriptionReply>({
    method: 'POST',
    path: '/subscriptions/:userId/revoke',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid, ...unsubscribeRules },
  }),
  openPortal: serviceEndpoint<ForUser & { customerId: string }, { url: string }>({
    method: 'POST',
    path: '/subscriptions/:userId/portal',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, customerId: stripeId },
  }),
  earnings: serviceEndpoint<EarningsQuery, { data: EarningsView }>({
    method: 'GET',
    path: '/earnings',
    roles: ['admin'],
    input: earningsRules,
  }),
  /** Unresolved alerts first, then the newest; at most ALERTS_MAX. */
  listAlerts: serviceEndpoint<Record<never, never>, { data: AlertView[] }>({
    method: 'GET',
    path: '/alerts',
    roles: ['admin'],
  }),
  resolveAlert: serviceEndpoint<{ alertId: string }, { data: AlertView }>({
    method: 'POST',
    path: '/alerts/:alertId/resolve',
    roles: ['admin'],
    input: { alertId },
  }),
  reconcile: serviceEndpoint<
    Record<never, never>,
    { checked: number; failed: number; repaired: { userId: string; what: string }[] }
  >({ method: 'POST', path: '/stripe/reconcile', roles: ['service'] }),
  /** Ends the plans whose time is over. */
  endDuePlans: serviceEndpoint<Record<never, never>, { ended: number; failed: number }>({
    method: 'POST',
    path: '/plans/end-due',
    roles: ['service'],
  }),
  retryInbox: serviceEndpoint<Record<never, never>, { retried: number; failed: number }>({
    method: 'POST',
    path: '/stripe/inbox/retry',
    roles: ['service'],
  }),
} as const;

/** The path of Stripe's webhooks. Nothing parses the body before the signature check. */
export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';
/**
 * The largest event that is taken. That of an invoice has some kilobytes; its ten lines may repeat metadata of up to 25 KB.
 */
export const STRIPE_WEBHOOK_BYTES = 256 * 1024;
