import Joi from 'joi';
import { PAYMENT_PROBLEMS, type PaymentProblemKind, type PlanState } from '../plan.ts';
import { planStateSchema } from '../schemas/plan.ts';
import { time } from '../schemas/parts.ts';
import { ALERT_KINDS, type AlertKind } from '../api/admin-views.ts';
import { defineEvent } from './define.ts';

/** `problem`: what keeps a payment for the plan from going through; events from before it was added have none. */
export type WithPlanState = { planState: PlanState; problem?: PaymentProblemKind | null };
/** Amounts are in minor units of `currency` (ISO 4217, lower case). */
export type PaymentSucceeded = WithPlanState & {
  invoiceId: string;
  amount: number;
  currency: string;
  paidAt: string;
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
export const PLAN_END_REASONS = [
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
export type SubscriptionChanged = WithPlanState & { reason: string };
export type AlertRaised = {
  alertId: string;
  kind: AlertKind;
  amount: number | null;
  currency: string | null;
  detail: string | null;
};

const text = Joi.string().required();
const whole = Joi.number().integer().required();
const moment = Joi.string().isoDate().allow(null).required();

/** What every event about a plan carries. */
const withPlanState = {
  planState: planStateSchema,
  problem: Joi.string<PaymentProblemKind>()
    .valid(...PAYMENT_PROBLEMS)
    .allow(null)
    .default(null),
};

export const paymentSucceeded = defineEvent<PaymentSucceeded>('billing.PaymentSucceeded.v1', {
  summary: 'An invoice was paid. Emitted once per invoice, however often Stripe reports it.',
  data: Joi.object<PaymentSucceeded, true>({
    invoiceId: text,
    amount: whole,
    currency: text,
    paidAt: time,
    ...withPlanState,
  }),
});

export const paymentFailed = defineEvent<PaymentFailed>('billing.PaymentFailed.v1', {
  summary: 'An attempt to collect an invoice failed; the plan continues until its grace ends.',
  data: Joi.object<PaymentFailed, true>({
    invoiceId: text,
    attempt: whole,
    nextAttemptAt: moment,
    // Events from before this field was added have none.
    confirmUrl: Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .allow(null)
      .default(null),
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
    reason: Joi.string()
      .valid(...PLAN_END_REASONS)
      .required(),
    ...withPlanState,
  }),
});

export const subscriptionChanged = defineEvent<SubscriptionChanged>('billing.SubscriptionChanged.v1', {
  summary:
    'The plan, or what keeps a payment for it from going through, changed without a payment: set to end, paused, resumed, or repaired by reconciliation.',
  data: Joi.object<SubscriptionChanged, true>({ reason: text, ...withPlanState }),
});

export const alertRaised = defineEvent<AlertRaised>('billing.AlertRaised.v1', {
  summary:
    'Something at the payment provider needs an operator. Emitted once per alert; the subject is the user, or the nil UUID if no user is known.',
  data: Joi.object<AlertRaised, true>({
    alertId: text,
    kind: Joi.string()
      .valid(...ALERT_KINDS)
      .required(),
    amount: Joi.number().integer().allow(null).required(),
    currency: Joi.string().allow(null).required(),
    detail: Joi.string().allow(null).required(),
  }),
});
