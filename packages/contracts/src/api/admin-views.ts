import Joi from 'joi';
import { ALERT_NOTE_MAX } from '../limits.ts';
import {
  amount,
  count,
  flag,
  listOf,
  mayLack,
  nullable,
  ofText,
  oneOf,
  type Shape,
  text,
  time,
  type TypeOf,
  view,
} from '../schemas/typed.ts';
import { line, timeZoneSchema } from '../schemas/validation.ts';
import { forAdmins } from './operation.ts';

const EARNINGS_PERIODS = ['week', 'month', 'year'] as const;
export type EarningsPeriod = (typeof EARNINGS_PERIODS)[number];

export const earningsRules = { period: oneOf(EARNINGS_PERIODS), timeZone: mayLack(timeZoneSchema) };

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
  alertId: ofText(
    Joi.string()
      .max(100)
      .pattern(/^[\x21-\x7e]+$/)
      .required(),
  ),
  note: line({ required: 'Please enter a note' }, { max: ALERT_NOTE_MAX }),
};
export type AlertChange = Shape<typeof alertChange>;

const sums = { earnings: amount, expenses: amount, tax: amount };
export type EarningsSums = Shape<typeof sums>;

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

/**
 * Amounts are minor units of `currency`. `objectId` is the id of Stripe's object, `userId` null when no user is known. `note`: why an
 * admin resolved it, or opened it again; null where the product did, or nobody has.
 */
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

/** What needs an operator's eye. */
const systemView = view({ stripe: stripeSetup, alerts: listOf(alertView) });
export type SystemView = TypeOf<typeof systemView>;

/** What bff composes of what admins see of the business. */
export const publicBusinessEndpoints = {
  system: forAdmins('GET /api/admin/system', { permission: 'system.read', reply: { data: systemView } }),
} as const;
