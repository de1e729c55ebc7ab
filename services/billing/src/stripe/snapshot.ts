// What is read from Stripe, in plain shapes. Outside this folder no file knows Stripe's types.

/** Minor units for one month. */
export type PriceSnapshot = { amount: number; currency: string };

export type SubscriptionSnapshot = {
  id: string;
  status: string;
  renews: boolean;
  endedAt: Date | null;
  price: PriceSnapshot | null;
};

export type RefundSnapshot = { id: string; amount: number; createdAt: Date };

export type InvoiceSnapshot = {
  id: string;
  subscriptionId: string | null;
  status: 'open' | 'paid';
  amount: number;
  currency: string;
  paidAt: Date | null;
  attempts: number;
  nextAttemptAt: Date | null;
  period: { start: Date; end: Date };
  fee: number;
  refunds: RefundSnapshot[];
};

/** The subscriptions at our prices of one customer, newest first, and their invoices, as read at one time. */
export type CustomerSnapshot = { subscriptions: SubscriptionSnapshot[]; invoices: InvoiceSnapshot[] };
