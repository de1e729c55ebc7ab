import Joi from 'joi';
import { PAYMENT_PROBLEMS, PLANS, type PlanState, type UnsubscribeInput, unsubscribeRules } from '../plan.ts';
import {
  count,
  flag,
  type Message,
  message,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { oneMessage } from '../schemas/validation.ts';
import {
  type AlertChange,
  alertChange,
  type AlertView,
  type EarningsQuery,
  earningsRules,
  type EarningsView,
  type StripeSetup,
} from './admin-views.ts';
import { CONTINUATIONS, type PlanOutlook, type UserView, userView } from './profile.ts';
import { type CreditPack, stripeId, type UserDetails, userDetails } from './credit-buckets.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** An amount in minor units of `currency` (ISO 4217, lower case), for one month. */
export const price = view({ amount: count, currency: text });
export type Price = TypeOf<typeof price>;

/**
 * `payUrl` is the provider's page of the open invoice; null where only the billing portal helps, or nothing is to be done. `since`:
 * when billing first read the problem from Stripe.
 */
const paymentProblem = view({
  kind: oneOf(PAYMENT_PROBLEMS),
  amount: nullable(count),
  currency: nullable(text),
  payUrl: nullable(text),
  since: nullable(time),
  /** When a paused subscription resumes by itself, and charges again. */
  resumesAt: nullable(time),
});
export type PaymentProblem = TypeOf<typeof paymentProblem>;

export const subscriptionView = view({
  plan: oneOf(PLANS),
  /** Start and end of the current period, or of the latest one that has ended. */
  periodStart: nullable(time),
  periodEnd: nullable(time),
  /** Whether the plan renews at the end of the period. */
  renews: flag,
  /** The end of a subscription that renews until then. */
  renewsUntil: nullable(time),
  /** What becomes of premium if nothing changes, and its end if nothing is paid from now on; null for a free plan. */
  continuation: nullable(oneOf(CONTINUATIONS)),
  premiumUntil: nullable(time),
  /** Set while a renewal could not be collected: the plan ends then unless the invoice is paid. */
  graceUntil: nullable(time),
  customerId: nullable(text),
  /** The price of the user's own subscription while it is ongoing, otherwise that of the current offer. */
  price,
  lastPayment: nullable(view({ amount: count, currency: text, paidAt: time })),
  /** What keeps a payment from going through, or null. */
  problem: nullable(paymentProblem),
});
export type SubscriptionView = TypeOf<typeof subscriptionView>;

/** `outlook` is null for a free plan. */
export type SubscriptionReply = {
  data: SubscriptionView;
  planState: PlanState;
  outlook: PlanOutlook | null;
};

/** Where a user's credits come from: the plan, and the packs, the oldest first. */
export type CreditSources = { planState: PlanState; packs: CreditPack[] };

type ForUser = { userId: string };

export const billingEndpoints = {
  /** The price of the current offer. */
  getOffer: serviceEndpoint<None, { data: Price }>({
    method: 'GET',
    path: '/offer',
    roles: ['service'],
  }),
  /** The last results of the checks of the account at Stripe. */
  getStripeSetup: serviceEndpoint<None, { data: StripeSetup }>({
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
  /** For credits, which reads it where an event may not have arrived. */
  getCreditSources: serviceEndpoint<ForUser, { data: CreditSources }>({
    method: 'GET',
    path: '/credit-sources/:userId',
    roles: ['service'],
    input: { userId: uuid },
  }),
  openCheckout: serviceEndpoint<UserDetails, { url: string }>({
    method: 'POST',
    path: '/subscriptions/:userId/checkout',
    roles: ['user'],
    self: 'userId',
    input: userDetails,
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
    input: userDetails,
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
    roles: ['admin', 'service'],
    input: earningsRules,
  }),
  /** Unresolved alerts first, then the newest; at most ALERTS_MAX. */
  listAlerts: serviceEndpoint<None, { data: AlertView[] }>({
    method: 'GET',
    path: '/alerts',
    roles: ['admin'],
  }),
  /** Throws `billing.alert_resolved` for one that is resolved already. */
  resolveAlert: serviceEndpoint<AlertChange, { data: AlertView }>({
    method: 'POST',
    path: '/alerts/:alertId/resolve',
    roles: ['admin'],
    input: alertChange,
  }),
  /** Throws `billing.alert_open` for one that is open. */
  reopenAlert: serviceEndpoint<AlertChange, { data: AlertView }>({
    method: 'POST',
    path: '/alerts/:alertId/reopen',
    roles: ['admin'],
    input: alertChange,
  }),
  reconcile: serviceEndpoint<
    None,
    { checked: number; failed: number; repaired: { userId: string; what: string }[] }
  >({ method: 'POST', path: '/stripe/reconcile', roles: ['service'] }),
  /** Ends the plans whose time is over. */
  endDuePlans: serviceEndpoint<None, { ended: number; failed: number }>({
    method: 'POST',
    path: '/plans/end-due',
    roles: ['service'],
  }),
  /** Emits CardExpiring for the cards that are to be mailed about. */
  warnOfCards: serviceEndpoint<None, { done: number; failed: number }>({
    method: 'POST',
    path: '/cards/warn-due',
    roles: ['service'],
  }),
  retryInbox: serviceEndpoint<None, { retried: number; failed: number }>({
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

/** The endpoints of the plan and its payment. */
export const publicPlanEndpoints = {
  subscribe: forUsers<{ email?: string }, { url: string }>({
    method: 'GET',
    path: '/subscribe',
    input: { email: Joi.string().max(254).allow('') },
    reply: { url: text },
  }),
  confirmPayment: forUsers<{ user?: object; xsl: string }, Message & { data: UserView }>({
    method: 'PUT',
    path: '/user-payment',
    input: {
      user: Joi.any(), // part of the specified call and ignored: the session says who pays
      xsl: stripeId.messages(oneMessage('This payment link is not complete')),
    },
    reply: { message, data: userView },
  }),
  billingPortal: forUsers<{ id: string }, { url: string }>({
    method: 'GET',
    path: '/customers/:id',
    input: { id: stripeId.messages(oneMessage('There is no such billing customer.')) },
    reply: { url: text },
  }),
  grantPlan: forAdmins<{ userId: string }, Message & { data: UserView }>({
    method: 'PUT',
    path: '/admin/user-payment/:userId',
    permission: 'plan.grant',
    recent: true,
    input: { userId: uuid },
    reply: { message, data: userView },
  }),
  revokePlan: forAdmins<{ userId: string } & UnsubscribeInput, Message & { data: UserView }>({
    method: 'PUT',
    path: '/admin/unsubscribe/:userId',
    permission: 'plan.revoke',
    recent: true,
    input: { userId: uuid, ...unsubscribeRules },
    reply: { message, data: userView },
  }),
  subscription: forUsers<None, { data: SubscriptionView }>({
    method: 'GET',
    path: '/api/subscription',
    whileViewing: true,
    reply: { data: subscriptionView },
  }),
} as const;
