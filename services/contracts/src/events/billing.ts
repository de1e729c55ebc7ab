import Joi from 'joi';
import { PAYMENT_PROBLEMS, type PaymentProblemKind, type PlanState, planStateSchema } from '../plan.ts';
import { oneOf, time } from '../schemas/typed.ts';

import { ALERT_KINDS, type AlertKind } from '../api/admin-views.ts';
import { defineEvent } from './define.ts';

/** `problem`: what keeps a payment for the plan from going through; events from before it was added have none. */
export type WithPlanState = { planState: PlanState; problem?: PaymentProblemKind | null };
/** What a receipt says of an invoice beside its amount. `pdfUrl` is the provider's page; like `number`, null where it states none. */
export type InvoiceDetails = {
  number: string | null;
  tax: number;
  periodStart: string;
  periodEnd: string;
  pdfUrl: string | null;
};
/** Amounts are in minor units of `currency` (ISO 4217, lower case). */
export type PaymentSucceeded = WithPlanState & {
  invoiceId: string;
  amount: number;
  currency: string;
  paidAt: string;
  /** Null in events from before this field was added. */
  invoice: InvoiceDetails | null;
};
/** `confirmUrl`: the provider's page on which the payer confirms the payment, if that is what it waits for (3-D Secure). */
export type PaymentFailed = WithPlanState & {
  invoiceId: string;
  attempt: number;
  nextAttemptAt: string | null;
  confirmUrl: string | null;
};
export type PaymentRefunded = WithPlanState & { invoiceId: string; amount: number; currency: string };
export type PlanGranted = WithPlanState & { by: string; reason: string };
/** Why a premium plan ended. The first three are ends by time, which a maintenance job of billing finds. */
const PLAN_END_REASONS = [
  /** The paid period ended and the subscription does not renew. */
  'period_end',
  /** The grace ended without a payment of the renewal. */
  'grace_end',
  /** The month granted by an admin ended. */
  'grant_end',
  /** The subscription was canceled at Stripe before the end of its period. */
  'canceled',
  /** The payment for the current period was fully refunded. */
  'refund',
  /** The bank decided a dispute of the payment for the current period for the payer. */
  'dispute',
  /** An admin ended the plan. */
  'unsubscribed',
] as const;
export type PlanEndReason = (typeof PLAN_END_REASONS)[number];
export type PlanRevoked = WithPlanState & { by: string; reason: PlanEndReason };
/**
 * `by`: as in PlanRevoked. The plan lasts until the end of its paid period; with `renewsUntil` it renews until then. Events from before
 * that was added have none.
 */
export type RenewalStopped = WithPlanState & { by: string; renewsUntil?: string | null };
export type RenewalResumed = WithPlanState & { by: string };
/** `expires` is the last month of the card, such as 2026-11. */
export type CardExpiring = WithPlanState & { brand: string; last4: string; expires: string };
export type SubscriptionChanged = WithPlanState & { reason: string };
export type AlertRaised = {
  alertId: string;
  kind: AlertKind;
  amount: number | null;
  currency: string | null;
  detail: string | null;
};

/**
 * A pack of credits as it is now. `version` grows with every change of the pack; an older one changes nothing. `paidCredits`: how many of
 * its `credits` are paid for, which is fewer after a refund and none while the payment is disputed.
 */
export type CreditPackChanged = {
  packId: string;
  version: number;
  credits: number;
  paidCredits: number;
  paidAt: string;
};

const text = Joi.string().required();
const whole = Joi.number().integer().required();
const moment = Joi.string().isoDate().allow(null).required();
const address = Joi.string().uri({ scheme: ['http', 'https'] });

const invoiceDetails = Joi.object<InvoiceDetails, true>({
  number: Joi.string().allow(null).required(),
  tax: whole,
  periodStart: time,
  periodEnd: time,
  pdfUrl: address.allow(null).required(),
});

/** What every event about a plan carries. */
const withPlanState = {
  planState: planStateSchema,
  problem: Joi.string<PaymentProblemKind>()
    .valid(...PAYMENT_PROBLEMS)
    .allow(null)
    .default(null),
};

