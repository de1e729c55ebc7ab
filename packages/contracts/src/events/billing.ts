import Joi from 'joi';
import { ALERT_KINDS } from '../api/billing.ts';
import { INTERVALS, PAYMENT_PROBLEMS, type PaymentProblemKind, planStateSchema } from '../plan.ts';
import * as rule from '../schemas/validation.ts';
import { type DataOf, defineEvent, type EventType } from './define.ts';

/** Why a premium plan ended. A maintenance job of billing finds the first three, which are due to time. */
const PLAN_END_REASONS = [
  /** The paid period ended and the subscription does not renew. */
  'period_end',
  /** The grace ended without a payment of the renewal. */
  'grace_end',
  /** The time granted by an admin ended. */
  'grant_end',
  /** The subscription was canceled at Stripe before the end of its period. */
  'canceled',
  /** The payment for the current period was fully refunded. */
  'refund',
  /** The bank decided a dispute of the payment for the current period in the payer's favor. */
  'dispute',
  /** An admin ended the plan. */
  'unsubscribed',
] as const;
export type PlanEndReason = (typeof PLAN_END_REASONS)[number];

const address = Joi.string().uri({ scheme: ['http', 'https'] });

/** The invoice details of a receipt, besides the amount. `pdfUrl` and `number` are null if Stripe states none. */
const invoiceDetails = rule.view({
  number: rule.ofType<string | null>(Joi.string().allow(null).required()),
  tax: rule.amount,
  periodStart: rule.time,
  periodEnd: rule.time,
  pdfUrl: rule.ofType<string | null>(address.allow(null).required()),
});
export type InvoiceDetails = rule.TypeOf<typeof invoiceDetails>;

/** Part of every event about a plan. `problem`: why a payment has not gone through; null in events from before the field was added. */
const withPlanState = {
  planState: planStateSchema,
  problem: rule.mayLack(
    rule.ofType<PaymentProblemKind | null>(
      Joi.string()
        .valid(...PAYMENT_PROBLEMS)
        .allow(null)
        .default(null),
    ),
  ),
};
export type WithPlanState = Pick<PaymentRefunded, keyof typeof withPlanState>;

/** Amounts are in minor units of `currency` (ISO 4217, lower case). */
export const paymentSucceeded = defineEvent('billing.PaymentSucceeded.v1', {
  summary: 'An invoice was paid, or a trial began, whose invoice is one of 0. Emitted once per invoice.',
  data: {
    invoiceId: rule.nonEmptyText,
    amount: rule.amount,
    currency: rule.nonEmptyText,
    paidAt: rule.time,
    /** Null in events from before this field was added. */
    invoice: rule.ofType<InvoiceDetails | null>(invoiceDetails.optional().allow(null).default(null)),
    /** Whether it is the invoice of a trial. */
    trial: rule.mayLack(rule.ofType<boolean>(Joi.boolean().default(false))),
    ...withPlanState,
  },
});
export type PaymentSucceeded = DataOf<typeof paymentSucceeded>;

export const receiptRequested = defineEvent('billing.ReceiptRequested.v1', {
  summary: 'An admin sends a user the receipt of a payment again.',
  data: {
    invoiceId: rule.nonEmptyText,
    amount: rule.amount,
    currency: rule.nonEmptyText,
    paidAt: rule.time,
    invoice: invoiceDetails,
  },
});

export const paymentFailed = defineEvent('billing.PaymentFailed.v1', {
  summary: 'An attempt to collect an invoice failed; the plan continues until its grace ends.',
  data: {
    invoiceId: rule.nonEmptyText,
    attempt: rule.amount,
    nextAttemptAt: rule.nullable(rule.time),
    /**
     * Stripe's page on which the payer confirms the payment, if it waits for that (3-D Secure); null in events from before the field was added.
     */
    confirmUrl: rule.ofType<string | null>(address.allow(null).default(null)),
    ...withPlanState,
  },
});
export type PaymentFailed = DataOf<typeof paymentFailed>;

export const paymentRefunded = defineEvent('billing.PaymentRefunded.v1', {
  summary:
    'A payment was refunded. `amount` is the sum of all refunds of this invoice; a full refund ends the period.',
  data: { invoiceId: rule.nonEmptyText, amount: rule.amount, currency: rule.nonEmptyText, ...withPlanState },
});
export type PaymentRefunded = DataOf<typeof paymentRefunded>;

