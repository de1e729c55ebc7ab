import Joi from 'joi';
import { ALERT_NOTE_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, forAdmins, forUsers, operationsOf, toAdmins, toUsers } from './operation.ts';
import {
  grantRules,
  INTERVALS,
  PAYMENT_PROBLEMS,
  PLANS,
  planStateSchema,
  unsubscribeRules,
} from '../plan.ts';
import { CONTINUATIONS, planContinuation, userView } from './profile.ts';

const EARNINGS_PERIODS = ['week', 'month', 'year'] as const;
export type EarningsPeriod = (typeof EARNINGS_PERIODS)[number];

const earningsRules = { period: rule.oneOf(EARNINGS_PERIODS), timeZone: rule.mayLack(rule.timeZoneSchema) };

/** Alerts for operators. Each is about one object at Stripe, which can raise it only once. */
export const ALERT_KINDS = [
  /** A payer disputes a payment at the bank; evidence is due at a date. */
  'dispute_opened',
  /** The bank decided a dispute for the payer: the money is lost, and so is the plan or pack that it paid for. */
  'dispute_lost',
  /** A card's issuer reports a payment as probably fraudulent; a dispute often follows. */
  'early_fraud_warning',
  /** A payment arrived for a deleted user. */
  'payment_of_deleted_user',
  /** A payment arrived for a period that had already ended, and was refunded. */
  'late_payment',
  /** A subscription at the provider belongs to no user here, or to one with another customer. */
  'subscription_without_user',
  /** A user has another ongoing subscription at the provider: at a different price, or a second one of the plan. */
  'other_subscription',
  /** A paid pack of credits at the provider belongs to no user here, or to one with another customer. */
  'pack_without_user',
  /** The bank returned a refund, so the payer does not have the money. */
  'refund_failed',
  /** Stripe could not finalize an invoice, so nothing is collected. */
  'invoice_finalization_failed',
  /** A subscription is charged to a user who has no account, as after a loss of data. */
  'payer_without_account',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** The subject of an event about no known user. */
export const NO_USER = '00000000-0000-0000-0000-000000000000';
export const STRIPE_CHECKS = [
  'price',
  'yearly_price',
  'pack_price',
  'portal',
  'customer_search',
  'webhook',
  'webhook_events',
  'api_version',
] as const;

export const alertChange = {
  // An alert kind and an id of the provider.
  alertId: Joi.string()
    .max(100)
    .pattern(/^[\x21-\x7e]+$/)
    .required(),
  note: rule.line({ required: 'Please enter a note' }, { max: ALERT_NOTE_MAX }),
};
export type AlertChange = rule.TypeOf<typeof alertChange>;

const sums = { earnings: rule.amount, expenses: rule.amount, tax: rule.amount };
export type EarningsSums = rule.TypeOf<typeof sums>;

/**
 * Amounts in minor units, on the days on which the provider booked them. Earnings are paid invoices and expenses are refunds, both
 * without their tax, disputes and the provider's fees; `tax` is what was paid of it less what was refunded. Sums in currencies other than
 * `currency` are in `others` and never added. `unknownFees` is the number of payments whose fee the provider has not stated yet.
 */
export const earningsView = rule.view({
  ...sums,
  currency: rule.text,
  from: rule.time,
  to: rule.time,
  buckets: rule.listOf(rule.view({ ...sums, start: rule.text })),
  others: rule.listOf(rule.view({ ...sums, currency: rule.text })),
  unknownFees: rule.count,
});
export type EarningsView = rule.TypeOf<typeof earningsView>;

/** Amounts are minor units of `currency`, `objectId` is Stripe's, `note` says why an admin resolved it or opened it again. */
export const alertView = rule.view({
  id: rule.text,
  kind: rule.oneOf(ALERT_KINDS),
  userId: rule.nullable(rule.text),
  objectId: rule.text,
  amount: rule.nullable(rule.amount),
  currency: rule.nullable(rule.text),
  detail: rule.nullable(rule.text),
  raisedAt: rule.time,
  resolvedAt: rule.nullable(rule.time),
  note: rule.nullable(rule.text),
});
export type AlertView = rule.TypeOf<typeof alertView>;

/** One check of the set-up at Stripe. `ok` is null while the result is unknown. */
const stripeCheck = rule.view({
  name: rule.oneOf(STRIPE_CHECKS),
  ok: rule.nullable(rule.flag),
  detail: rule.text,
});
export type StripeCheck = rule.TypeOf<typeof stripeCheck>;

/** The last results; `checkedAt` is null before the first check. */
export const stripeSetup = rule.view({
  checkedAt: rule.nullable(rule.time),
  checks: rule.listOf(stripeCheck),
});
export type StripeSetup = rule.TypeOf<typeof stripeSetup>;

/** `version`: that of bff. */
const systemView = rule.view({
  version: rule.text,
  stripe: stripeSetup,
  alerts: rule.listOf(alertView),
});
export type SystemView = rule.TypeOf<typeof systemView>;

const operation = operationsOf('billing');
const byUser = operationsOf('billing', { roles: ['user'], self: 'userId' });
const byAdmin = operationsOf('billing', { roles: ['admin'] });
const byService = operationsOf('billing', { roles: ['service'] });

/** `disputed`: the dispute is undecided, or the bank decided for the payer. */
export const PACK_STATES = ['paid', 'partly_refunded', 'refunded', 'disputed'] as const;

/** The one-time price of a pack, in minor units of `currency`. */
const packOffer = rule.view({ credits: rule.count, amount: rule.count, currency: rule.text });
export type PackOffer = rule.TypeOf<typeof packOffer>;

/**
 * `amount` was paid, in minor units of `currency`; `paidCredits`: the credits that remain after refunds and disputes. `version` grows with
 * every change of the pack.
 */
export const creditPack = rule.view({
  packId: rule.uuid,
  version: rule.count,
  credits: rule.count,
  paidCredits: rule.count,
  paidAt: rule.time,
  amount: rule.amount,
  currency: rule.text,
  state: rule.oneOf(PACK_STATES),
});
export type CreditPack = rule.TypeOf<typeof creditPack>;

const packsView = rule.view({ offer: rule.nullable(packOffer), packs: rule.listOf(creditPack) });
export type PacksView = rule.TypeOf<typeof packsView>;

/** Name and email, because billing may not have consumed the registration yet. */
const payer = { email: Joi.string().max(254).required(), name: Joi.string().max(210).required() };

const stripeId = rule.textLike(/^[A-Za-z0-9_]{1,100}$/);

export const packEndpoints = {
  /** Null while no pack is sold. */
  getPackOffer: operation('GET /pack-offer', {
    roles: ['user', 'service'],
    reply: { data: rule.nullable(packOffer) },
  }),
  /** Oldest first. A user without packs has an empty list. */
  listCreditPacks: operation('GET /packs/:userId', {
    roles: ['user', 'service'],
    self: 'userId',
    reply: { data: rule.listOf(creditPack) },
  }),
  /** Throws `billing.pack_not_offered` while no pack is sold. */
  openPackCheckout: byUser('POST /packs/:userId/checkout', { input: payer, reply: { url: rule.text } }),
  /** Throws `billing.checkout_not_found`, `billing.not_paid`, or `billing.pack_processing` while the payment is not confirmed. */
  confirmPackCheckout: byUser('POST /packs/:userId/confirm', {
    input: { sessionId: stripeId },
    reply: { data: creditPack },
  }),
} as const;

/** An amount in minor units of `currency` (ISO 4217, lower case), for one interval of the plan: a month, unless something else is named. */
export const price = rule.view({ amount: rule.count, currency: rule.text });
export type Price = rule.TypeOf<typeof price>;

/** `payUrl`: the page of the open invoice; null if only the billing portal helps. `since`: when billing first saw the problem. */
const paymentProblem = rule.view({
  kind: rule.oneOf(PAYMENT_PROBLEMS),
  amount: rule.nullable(rule.count),
  currency: rule.nullable(rule.text),
  payUrl: rule.nullable(rule.text),
  since: rule.nullable(rule.time),
  /** When a paused subscription resumes automatically and charges again. */
  resumesAt: rule.nullable(rule.time),
});
export type PaymentProblem = rule.TypeOf<typeof paymentProblem>;

/** The card that the subscription is charged to. `expires` is its last month, such as 2026-11. */
const cardOnFile = rule.view({ brand: rule.text, last4: rule.text, expires: rule.text });

const interval = rule.oneOf(INTERVALS);

/** What is taken off each charge of the plan: a share in percent, or an amount in minor units of `currency`. Without `endsAt`, for good. */
const planDiscount = rule.view({
  name: rule.nullable(rule.text),
  percentOff: rule.ofType<number | null>(Joi.number().allow(null).required()),
  amountOff: rule.nullable(rule.count),
  currency: rule.nullable(rule.text),
  endsAt: rule.nullable(rule.time),
});
export type PlanDiscount = rule.TypeOf<typeof planDiscount>;

export const subscriptionView = rule.view({
  plan: rule.oneOf(PLANS),
  /** Start and end of the current period, or of the latest one that has ended. */
  periodStart: rule.nullable(rule.time),
  periodEnd: rule.nullable(rule.time),
  renews: rule.flag,
  /** Whether a subscription that does not renew can be made to renew again. */
  canResume: rule.mayLack(rule.flag),
  /** The date on which a renewing subscription will end. */
  renewsUntil: rule.nullable(rule.time),
  /** What happens at the end of the period if nothing changes, and when premium ends without a further payment; null for a free plan. */
  continuation: rule.nullable(rule.oneOf(CONTINUATIONS)),
  premiumUntil: rule.nullable(rule.time),
  /** Set while a renewal is unpaid: the plan ends at this time unless the invoice is paid. */
  graceUntil: rule.nullable(rule.time),
  customerId: rule.nullable(rule.text),
  /** The price of the user's own subscription while it is ongoing, otherwise that of the current offer for a month. */
  price,
  /** How often that price is charged; a month if it is missing. */
  interval: rule.mayLack(interval),
  /** The interval that follows when the period ends; null if it stays the same. */
  nextInterval: rule.mayLack(rule.nullable(interval)),
  /** While it lasts; prices are stated before it. */
  discount: rule.mayLack(rule.nullable(planDiscount)),
  /** The days for which a new subscription of this user would be free; 0 for none. */
  trialDays: rule.mayLack(rule.count),
  /** The end of the trial in which the subscription is: nothing is charged before it. */
  trialEndsAt: rule.mayLack(rule.nullable(rule.time)),
  /** Whether the last subscription was ended at its start, because its trial was not the first of the user, the email or the card. */
  isTrialRefused: rule.mayLack(rule.flag),
  lastPayment: rule.nullable(rule.view({ amount: rule.count, currency: rule.text, paidAt: rule.time })),
  problem: rule.nullable(paymentProblem),
  /** Null for another method of payment, and until the card is first read from Stripe. */
  card: rule.mayLack(rule.nullable(cardOnFile)),
});
export type SubscriptionView = rule.TypeOf<typeof subscriptionView>;

/**
 * What a change to another interval means. Amounts are minor units of `currency`: `amount` is charged at once, after a credit for the unused time
 * of the present period and with its tax; `price` is charged again at `nextChargeAt`. `startsAt`: when the new interval begins.
 */
export const intervalPreview = rule.view({
  interval,
  amount: rule.count,
  credit: rule.count,
  tax: rule.count,
  currency: rule.text,
  price: rule.count,
  /** The time from which the unused time is credited. */
  prorationAt: rule.time,
  startsAt: rule.time,
  nextChargeAt: rule.time,
});
export type IntervalPreview = rule.TypeOf<typeof intervalPreview>;

const changeMessage = rule.oneMessage('Please look at the change again before you confirm it');

/** What the user has confirmed of a preview. */
const confirmedChange = {
  interval: interval.messages(rule.oneMessage('Choose month or year')),
  amount: rule.count.strict().messages(changeMessage),
  currency: rule.textLike(/^[a-z]{3}$/).messages(changeMessage),
  prorationAt: rule.time.messages(changeMessage),
};
export type ConfirmedChange = rule.TypeOf<typeof confirmedChange>;

const portalPage = rule.mayLack(rule.oneOf(['card']));

const subscriptionReply = rule.view({
  data: subscriptionView,
  planState: planStateSchema,
  /** Repeats `continuation` and `premiumUntil` for a bff of the release before; the next release leaves it out. */
  outlook: rule.nullable(planContinuation),
});
export type SubscriptionReply = rule.TypeOf<typeof subscriptionReply>;

const INVOICE_STATES = ['open', 'paid', 'void', 'uncollectible'] as const;

/**
 * An invoice of the plan, or of a pack of credits. `amount` was paid or is due, `refunded` was given back of it, both with tax, in minor
 * units of `currency`. `payUrl` is the page on which an open one can be paid.
 */
const invoiceView = rule.view({
  invoiceId: rule.text,
  number: rule.nullable(rule.text),
  /** Of the pack; null for one of the plan. */
  credits: rule.nullable(rule.count),
  status: rule.oneOf(INVOICE_STATES),
  /** Whether a payment was started whose result is not known yet. */
  isProcessing: rule.flag,
  amount: rule.amount,
  refunded: rule.count,
  currency: rule.text,
  periodStart: rule.nullable(rule.time),
  periodEnd: rule.nullable(rule.time),
  paidAt: rule.nullable(rule.time),
  payUrl: rule.nullable(rule.text),
});
export type InvoiceView = rule.TypeOf<typeof invoiceView>;

/** The sources of a user's credits: the plan, and the packs, oldest first. */
const creditSources = rule.view({ planState: planStateSchema, packs: rule.listOf(creditPack) });

export const billingEndpoints = {
  /** `yearly`: null while no year is sold. */
  getOffer: byService('GET /offer', { reply: { data: price, yearly: rule.mayLack(rule.nullable(price)) } }),
  /** The users of whom a text is the number of an invoice, or Stripe's id of a customer, subscription, invoice or payment. */
  findUsersByReference: byAdmin('GET /users', {
    input: { reference: Joi.string().max(100).required() },
    reply: { data: rule.listOf(rule.uuid) },
  }),
  getStripeSetup: byAdmin('GET /stripe/setup', { reply: { data: stripeSetup } }),
  getSubscription: operation('GET /subscriptions/:userId', {
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    reply: subscriptionReply,
  }),
  /** For credits, when an event may not have arrived yet. */
  getCreditSources: byService('GET /credit-sources/:userId', { reply: { data: creditSources } }),
  /** Of a month unless `interval` says otherwise. */
  openCheckout: byUser('POST /subscriptions/:userId/checkout', {
    input: { ...payer, interval: rule.mayLack(interval) },
    reply: { url: rule.text },
  }),
  confirmCheckout: byUser('POST /subscriptions/:userId/confirm', {
    input: { sessionId: stripeId },
    reply: subscriptionReply,
  }),
  grantPlan: byAdmin('POST /subscriptions/:userId/grant', {
    // With the id, a repeated call finds its own grant.
    input: { ...payer, ...grantRules, grantId: rule.mayLack(rule.uuid) },
    reply: subscriptionReply,
  }),
  /** Ends one grant and nothing else of the plan. `ended`: false unless it was in force. */
  endGrant: byAdmin('POST /subscriptions/:userId/grants/:grantId/end', {
    input: { reason: unsubscribeRules.reason },
    reply: { ended: rule.flag },
  }),
  /** Changes nothing for a free user. With `period_end`, throws `billing.period_not_paid` during a grace. */
  revokePlan: operation('POST /subscriptions/:userId/revoke', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: unsubscribeRules,
    reply: subscriptionReply,
  }),
  /**
   * Throws `billing.renewal_not_stopped` unless the subscription is ongoing and set to end, and `billing.plan_changed` if the plan is no longer of
   * `version`.
   */
  resumePlan: operation('POST /subscriptions/:userId/resume', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: { reason: unsubscribeRules.reason, version: rule.mayLack(rule.wholeNumber.min(0)) },
    reply: subscriptionReply,
  }),
  /** Throws `billing.change_refused` unless the subscription is paid, renews, and has no dispute. */
  previewInterval: byUser('POST /subscriptions/:userId/interval/preview', {
    input: { interval: confirmedChange.interval },
    reply: { data: intervalPreview },
  }),
  /**
   * A year begins at once and is charged; a month follows the paid year. Throws what the preview throws, `billing.change_outdated` if the change
   * would not be as confirmed, and `billing.change_unpaid` if the payment does not go through.
   */
  changeInterval: byUser('POST /subscriptions/:userId/interval', {
    input: confirmedChange,
    reply: subscriptionReply,
  }),
  /** Takes back a change that was to follow. Throws `billing.change_refused` if there is none. */
  keepInterval: byUser('POST /subscriptions/:userId/interval/keep', { reply: subscriptionReply }),
  /** Reads the subscription from Stripe, for a user who returns from there. */
  refreshSubscription: byUser('POST /subscriptions/:userId/refresh', { reply: subscriptionReply }),
  /** All of the user, the newest first: there are as many as payments. */
  listInvoices: operation('GET /subscriptions/:userId/invoices', {
    roles: ['user'],
    self: 'userId',
    reply: { data: rule.listOf(invoiceView) },
    public: { invoices: toUsers('/api/invoices', { whileViewing: true }) },
  }),
  /** The address of the file at Stripe, which works for a while. Throws `billing.invoice_not_found`. */
  openInvoiceFile: byUser('GET /subscriptions/:userId/invoices/:invoiceId/file', {
    input: { invoiceId: stripeId },
    reply: { url: rule.text },
  }),
  /** `card`: opens the page on which another card is entered. */
  openPortal: byUser('POST /subscriptions/:userId/portal', {
    input: { customerId: stripeId, page: portalPage },
    reply: { url: rule.text },
  }),
  earnings: operation('GET /earnings', {
    roles: ['admin', 'service'],
    input: earningsRules,
    reply: { data: earningsView },
    public: { earnings: toAdmins('/api/admin/earnings', { permission: 'revenue.read' }) },
  }),
  /** Unresolved alerts first, then the newest; at most ALERTS_MAX. */
  listAlerts: byAdmin('GET /alerts', { reply: { data: rule.listOf(alertView) } }),
  /** Throws `billing.alert_resolved` if it is already resolved. */
  resolveAlert: byAdmin('POST /alerts/:alertId/resolve', {
    input: alertChange,
    reply: { data: alertView },
    public: {
      resolveAlert: toAdmins('/api/admin/alerts/:alertId/resolve', { permission: 'alerts.resolve' }),
    },
  }),
  /** Throws `billing.alert_open` if it is open. */
  reopenAlert: byAdmin('POST /alerts/:alertId/reopen', {
    input: alertChange,
    reply: { data: alertView },
    public: { reopenAlert: toAdmins('/api/admin/alerts/:alertId/reopen', { permission: 'alerts.resolve' }) },
  }),
  /** The users with an ongoing subscription, a page by id. `next`: null on the last page. */
  listPayers: byService('GET /payers', {
    input: { after: rule.mayLack(rule.uuid) },
    reply: { data: rule.listOf(rule.uuid), next: rule.nullable(rule.uuid) },
  }),
  /** Raises an alert for each payer without an account, and resolves those that no longer hold. */
  reportPayers: byService('POST /payers', {
    input: { withoutAccount: rule.listOf(rule.uuid) },
  }),
  reconcile: byService('POST /stripe/reconcile', {
    reply: {
      checked: rule.count,
      failed: rule.count,
      repaired: rule.listOf(rule.view({ userId: rule.uuid, what: rule.text })),
    },
  }),
  endDuePlans: byService('POST /plans/end-due', { reply: { ended: rule.count, failed: rule.count } }),
  /** Emits CardExpiring for cards about to expire, and TrialEnding for trials about to end. */
  warnOfCards: byService('POST /cards/warn-due', { reply: { done: rule.count, failed: rule.count } }),
  retryInbox: byService('POST /stripe/inbox/retry', { reply: { retried: rule.count, failed: rule.count } }),
} as const;