export const paymentSucceeded = defineEvent<PaymentSucceeded>('billing.PaymentSucceeded.v1', {
  summary: 'An invoice was paid. Emitted once per invoice.',
  data: Joi.object<PaymentSucceeded, true>({
    invoiceId: text,
    amount: whole,
    currency: text,
    paidAt: time,
    // Null in events from before this field was added.
    invoice: invoiceDetails.allow(null).default(null),
    ...withPlanState,
  }),
});

export const paymentFailed = defineEvent<PaymentFailed>('billing.PaymentFailed.v1', {
  summary: 'An attempt to collect an invoice failed; the plan continues until its grace ends.',
  data: Joi.object<PaymentFailed, true>({
    invoiceId: text,
    attempt: whole,
    nextAttemptAt: moment,
    // Null in events from before this field was added.
    confirmUrl: address.allow(null).default(null),
    ...withPlanState,
  }),
});

export const paymentRefunded = defineEvent<PaymentRefunded>('billing.PaymentRefunded.v1', {
  summary:
    'A payment was refunded. `amount` is the sum of all refunds of this invoice; a full refund ends the period.',
  data: Joi.object<PaymentRefunded, true>({
    invoiceId: text,
    amount: whole,
    currency: text,
    ...withPlanState,
  }),
});

export const planGranted = defineEvent<PlanGranted>('billing.PlanGranted.v1', {
  summary: 'An admin made a user premium for a month.',
  data: Joi.object<PlanGranted, true>({ by: text, reason: text, ...withPlanState }),
});

export const planRevoked = defineEvent<PlanRevoked>('billing.PlanRevoked.v1', {
  summary:
    'A premium plan ended. `reason`: `period_end`, `grace_end`, `grant_end`, `canceled`, `refund`, `dispute` or `unsubscribed`. Emitted once per end.',
  data: Joi.object<PlanRevoked, true>({
    by: text,
    reason: oneOf(PLAN_END_REASONS),
    ...withPlanState,
  }),
});

export const renewalStopped = defineEvent<RenewalStopped>('billing.RenewalStopped.v1', {
  summary: 'A subscription was set to end: with its paid period, or at `renewsUntil`, until which it renews.',
  data: Joi.object<RenewalStopped, true>({
    by: text,
    renewsUntil: time.allow(null).optional().default(null),
    ...withPlanState,
  }),
});

export const renewalResumed = defineEvent<RenewalResumed>('billing.RenewalResumed.v1', {
  summary: 'A subscription that was set to end renews again.',
  data: Joi.object<RenewalResumed, true>({ by: text, ...withPlanState }),
});

export const cardExpiring = defineEvent<CardExpiring>('billing.CardExpiring.v1', {
  summary:
    'The card that pays the next renewal expires within 30 days. Emitted once per card and month of expiry.',
  data: Joi.object<CardExpiring, true>({
    brand: text,
    last4: text,
    expires: Joi.string()
      .pattern(/^\d{4}-\d{2}$/)
      .required(),
    ...withPlanState,
  }),
});

export const subscriptionChanged = defineEvent<SubscriptionChanged>('billing.SubscriptionChanged.v1', {
  summary:
    'The plan, or its `problem`, changed without a payment: set to end, paused, resumed, or repaired by reconciliation.',
  data: Joi.object<SubscriptionChanged, true>({ reason: text, ...withPlanState }),
});

export const creditPackChanged = defineEvent<CreditPackChanged>('billing.CreditPackChanged.v1', {
  summary: 'A pack of credits was paid, refunded or disputed, or a dispute of its payment ended.',
  data: Joi.object<CreditPackChanged, true>({
    packId: Joi.string().uuid().required(),
    version: Joi.number().integer().min(1).required(),
    credits: Joi.number().integer().min(1).required(),
    paidCredits: Joi.number().integer().min(0).max(Joi.ref('credits')).required(),
    paidAt: time,
  }),
});

export const alertRaised = defineEvent<AlertRaised>('billing.AlertRaised.v1', {
  summary:
    'Something at Stripe needs an operator. Emitted once per alert; the subject is the user, or the nil UUID.',
  data: Joi.object<AlertRaised, true>({
    alertId: text,
    kind: oneOf(ALERT_KINDS),
    amount: Joi.number().integer().allow(null).required(),
    currency: Joi.string().allow(null).required(),
    detail: Joi.string().allow(null).required(),
  }),
});
