import Joi from 'joi';
import { ALERT_NOTE_MAX } from '../limits.ts';
import {
  amount,
  count,
  flag,
  line,
  listOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  timeZoneSchema,
  view,
} from '../schemas/validation.ts';
import { forAdmins } from './public-endpoint.ts';
import type { None } from './service-endpoint.ts';

export type EarningsPeriod = 'week' | 'month' | 'year';

export type EarningsSums = { earnings: number; expenses: number; tax: number };

/**
 * Amounts in minor units, on the days on which the provider booked them. Earnings are paid invoices and expenses are refunds, both
 * without their tax, disputes and the provider's fees; `tax` is what was paid of it less what was refunded. Sums in currencies other than
 * `currency` are in `others` and never added. `unknownFees` is the number of payments whose fee the provider has not stated yet.
 */
export type EarningsView = EarningsSums & {
  currency: string;
  from: string;
  to: string;
  buckets: (EarningsSums & { start: string })[];
  others: (EarningsSums & { currency: string })[];
  unknownFees: number;
};

export type EarningsQuery = { period: EarningsPeriod; timeZone?: string };

export const earningsRules: Joi.StrictSchemaMap<EarningsQuery> = {
  period: Joi.string<EarningsPeriod>().valid('week', 'month', 'year').required(),
  timeZone: timeZoneSchema,
};

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

/**
 * Amounts are minor units of `currency`. `objectId` is the id of Stripe's object, `userId` null when no user is known. `note`: why an
 * admin resolved it, or opened it again; null where the product did, or nobody has.
 */
export type AlertView = {
  id: string;
  kind: AlertKind;
  userId: string | null;
  objectId: string;
  amount: number | null;
  currency: string | null;
  detail: string | null;
  raisedAt: string;
  resolvedAt: string | null;
  note: string | null;
};

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

/** One check of the set-up at Stripe. `ok` is null while the result is unknown. */
export type StripeCheck = { name: (typeof STRIPE_CHECKS)[number]; ok: boolean | null; detail: string };

/** The last results; `checkedAt` is null before the first check. */
export type StripeSetup = { checkedAt: string | null; checks: StripeCheck[] };

/** What needs an operator's eye. */
export type SystemView = { stripe: StripeSetup; alerts: AlertView[] };

export type AlertChange = { alertId: string; note: string };

export const alertChange: Joi.StrictSchemaMap<AlertChange> = {
  // A kind and an id of the provider's.
  alertId: Joi.string()
    .max(100)
    .pattern(/^[\x21-\x7e]+$/)
    .required(),
  note: line({ required: 'Please enter a note' }, { max: ALERT_NOTE_MAX }),
};

const sums = { earnings: amount, expenses: amount, tax: amount };

const earningsView = view<EarningsView>({
  ...sums,
  currency: text,
  from: time,
  to: time,
  buckets: listOf(Joi.object({ ...sums, start: text })),
  others: listOf(Joi.object({ ...sums, currency: text })),
  unknownFees: count,
});

const alertView = view<AlertView>({
  id: text,
  kind: oneOf(ALERT_KINDS),
  userId: nullableText,
  objectId: text,
  amount: amount.allow(null),
  currency: nullableText,
  detail: nullableText,
  raisedAt: time,
  resolvedAt: nullableTime,
  note: nullableText,
});

const systemView = Joi.object({
  stripe: view<StripeSetup>({
    checkedAt: nullableTime,
    checks: listOf(view<StripeCheck>({ name: oneOf(STRIPE_CHECKS), ok: flag.allow(null), detail: text })),
  }),
  alerts: listOf(alertView),
}).required();

/** What admins see of the business, and of what needs their eye. */
export const publicBusinessEndpoints = {
  earnings: forAdmins<EarningsQuery, { data: EarningsView }>({
    method: 'GET',
    path: '/api/admin/earnings',
    permission: 'revenue.read',
    input: earningsRules,
    reply: { data: earningsView },
  }),
  system: forAdmins<None, { data: SystemView }>({
    method: 'GET',
    path: '/api/admin/system',
    permission: 'system.read',
    reply: { data: systemView },
  }),
  resolveAlert: forAdmins<AlertChange, { data: AlertView }>({
    method: 'POST',
    path: '/api/admin/alerts/:alertId/resolve',
    permission: 'alerts.resolve',
    input: alertChange,
    reply: { data: alertView },
  }),
  reopenAlert: forAdmins<AlertChange, { data: AlertView }>({
    method: 'POST',
    path: '/api/admin/alerts/:alertId/reopen',
    permission: 'alerts.resolve',
    input: alertChange,
    reply: { data: alertView },
  }),
} as const;
