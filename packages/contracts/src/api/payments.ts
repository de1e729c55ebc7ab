// The payments of all users, for admins: one for each invoice of the plan or of a pack.
import Joi from 'joi';
import { ALERT_NOTE_MAX, AUDIT_PERSON_MAX, DIRECTORY_SEARCH_MAX, REFUND_REASON_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { auditEntry } from './audit.ts';
import { addressesOf, forAdmins, operationsOf, toAdmins } from './operation.ts';
import { STRIPE_EVENT_STATES } from './system.ts';

/**
 * What became of a payment. `past_due`: an attempt to collect it has failed, and it can still be paid. `failed`: given up. `disputed`: a
 * dispute or an inquiry is undecided, or the bank decided for the payer; this comes before what was refunded.
 */
export const PAYMENT_STATES = [
  'paid',
  'partly_refunded',
  'refunded',
  'disputed',
  'processing',
  'open',
  'past_due',
  'failed',
  'void',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYMENT_SUBJECTS = ['plan', 'pack'] as const;

const optionalOneOf = <const Value extends string>(values: readonly Value[]) =>
  rule.mayLack(rule.oneOf(values).empty(''));
const instant = rule.optionalText(Joi.string().isoDate());

/**
 * A payment's date is when it was paid, or while it is not, the start of what it pays for. By this date payments are filtered, `from`
 * (inclusive) and `to` (exclusive), and listed, newest first. `search`: the number of an invoice, or Stripe's id of an invoice, payment, charge,
 * customer or subscription; bff also takes the start of a name or an email, and sends `users`, their ids.
 */
const filters = {
  search: rule.optionalText(Joi.string().trim().max(DIRECTORY_SEARCH_MAX)),
  users: rule.mayLack(rule.idList(AUDIT_PERSON_MAX)),
  state: optionalOneOf(PAYMENT_STATES),
  for: optionalOneOf(PAYMENT_SUBJECTS),
  from: instant,
  to: instant,
};
export type PaymentFilters = rule.TypeOf<typeof filters>;

const cursor = rule.timeCursor(/\w{1,64}/);

/** An amount in minor units of its own currency. */
const money = rule.view({ amount: rule.amount, currency: rule.text });

/**
 * Amounts are minor units of `currency`, and `amount` was paid or is due, with tax and after the discount. `fee` is null while it is unknown,
 * which is different from 0, and may be in another currency. Name and email are empty for a deleted user. `dispute` is the newest one.
 */
const payment = {
  invoiceId: rule.text,
  number: rule.nullable(rule.text),
  user: rule.view({ id: rule.uuid, name: rule.text, email: rule.text }),
  /** Of the pack; null for the plan. */
  credits: rule.nullable(rule.count),
  state: rule.oneOf(PAYMENT_STATES),
  date: rule.time,
  amount: rule.amount,
  currency: rule.text,
  tax: rule.amount,
  discount: rule.amount,
  fee: rule.nullable(money),
  refunded: rule.count,
  attempts: rule.count,
  dispute: rule.nullable(rule.view({ status: rule.text, evidenceDueAt: rule.nullable(rule.time) })),
};
const paymentRow = rule.view(payment);
export type PaymentRow = rule.TypeOf<typeof paymentRow>;

/**
 * All that a filter finds, in one currency: `count` payments, what was `collected` by those that were paid, `returned` by refunds and
 * disputes, and `fees`, also those of disputes and of payments in other currencies that the provider charged in this one. Sums of currencies
 * are never added. `unknownFees` is the number of payments whose fee is in no sum yet.
 */
const paymentTotal = rule.view({
  currency: rule.text,
  count: rule.count,
  collected: rule.amount,
  returned: rule.amount,
  fees: rule.amount,
  net: rule.amount,
  unknownFees: rule.count,
});
export type PaymentTotal = rule.TypeOf<typeof paymentTotal>;

const refund = rule.view({
  refundId: rule.text,
  amount: rule.count,
  createdAt: rule.time,
  /** When the bank returned the money, so that the payer does not have it. */
  failedAt: rule.nullable(rule.time),
});
export type PaymentRefund = rule.TypeOf<typeof refund>;

/** `withdrawn` is the money that it moved out of the balance, in the currency of the balance, and `fee` what it cost. */
const dispute = rule.view({
  disputeId: rule.text,
  amount: rule.amount,
  currency: rule.text,
  reason: rule.text,
  status: rule.text,
  openedAt: rule.time,
  evidenceDueAt: rule.nullable(rule.time),
  closedAt: rule.nullable(rule.time),
  withdrawn: rule.nullable(money),
  fee: rule.nullable(money),
});
export type PaymentDispute = rule.TypeOf<typeof dispute>;

/** What a refund of all that is left ends: the pack, the plan, because the user's paid period is that of this payment, or nothing. */
const REFUND_EFFECTS = ['plan', 'pack', 'nothing'] as const;

/** An event of the provider about a payment, as the System screen has it. The provider's are kept for 30 days after they were handled. */
const paymentEvent = rule.view({
  eventId: rule.text,
  type: rule.text,
  state: rule.oneOf(STRIPE_EVENT_STATES),
  receivedAt: rule.time,
});
export type PaymentEvent = rule.TypeOf<typeof paymentEvent>;

/**
 * `left`: what can be refunded here, 0 unless one charge paid the invoice, and while a dispute withholds its money. `canRetry`: whether the
 * invoice can be charged to the method on file. `hasReceipt`: whether its receipt can be emailed again. Ids are the provider's.
 */
const paymentDetail = rule.view({
  ...payment,
  left: rule.count,
  effect: rule.oneOf(REFUND_EFFECTS),
  canRetry: rule.flag,
  hasReceipt: rule.flag,
  periodStart: rule.nullable(rule.time),
  periodEnd: rule.nullable(rule.time),
  paidAt: rule.nullable(rule.time),
  // The release before lacks these three.
  /** When an attempt to collect it first failed. */
  failedAt: rule.mayLack(rule.nullable(rule.time)),
  /** Of a payment that is open. */
  nextAttemptAt: rule.mayLack(rule.nullable(rule.time)),
  /** The newest first. */
  events: rule.mayLack(rule.listOf(paymentEvent)),
  customerId: rule.nullable(rule.text),
  subscriptionId: rule.nullable(rule.text),
  chargeId: rule.nullable(rule.text),
  paymentIntentId: rule.nullable(rule.text),
  /** The invoice at the provider, with its file. */
  invoiceUrl: rule.nullable(rule.text),
  refunds: rule.listOf(refund),
  disputes: rule.listOf(dispute),
});
export type PaymentDetail = rule.TypeOf<typeof paymentDetail>;

/** What an admin, or the product, did with a payment. `text` is the reason or the note; null where there is none. */
const paymentAct = rule.view({
  id: rule.uuid,
  at: rule.time,
  action: rule.text,
  by: rule.text,
  text: rule.nullable(rule.text),
  refundId: rule.nullable(rule.text),
});
export type PaymentAct = rule.TypeOf<typeof paymentAct>;

const invoiceId = rule.textLike(/^\w{1,64}$/).messages(rule.oneMessage('This payment was not found.'));

/**
 * In minor units of the payment's currency. The header Idempotency-Key names the refund: repeated, it is made once. `left` is what the admin
 * saw as left: of two who refund a part of the same payment, one has to look again. `takesCredits`: a refund of a part of a payment for the plan
 * takes back its share of what is left of the present month's credits. A refund of a pack always does.
 */
export const refundRules = {
  invoiceId,
  amount: rule.count.min(1).max(2_147_483_647).messages(rule.oneMessage('Please enter the amount to refund')),
  left: rule.count,
  reason: rule.line({ required: 'Please enter a reason' }, { max: REFUND_REASON_MAX }),
  takesCredits: rule.mayLack(rule.flag),
};
export type RefundInput = rule.TypeOf<typeof refundRules>;

const CHANGES = { permission: 'payments.refund', recent: true } as const;

const byAdmin = operationsOf('billing', { roles: ['admin'] });

export const paymentEndpoints = {
  /** PAYMENTS_PAGE payments; `cursor` is `next` of the page before. */
  listPayments: byAdmin('GET /payments', {
    input: { ...filters, cursor },
    reply: { data: rule.listOf(paymentRow), next: rule.nextCursor },
    public: { payments: toAdmins('/api/admin/payments', { permission: 'revenue.read' }) },
  }),
  sumPayments: byAdmin('GET /payments/totals', {
    input: filters,
    reply: { data: rule.listOf(paymentTotal) },
    public: { paymentTotals: toAdmins('/api/admin/payments/totals', { permission: 'revenue.read' }) },
  }),
  /** All that the filters find. With names and emails, so it needs what the export of users needs, and is recorded. */
  exportPayments: byAdmin('GET /payments.csv', {
    input: filters,
    reply: 'text',
    public: {
      exportPayments: toAdmins('/api/admin/payments.csv', { permission: 'users.export', recent: true }),
    },
  }),
  /** With the entries of the audit log about it. Throws `billing.invoice_not_found`. */
  getPayment: byAdmin('GET /payments/:invoiceId', {
    input: { invoiceId },
    reply: { data: paymentDetail, entries: rule.listOf(auditEntry) },
  }),
  /**
   * Refunds a part, or all that is left; what that means for the plan or the pack holds before the reply. Throws
   * `billing.refund_too_high`, `billing.payment_changed`, `billing.payment_not_refundable`, `billing.refund_refused`, and `billing.key_reused` for a key that named
   * another amount or choice.
   */
  refundPayment: byAdmin('POST /payments/:invoiceId/refunds', {
    input: refundRules,
    reply: { data: refund },
    public: {
      refundPayment: toAdmins('/api/admin/payments/:invoiceId/refunds', CHANGES),
    },
  }),
  /**
   * Charges a past-due invoice to the method on file now. Throws `billing.payment_declined`, and `billing.invoice_not_payable` for one that
   * is paid, being paid, or of a subscription that has ended.
   */
  retryPayment: byAdmin('POST /payments/:invoiceId/pay', {
    input: { invoiceId },
    reply: { state: rule.oneOf(PAYMENT_STATES) },
    public: { retryPayment: toAdmins('/api/admin/payments/:invoiceId/pay', CHANGES) },
  }),
  /** Emails the user the receipt of a payment for the plan, once for each request. Throws `billing.no_receipt`. */
  sendReceipt: byAdmin('POST /payments/:invoiceId/receipt', {
    input: { invoiceId },
    public: { sendReceipt: toAdmins('/api/admin/payments/:invoiceId/receipt', CHANGES) },
  }),
  /** Adds a note to the audit log. Throws `billing.dispute_not_found`. */
  noteDispute: byAdmin('POST /payments/:invoiceId/disputes/:disputeId/notes', {
    input: {
      invoiceId,
      disputeId: rule.textLike(/^\w{1,64}$/).messages(rule.oneMessage('This dispute was not found.')),
      note: rule.line({ required: 'Please enter a note' }, { max: ALERT_NOTE_MAX }),
    },
    public: {
      noteDispute: toAdmins('/api/admin/payments/:invoiceId/disputes/:disputeId/notes', CHANGES),
    },
  }),
} as const;

export const publicPaymentEndpoints = {
  ...addressesOf(paymentEndpoints),
  payment: forAdmins('GET /api/admin/payments/:invoiceId', {
    permission: 'revenue.read',
    input: { invoiceId },
    reply: { data: paymentDetail, acts: rule.listOf(paymentAct) },
  }),
} as const;
