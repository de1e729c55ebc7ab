/** What needs an operator's eye. Each alert is about one object at Stripe, which may raise it once. */
export const ALERT_KINDS = [
  /** A payer disputes a payment at the bank; evidence is due at a date. */
  'dispute_opened',
  /** The bank decided a dispute for the payer: the money is gone, and the plan ends. */
  'dispute_lost',
  /** A card's issuer reports a payment as probably fraudulent; a dispute often follows. */
  'early_fraud_warning',
  /** Money arrived for a user who had been deleted. */
  'payment_of_deleted_user',
  /** The bank returned a refund, so the payer does not have the money. */
  'refund_failed',
  /** Stripe could not finalize an invoice, so nothing is collected. */
  'invoice_finalization_failed',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Amounts are minor units of `currency`. `objectId` is the id of Stripe's object, `userId` null when no user is known. */
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
};

/** The subject of an event about no known user. */
export const NO_USER = '00000000-0000-0000-0000-000000000000';

export const STRIPE_CHECKS = ['price', 'portal', 'webhook', 'webhook_events', 'api_version'] as const;
/** One check of the set-up at Stripe. `ok` is null while the result is unknown. */
export type StripeCheck = { name: (typeof STRIPE_CHECKS)[number]; ok: boolean | null; detail: string };
/** The last results; `checkedAt` is null before the first check. */
export type StripeSetup = { checkedAt: string | null; checks: StripeCheck[] };

/** What needs an operator's eye. */
export type SystemView = { stripe: StripeSetup; alerts: AlertView[] };
