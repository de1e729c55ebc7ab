import Joi from 'joi';
import { ALERT_NOTE_MAX } from '../limits.ts';
import {
  amount,
  count,
  flag,
  line,
  listOf,
  mayLack,
  message,
  nullable,
  ofType,
  oneMessage,
  oneOf,
  text,
  textLike,
  time,
  timeZoneSchema,
  type TypeOf,
  uuid,
  view,
} from '../schemas/validation.ts';
import { addressesOf, forAdmins, forUsers, operationsOf, toAdmins } from './operation.ts';
import { PAYMENT_PROBLEMS, PLANS, planStateSchema, unsubscribeRules } from '../plan.ts';
import { CONTINUATIONS, planOutlook, userView } from './profile.ts';

const EARNINGS_PERIODS = ['week', 'month', 'year'] as const;
export type EarningsPeriod = (typeof EARNINGS_PERIODS)[number];

const earningsRules = { period: oneOf(EARNINGS_PERIODS), timeZone: mayLack(timeZoneSchema) };

/** What needs an operator's eye. Each alert is about one object at Stripe, which may raise it once. */
export const ALERT_KINDS = [
  /** A payer disputes a payment at the bank; evidence is due at a date. */
  'dispute_opened',
  /** The bank decided a dispute for the payer: the money is gone, and the plan, or the credits of the pack, that it paid for. */
  'dispute_lost',
  /** A card's issuer reports a payment as probably fraudulent; a dispute often follows. */
  'early_fraud_warning',
  /** Money arrived for a user who had been deleted. */
  'payment_of_deleted_user',
  /** Money arrived for a period that was over, and was given back. */
  'late_payment',
  /** A subscription at the provider belongs to no user here, or to one with another customer. */
  'subscription_without_user',
  /** A user has an ongoing subscription at the provider beside the plan's: at a price that is not the plan's, or a second one of it. */
  'other_subscription',
  /** A paid pack of credits at the provider belongs to no user here, or to one with another customer. */
  'pack_without_user',
  /** The bank returned a refund, so the payer does not have the money. */
  'refund_failed',
  /** Stripe could not finalize an invoice, so nothing is collected. */
  'invoice_finalization_failed',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** The subject of an event about no known user. */
export const NO_USER = '00000000-0000-0000-0000-000000000000';
export const STRIPE_CHECKS = [
  'price',
  'pack_price',
  'portal',
  'customer_search',
  'webhook',
  'webhook_events',
  'api_version',
] as const;

export const alertChange = {
  // A kind and an id of the provider's.
  alertId: Joi.string()
    .max(100)
    .pattern(/^[\x21-\x7e]+$/)
    .required(),
  note: line({ required: 'Please enter a note' }, { max: ALERT_NOTE_MAX }),
};
export type AlertChange = TypeOf<typeof alertChange>;

const sums = { earnings: amount, expenses: amount, tax: amount };
export type EarningsSums = TypeOf<typeof sums>;

/**
 * Amounts in minor units, on the days on which the provider booked them. Earnings are paid invoices and expenses are refunds, both
 * without their tax, disputes and the provider's fees; `tax` is what was paid of it less what was refunded. Sums in currencies other than
 * `currency` are in `others` and never added. `unknownFees` is the number of payments whose fee the provider has not stated yet.
 */
export const earningsView = view({
  ...sums,
  currency: text,
  from: time,
  to: time,
  buckets: listOf(view({ ...sums, start: text })),
  others: listOf(view({ ...sums, currency: text })),
  unknownFees: count,
});
export type EarningsView = TypeOf<typeof earningsView>;

/** Amounts are minor units of `currency`, `objectId` is Stripe's, `note` says why an admin resolved it or opened it again. */
export const alertView = view({
  id: text,
  kind: oneOf(ALERT_KINDS),
  userId: nullable(text),
  objectId: text,
  amount: nullable(amount),
  currency: nullable(text),
  detail: nullable(text),
  raisedAt: time,
  resolvedAt: nullable(time),
  note: nullable(text),
});
export type AlertView = TypeOf<typeof alertView>;

/** One check of the set-up at Stripe. `ok` is null while the result is unknown. */
const stripeCheck = view({ name: oneOf(STRIPE_CHECKS), ok: nullable(flag), detail: text });
export type StripeCheck = TypeOf<typeof stripeCheck>;

/** The last results; `checkedAt` is null before the first check. */
export const stripeSetup = view({ checkedAt: nullable(time), checks: listOf(stripeCheck) });
export type StripeSetup = TypeOf<typeof stripeSetup>;

const systemView = view({ stripe: stripeSetup, alerts: listOf(alertView) });
export type SystemView = TypeOf<typeof systemView>;

const operation = operationsOf('billing');
const byUser = operationsOf('billing', { roles: ['user'], self: 'userId' });
const byAdmin = operationsOf('billing', { roles: ['admin'] });
const byService = operationsOf('billing', { roles: ['service'] });

/** `disputed`: the bank decides about the payment, or has decided for the payer. */
export const PACK_STATES = ['paid', 'partly_refunded', 'refunded', 'disputed'] as const;

/** What a pack costs once, in minor units of `currency`. */
const packOffer = view({ credits: count, amount: count, currency: text });
export type PackOffer = TypeOf<typeof packOffer>;

/** `amount` was paid, in minor units of `currency`; `paidCredits` are paid for now. `version` grows with every change of the pack. */
export const creditPack = view({
  packId: uuid,
  version: count,
  credits: count,
  paidCredits: count,
  paidAt: time,
  amount,
  currency: text,
  state: oneOf(PACK_STATES),
});
export type CreditPack = TypeOf<typeof creditPack>;

const packsView = view({ offer: nullable(packOffer), packs: listOf(creditPack) });
export type PacksView = TypeOf<typeof packsView>;

/** With name and address, since billing may not have consumed the registration yet. */
const payer = { email: Joi.string().max(254).required(), name: Joi.string().max(210).required() };

const stripeId = textLike(/^[A-Za-z0-9_]{1,100}$/);

export const packEndpoints = {
  /** Null while no pack is sold. */
  getPackOffer: operation('GET /pack-offer', {
    roles: ['user', 'service'],
    reply: { data: nullable(packOffer) },
  }),
  /** Oldest first. A user without packs has an empty list. */
  listCreditPacks: operation('GET /packs/:userId', {
    roles: ['user', 'service'],
    self: 'userId',
    reply: { data: listOf(creditPack) },
  }),
  /** Throws `billing.pack_not_offered` while no pack is sold. */
  openPackCheckout: byUser('POST /packs/:userId/checkout', { input: payer, reply: { url: text } }),
  /** Throws `billing.checkout_not_found`, `billing.not_paid`, or `billing.pack_processing` while the payment is not confirmed. */
  confirmPackCheckout: byUser('POST /packs/:userId/confirm', {
    input: { sessionId: stripeId },
    reply: { data: creditPack },
  }),
} as const;

/** An amount in minor units of `currency` (ISO 4217, lower case), for one month. */
export const price = view({ amount: count, currency: text });
export type Price = TypeOf<typeof price>;

/** `payUrl`: the page of the open invoice; null where only the billing portal helps. `since`: when billing first read the problem. */
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

export const billingEndpoints = {
  getOffer: byService('GET /offer', { reply: { data: price } }),
  getStripeSetup: byAdmin('GET /stripe/setup', { reply: { data: stripeSetup } }),
  getSubscription: operation('GET /subscriptions/:userId', {
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    reply: subscriptionReply,
  }),
  /** For credits, which reads it where an event may not have arrived. */
  getCreditSources: byService('GET /credit-sources/:userId', { reply: { data: creditSources } }),
  openCheckout: byUser('POST /subscriptions/:userId/checkout', { input: payer, reply: { url: text } }),
  confirmCheckout: byUser('POST /subscriptions/:userId/confirm', {
    input: { sessionId: stripeId },
    reply: subscriptionReply,
  }),
  grantPlan: byAdmin('POST /subscriptions/:userId/grant', { input: payer, reply: subscriptionReply }),
  /** Changes nothing for a user who is free. At the period's end: throws `billing.period_not_paid` during a grace. */
  revokePlan: operation('POST /subscriptions/:userId/revoke', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: unsubscribeRules,
    reply: subscriptionReply,
  }),
  openPortal: byUser('POST /subscriptions/:userId/portal', {
    input: { customerId: stripeId },
    reply: { url: text },
  }),
  earnings: operation('GET /earnings', {
    roles: ['admin', 'service'],
    input: earningsRules,
    reply: { data: earningsView },
    public: { earnings: toAdmins('/api/admin/earnings', { permission: 'revenue.read' }) },
  }),
  /** Unresolved alerts first, then the newest; at most ALERTS_MAX. */
  listAlerts: byAdmin('GET /alerts', { reply: { data: listOf(alertView) } }),
  /** Throws `billing.alert_resolved` for one that is resolved already. */
  resolveAlert: byAdmin('POST /alerts/:alertId/resolve', {
    input: alertChange,
    reply: { data: alertView },
    public: {
      resolveAlert: toAdmins('/api/admin/alerts/:alertId/resolve', { permission: 'alerts.resolve' }),
    },
  }),
  /** Throws `billing.alert_open` for one that is open. */
  reopenAlert: byAdmin('POST /alerts/:alertId/reopen', {
    input: alertChange,
    reply: { data: alertView },
    public: { reopenAlert: toAdmins('/api/admin/alerts/:alertId/reopen', { permission: 'alerts.resolve' }) },
  }),
  reconcile: byService('POST /stripe/reconcile', {
    reply: { checked: count, failed: count, repaired: listOf(view({ userId: uuid, what: text })) },
  }),
  endDuePlans: byService('POST /plans/end-due', { reply: { ended: count, failed: count } }),
  /** Emits CardExpiring for the cards that are to be mailed about. */
  warnOfCards: byService('POST /cards/warn-due', { reply: { done: count, failed: count } }),
  retryInbox: byService('POST /stripe/inbox/retry', { reply: { retried: count, failed: count } }),
} as const;