export const planGranted = defineEvent('billing.PlanGranted.v1', {
  summary: 'An admin made a user premium for a month.',
  data: { by: rule.nonEmptyText, reason: rule.nonEmptyText, ...withPlanState },
});

export const planRevoked = defineEvent('billing.PlanRevoked.v1', {
  summary:
    'A premium plan ended. `reason`: `period_end`, `grace_end`, `grant_end`, `canceled`, `refund`, `dispute` or `unsubscribed`. Emitted once per end.',
  data: { by: rule.nonEmptyText, reason: rule.oneOf(PLAN_END_REASONS), ...withPlanState },
});
export type PlanRevoked = DataOf<typeof planRevoked>;

/** `by`: as in PlanRevoked. */
export const renewalStopped = defineEvent('billing.RenewalStopped.v1', {
  summary: 'A subscription was set to end: with its paid period, or at `renewsUntil`, until which it renews.',
  data: {
    by: rule.nonEmptyText,
    /** The date until which it renews; null if the plan ends with the paid period, and in events from before the field was added. */
    renewsUntil: rule.mayLack(rule.ofType<string | null>(rule.time.allow(null).default(null))),
    ...withPlanState,
  },
});

export const renewalResumed = defineEvent('billing.RenewalResumed.v1', {
  summary: 'A subscription that was set to end renews again.',
  data: { by: rule.nonEmptyText, ...withPlanState },
});

export const cardExpiring = defineEvent('billing.CardExpiring.v1', {
  summary:
    'The card that pays the next renewal expires within 30 days. Emitted once per card and month of expiry.',
  data: {
    brand: rule.nonEmptyText,
    last4: rule.nonEmptyText,
    /** The last month of the card, such as 2026-11. */
    expires: rule.textLike(/^\d{4}-\d{2}$/),
    ...withPlanState,
  },
});

export const trialEnding = defineEvent('billing.TrialEnding.v1', {
  summary:
    'A trial that will be charged ends in four days, or in one if it is shorter than a week. Emitted once per trial.',
  data: {
    endsAt: rule.time,
    /** What is charged then, before discounts and tax; null if it cannot be said in the currency of the subscription. */
    amount: rule.nullable(rule.amount),
    currency: rule.nonEmptyText,
    interval: rule.nullable(rule.oneOf(INTERVALS)),
    ...withPlanState,
  },
});

export const subscriptionChanged = defineEvent('billing.SubscriptionChanged.v1', {
  summary:
    'The plan, or its `problem`, changed without a payment: set to end, paused, resumed, or repaired by reconciliation.',
  data: { reason: rule.nonEmptyText, ...withPlanState },
});

/** The events of a change of the plan, each with the whole plan state. */
export const planEvents: readonly EventType<WithPlanState>[] = [
  paymentSucceeded,
  paymentFailed,
  paymentRefunded,
  planGranted,
  planRevoked,
  subscriptionChanged,
];

/** An older `version` changes nothing. `paidCredits`: fewer than `credits` after a refund, none while the payment is disputed. */
export const creditPackChanged = defineEvent('billing.CreditPackChanged.v1', {
  summary: 'A pack of credits was paid, refunded or disputed, or a dispute of its payment ended.',
  data: {
    packId: rule.uuid,
    version: rule.count.min(1),
    credits: rule.count.min(1),
    paidCredits: rule.count.max(Joi.ref('credits')),
    paidAt: rule.time,
  },
});
export type CreditPackChanged = DataOf<typeof creditPackChanged>;

export const alertRaised = defineEvent('billing.AlertRaised.v1', {
  summary:
    'Something at Stripe needs an operator. Emitted once per alert; the subject is the user, or the nil UUID.',
  data: {
    alertId: rule.nonEmptyText,
    kind: rule.oneOf(ALERT_KINDS),
    amount: rule.nullable(rule.amount),
    currency: rule.nullable(rule.nonEmptyText),
    detail: rule.nullable(rule.nonEmptyText),
  },
});
export type AlertRaised = DataOf<typeof alertRaised>;