/** The path of Stripe's webhooks. Nothing parses the body before the signature check. */
export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';

/** The largest accepted event. An invoice has a few kilobytes; its ten lines may each repeat up to 25 KB of metadata. */
export const STRIPE_WEBHOOK_BYTES = 256 * 1024;

export const publicBillingEndpoints = {
  ...addressesOf(billingEndpoints),
  system: forAdmins('GET /api/admin/system', { permission: 'system.read', reply: { data: systemView } }),
  creditPacks: forUsers('GET /api/credits/packs', { whileViewing: true, reply: { data: packsView } }),
  buyPack: forUsers('POST /api/credits/packs/checkout', { reply: { url: rule.text } }),
  confirmPack: forUsers('PUT /api/credits/packs/payment', {
    input: { xsl: stripeId.messages(rule.oneMessage('This payment link is incomplete')) },
    reply: { data: creditPack },
  }),
  subscribe: forUsers('GET /subscribe', {
    input: {
      email: rule.mayLack(Joi.string().max(254).allow('')),
      interval: rule.mayLack(interval.messages(rule.oneMessage('Choose month or year'))),
    },
    reply: { url: rule.text },
  }),
  confirmPayment: forUsers('PUT /user-payment', {
    input: {
      user: rule.mayLack(rule.ofType<object>(Joi.any())), // part of the specified call, but ignored: the session identifies the payer
      xsl: stripeId.messages(rule.oneMessage('This payment link is incomplete')),
    },
    reply: { message: rule.message, data: userView },
  }),
  cancelPlan: forUsers('POST /api/subscription/cancel', {
    input: { when: unsubscribeRules.when },
    reply: { data: subscriptionView },
  }),
  resumePlan: forUsers('POST /api/subscription/resume', { reply: { data: subscriptionView } }),
  previewInterval: forUsers('POST /api/subscription/interval/preview', {
    input: { interval: confirmedChange.interval },
    reply: { data: intervalPreview },
  }),
  changeInterval: forUsers('POST /api/subscription/interval', {
    input: confirmedChange,
    reply: { data: subscriptionView },
  }),
  keepInterval: forUsers('POST /api/subscription/interval/keep', { reply: { data: subscriptionView } }),
  refreshPlan: forUsers('POST /api/subscription/refresh', { reply: { data: subscriptionView } }),
  openInvoiceFile: forUsers('GET /api/invoices/:invoiceId/file', {
    whileViewing: true,
    input: { invoiceId: stripeId.messages(rule.oneMessage('This invoice was not found.')) },
    reply: { url: rule.text },
  }),
  billingPortal: forUsers('GET /customers/:id', {
    input: {
      id: stripeId.messages(rule.oneMessage('This billing customer was not found.')),
      page: portalPage,
    },
    reply: { url: rule.text },
  }),
  grantPlan: forAdmins('PUT /admin/user-payment/:userId', {
    permission: 'plan.grant',
    recent: true,
    input: grantRules,
    reply: { message: rule.message, data: userView },
  }),
  resumeUserPlan: forAdmins('POST /api/users/:userId/subscription/resume', {
    permission: 'plan.grant',
    recent: true,
    input: { reason: unsubscribeRules.reason },
    reply: { message: rule.message, data: userView },
  }),
  revokePlan: forAdmins('PUT /admin/unsubscribe/:userId', {
    permission: 'plan.revoke',
    recent: true,
    input: unsubscribeRules,
    reply: { message: rule.message, data: userView },
  }),
  subscription: forUsers('GET /api/subscription', { whileViewing: true, reply: { data: subscriptionView } }),
} as const;
