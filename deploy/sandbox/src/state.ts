import type Stripe from 'stripe';
import type { Mail } from './mail/mail.ts';
import type { CardEntry } from './model/card.rules.ts';
import type { SavedResponse } from './stripe/saved-response.ts';
import type { Delivery } from './webhooks/delivery.ts';

export type SubscriptionDraft = {
  automaticTax?: boolean;
  metadata: Stripe.Metadata;
  description: string | null;
};

/** The data of the sandbox. Maps are in order of creation; references between Stripe's objects are ids. */
export type State = {
  offsetSeconds: number;
  customers: Map<string, Stripe.Customer>;
  deletedCustomers: Map<string, Stripe.DeletedCustomer>;
  products: Map<string, Stripe.Product>;
  prices: Map<string, Stripe.Price>;
  checkoutSessions: Map<string, Stripe.Checkout.Session>;
  lineItems: Map<string, Stripe.LineItem[]>;
  subscriptionDrafts: Map<string, SubscriptionDraft>;
  webhookEndpoints: Map<string, Stripe.WebhookEndpoint>;
  portalConfigurations: Map<string, Stripe.BillingPortal.Configuration>;
  payouts: Map<string, Stripe.Payout>;
  portalSessions: Map<string, Stripe.BillingPortal.Session>;
  subscriptions: Map<string, Stripe.Subscription>;
  invoices: Map<string, Stripe.Invoice>;
  invoicePayments: Map<string, Stripe.InvoicePayment>;
  paymentIntents: Map<string, Stripe.PaymentIntent>;
  paymentMethods: Map<string, Stripe.PaymentMethod>;
  cards: Map<string, CardEntry>;
  charges: Map<string, Stripe.Charge>;
  balanceTransactions: Map<string, Stripe.BalanceTransaction>;
  /** When the balance transaction of a paid charge is due, by charge. */
  pendingCaptures: Map<string, number>;
  refunds: Map<string, Stripe.Refund>;
  disputes: Map<string, Stripe.Dispute>;
  earlyFraudWarnings: Map<string, Stripe.Radar.EarlyFraudWarning>;
  events: Map<string, Stripe.Event>;
  deliveries: Map<string, Delivery>;
  savedResponses: Map<string, SavedResponse>;
  mails: Map<string, Mail>;
};

export const emptyState = (): State => ({
  offsetSeconds: 0,
  customers: new Map(),
  deletedCustomers: new Map(),
  products: new Map(),
  prices: new Map(),
  checkoutSessions: new Map(),
  lineItems: new Map(),
  subscriptionDrafts: new Map(),
  webhookEndpoints: new Map(),
  portalConfigurations: new Map(),
  payouts: new Map(),
  portalSessions: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  invoicePayments: new Map(),
  paymentIntents: new Map(),
  paymentMethods: new Map(),
  cards: new Map(),
  charges: new Map(),
  balanceTransactions: new Map(),
  pendingCaptures: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  earlyFraudWarnings: new Map(),
  events: new Map(),
  deliveries: new Map(),
  savedResponses: new Map(),
  mails: new Map(),
});
