// The payments of all users, for admins: one for each invoice of the plan or of a pack.
import Joi from 'joi';
import { AUDIT_PERSON_MAX, DIRECTORY_SEARCH_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, operationsOf, toAdmins } from './operation.ts';

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

const cursor = rule.optionalText(
  Joi.string()
    .pattern(/^\d{1,14}\.\w{1,64}$/)
    .messages({ 'string.pattern.base': 'Must be the cursor of a page' }),
);

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
} as const;

export const publicPaymentEndpoints = addressesOf(paymentEndpoints);