/** The path of Stripe's webhooks. Nothing parses the body before the signature check. */
export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';

/** The largest event that is taken. An invoice has some kilobytes; its ten lines may repeat metadata of up to 25 KB. */
export const STRIPE_WEBHOOK_BYTES = 256 * 1024;

export const publicBillingEndpoints = {
  ...addressesOf(billingEndpoints),
  system: forAdmins('GET /api/admin/system', { permission: 'system.read', reply: { data: systemView } }),
  creditPacks: forUsers('GET /api/credits/packs', { whileViewing: true, reply: { data: packsView } }),
  buyPack: forUsers('POST /api/credits/packs/checkout', { reply: { url: text } }),
  confirmPack: forUsers('PUT /api/credits/packs/payment', {
    input: { xsl: stripeId.messages(oneMessage('This payment link is not complete')) },
    reply: { data: creditPack },
  }),
  subscribe: forUsers('GET /subscribe', {
    input: { email: mayLack(Joi.string().max(254).allow('')) },
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
    reply: { message, data: userView },
  }),
  revokePlan: forAdmins('PUT /admin/unsubscribe/:userId', {
    permission: 'plan.revoke',
    recent: true,
    input: unsubscribeRules,
    reply: { message, data: userView },
  }),
  subscription: forUsers('GET /api/subscription', { whileViewing: true, reply: { data: subscriptionView } }),
} as const;
