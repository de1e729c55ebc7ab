import Joi from 'joi';
import { PAYMENT_PROBLEMS, PLANS, planStateSchema, unsubscribeRules } from '../plan.ts';
import {
  count,
  flag,
  listOf,
  mayLack,
  message,
  nullable,
  ofText,
  ofType,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { oneMessage } from '../schemas/validation.ts';
import { alertChange, alertView, earningsRules, earningsView, stripeSetup } from './admin-views.ts';
import { creditPack, stripeId, userDetails } from './credit-buckets.ts';
import { forAdmins, forUsers, operationsOf, toAdmins } from './operation.ts';
import { CONTINUATIONS, planOutlook, userView } from './profile.ts';

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
const subscriptionReply = view({
  data: subscriptionView,
  planState: planStateSchema,
  outlook: nullable(planOutlook),
});
export type SubscriptionReply = TypeOf<typeof subscriptionReply>;

/** Where a user's credits come from: the plan, and the packs, the oldest first. */
const creditSources = view({ planState: planStateSchema, packs: listOf(creditPack) });

const ofUser = { userId: uuid };
const operation = operationsOf('billing');

export const billingEndpoints = {
  /** The price of the current offer. */
  getOffer: operation('GET /offer', { roles: ['service'], reply: { data: price } }),
  /** The last results of the checks of the account at Stripe. */
  getStripeSetup: operation('GET /stripe/setup', { roles: ['admin'], reply: { data: stripeSetup } }),
  getSubscription: operation('GET /subscriptions/:userId', {
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: ofUser,
    reply: subscriptionReply,
  }),
  /** For credits, which reads it where an event may not have arrived. */
  getCreditSources: operation('GET /credit-sources/:userId', {
    roles: ['service'],
    input: ofUser,
    reply: { data: creditSources },
  }),
  openCheckout: operation('POST /subscriptions/:userId/checkout', {
    roles: ['user'],
    self: 'userId',
    input: userDetails,
    reply: { url: text },
  }),
  confirmCheckout: operation('POST /subscriptions/:userId/confirm', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofUser, sessionId: stripeId },
    reply: subscriptionReply,
  }),
  grantPlan: operation('POST /subscriptions/:userId/grant', {
    roles: ['admin'],
    input: userDetails,
    reply: subscriptionReply,
  }),
  /** Changes nothing for a user who is free. At the period's end: throws `billing.period_not_paid` during a grace. */
  revokePlan: operation('POST /subscriptions/:userId/revoke', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: { ...ofUser, ...unsubscribeRules },
    reply: subscriptionReply,
  }),
  openPortal: operation('POST /subscriptions/:userId/portal', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofUser, customerId: stripeId },
    reply: { url: text },
  }),
  earnings: operation('GET /earnings', {
    roles: ['admin', 'service'],
    input: earningsRules,
    reply: { data: earningsView },
    public: { earnings: toAdmins('/api/admin/earnings', { permission: 'revenue.read' }) },
  }),
  /** Unresolved alerts first, then the newest; at most ALERTS_MAX. */
  listAlerts: operation('GET /alerts', { roles: ['admin'], reply: { data: listOf(alertView) } }),
  /** Throws `billing.alert_resolved` for one that is resolved already. */
  resolveAlert: operation('POST /alerts/:alertId/resolve', {
    roles: ['admin'],
    input: alertChange,
    reply: { data: alertView },
    public: {
      resolveAlert: toAdmins('/api/admin/alerts/:alertId/resolve', { permission: 'alerts.resolve' }),
    },
  }),
  /** Throws `billing.alert_open` for one that is open. */
  reopenAlert: operation('POST /alerts/:alertId/reopen', {
    roles: ['admin'],
    input: alertChange,
    reply: { data: alertView },
    public: {
      reopenAlert: toAdmins('/api/admin/alerts/:alertId/reopen', { permission: 'alerts.resolve' }),
    },
  }),
  reconcile: operation('POST /stripe/reconcile', {
    roles: ['service'],
    reply: { checked: count, failed: count, repaired: listOf(view({ userId: uuid, what: text })) },
  }),
  /** Ends the plans whose time is over. */
  endDuePlans: operation('POST /plans/end-due', {
    roles: ['service'],
    reply: { ended: count, failed: count },
  }),
  /** Emits CardExpiring for the cards that are to be mailed about. */
  warnOfCards: operation('POST /cards/warn-due', {
    roles: ['service'],
    reply: { done: count, failed: count },
  }),
  retryInbox: operation('POST /stripe/inbox/retry', {
    roles: ['service'],
    reply: { retried: count, failed: count },
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
  subscribe: forUsers('GET /subscribe', {
    input: { email: mayLack(ofText(Joi.string().max(254).allow(''))) },
    reply: { url: text },
  }),
  confirmPayment: forUsers('PUT /user-payment', {
    input: {
      user: mayLack(ofType<object>(Joi.any())), // part of the specified call and ignored: the session says who pays
      xsl: stripeId.messages(oneMessage('This payment link is not complete')),
    },
    reply: { message, data: userView },
  }),
  billingPortal: forUsers('GET /customers/:id', {
    input: { id: stripeId.messages(oneMessage('There is no such billing customer.')) },
    reply: { url: text },
  }),
  grantPlan: forAdmins('PUT /admin/user-payment/:userId', {
    permission: 'plan.grant',
    recent: true,
    input: ofUser,
    reply: { message, data: userView },
  }),
  revokePlan: forAdmins('PUT /admin/unsubscribe/:userId', {
    permission: 'plan.revoke',
    recent: true,
    input: { ...ofUser, ...unsubscribeRules },
    reply: { message, data: userView },
  }),
  subscription: forUsers('GET /api/subscription', { whileViewing: true, reply: { data: subscriptionView } }),
} as const;
