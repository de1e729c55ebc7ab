// Data read from Stripe, as plain types. No file outside this folder uses Stripe's types.
import type { PlanDiscount } from '@shortlist/contracts/api/billing';
import type { Interval } from '@shortlist/contracts/plan';

/** Minor units, for one interval of the plan. */
export type PriceSnapshot = { amount: number; currency: string };

/** The price of a pack, which is paid once. */
export type PackPriceSnapshot = PriceSnapshot & { credits: number };

/** The card that a subscription is charged to. `expires` is its last month, such as 2026-11. */
export type CardSnapshot = { id: string; brand: string; last4: string; expires: string };

export type SubscriptionSnapshot = {
  id: string;
  status: string;
  /** Whether one of its items is at a price of the plan; false after it was moved to another price. */
  sellsPlan: boolean;
  /** How often the plan is charged; null if it sells none, or at another interval. */
  interval: Interval | null;
  /** Whether it continues with another period, as far as `endsAt` allows. */
  renews: boolean;
  /** When it ends, if not with the current period. */
  endsAt: Date | null;
  startedAt: Date;
  canceledAt: Date | null;
  endedAt: Date | null;
  /** When a pause of its collection ends automatically. */
  resumesAt: Date | null;
  /** Our own mark (`CANCEL_REASONS`) on a subscription that we canceled, otherwise Stripe's reason. */
  cancelReason: string | null;
  /** We canceled it because its newest payment was refunded or its dispute lost. */
  isCanceledForReturn: boolean;
  price: PriceSnapshot | null;
  /** Of its charges: a price may be offered in several currencies. */
  currency: string;
  /** The interval that follows with the next period; null if it stays the same. */
  nextInterval: Interval | null;
  /** What changes the subscription by itself in a later period; null if nothing does. */
  scheduleId: string | null;
  /** Whether somebody else ordered that, as in Stripe's dashboard. */
  isScheduledElsewhere: boolean;
  /** What is taken off the next invoice; null for nothing, and if not read. */
  discount: PlanDiscount | null;
  /** Null for other payment methods, and if not read. */
  card: CardSnapshot | null;
  /** Of a subscription that one of our checkouts began with a trial; null for any other, whatever it was given at Stripe. */
  trial: TrialSnapshot | null;
  /** We canceled it at its start, because its user had no right to a trial. */
  isTrialRefused: boolean;
};

/** `cardPrint` is the same for the same card of every customer; null without a card, and if not read. */
export type TrialSnapshot = { endsAt: Date; cardPrint: string | null };

/**
 * `order`: the idempotency key of an admin who made it here; null for any other refund. `takesCredits`: the admin chose to take back its share of
 * the month's credits.
 */
export type RefundSnapshot = {
  id: string;
  amount: number;
  createdAt: Date;
  order: string | null;
  takesCredits: boolean;
};

/** `failedAt` is when the money was back in the balance; null while Stripe does not state it. */
export type ReturnedRefund = RefundSnapshot & { failedAt: Date | null };

/**
 * Stripe's fee for a payment, and the payment as it reached the balance, in minor units of the balance's currency. The exchange rate is null if
 * that is the invoice's currency. `bookedAt` is when all of it had reached the balance; null without a payment.
 */
export type FeeSnapshot = {
  amount: number;
  currency: string;
  settlementAmount: number;
  exchangeRate: number | null;
  bookedAt: Date | null;
};

export type InvoiceStatus = 'open' | 'paid' | 'void' | 'uncollectible';

export type InvoiceSnapshot = {
  id: string;
  number: string | null;
  subscriptionId: string | null;
  billingReason: string | null;
  /** The credits of the invoiced pack; null for an invoice of the plan. */
  credits: number | null;
  /** Whether it sold a trial of ours, the first period of a subscription, at 0. */
  isTrial: boolean;
  /** Whether it also charges for something else: another product, or a one-off charge. */
  sellsMore: boolean;
  status: InvoiceStatus;
  amount: number;
  currency: string;
  /** Before discounts and taxes; `total` is after both. */
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** What its periods of the plan come to in one month, without tax and after discounts; null without such a period. */
  monthlyAmount: number | null;
  paidAt: Date | null;
  attempts: number;
  nextAttemptAt: Date | null;
  period: { start: Date; end: Date };
  /** Stripe's page on which an open invoice can be paid and its payment confirmed. */
  hostedUrl: string | null;
  pdfUrl: string | null;
  /** A payment of an open invoice is in progress, as with a bank debit. */
  isProcessing: boolean;
  /** The payment of an open invoice waits for the payer's confirmation (3-D Secure). */
  needsAuthentication: boolean;
  /** Null while unknown: Stripe may capture a payment some time after it succeeded. */
  fee: FeeSnapshot | null;
  /** When an attempt to collect it first failed; null if none did. */
  failedAt: Date | null;
  /** The charge that paid the invoice; null if there is none or several. */
  chargeId: string | null;
  /** The last payment that was begun for the invoice; null without one. */
  paymentIntentId: string | null;
  refunds: RefundSnapshot[];
  /** Refunds that the bank returned; the payer does not have their money. */
  failedRefunds: RefundSnapshot[];
  /** Refunds that failed or were canceled after their money had left the balance. */
  returnedRefunds: ReturnedRefund[];
};

/** `transactions` are the money that the dispute moved: `amount` was withdrawn, or given back if negative. */
export type DisputeSnapshot = {
  id: string;
  invoiceId: string;
  chargeId: string;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  openedAt: Date;
  evidenceDueAt: Date | null;
  transactions: { id: string; amount: number; fee: number; currency: string; createdAt: Date }[];
};

/** Money on its way from Stripe's balance to the bank. */
export type PayoutSnapshot = {
  id: string;
  amount: number;
  currency: string;
  status: string;
  arrivalAt: Date;
  createdAt: Date;
};

/**
 * A customer's subscriptions that sell or have sold the plan, newest first, with the invoices of the plan and of packs, and the disputes of
 * both, as read at one time. `invoices` are only those of the plan, so that no rule mistakes a pack for a payment of the plan. `foreign` are
 * the subscriptions that never sold the plan.
 */
export type CustomerSnapshot = {
  subscriptions: SubscriptionSnapshot[];
  foreign: SubscriptionSnapshot[];
  invoices: InvoiceSnapshot[];
  packs: InvoiceSnapshot[];
  disputes: DisputeSnapshot[];
};
