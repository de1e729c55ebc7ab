import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type Stripe from 'stripe';
import type { Mail } from './mail/mail.ts';
import type { Fate, SuppressionList } from './mail/mailboxes.ts';
import type { CardEntry } from './model/card.rules.ts';
import { OwnedRows } from './owned-rows.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const newId = (prefix: string, length = 24): string => `${prefix}_${randomText(length)}`;

/** Returns the id of a field that contains either an id or the expanded object. */
export const refId = (reference: string | { id: string } | null | undefined): string | null => {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
};

/** The response saved under an idempotency key. */
export type SavedResponse = {
  fingerprint: string;
  status: number;
  text: string;
  requestId: string;
  createdAt: number;
};

export type Attempt = {
  at: string;
  url: string;
  status?: number;
  error?: string;
};

export type Delivery = {
  event: string;
  /** The endpoint created through the API; null for the configured one. */
  endpoint?: string | null | undefined;
  status: 'pending' | 'delivered' | 'dropped' | 'given_up';
  attempts: Attempt[];
  tries: number;
  firstAt: number;
  nextAttemptAt: number | null;
};

/** What a session in `payment` mode makes of a payment. */
export type PaymentDraft = {
  metadata: Stripe.Metadata;
  description: string | null;
  automaticTax: boolean;
  /** Of the invoice that is made after the payment. */
  invoiceMetadata: Stripe.Metadata;
};

export type SubscriptionDraft = {
  automaticTax?: boolean;
  trialDays?: number;
  metadata: Stripe.Metadata;
  description: string | null;
};

/** The data of the sandbox. Maps are in order of creation; references between Stripe's objects are ids. */
export type State = {
  offsetSeconds: number;
  customers: Map<string, Stripe.Customer>;
  deletedCustomers: Map<string, Stripe.DeletedCustomer>;
  /** Deleted customers that the search returns until then. */
  indexedCustomers: Map<string, { customer: Stripe.Customer; until: number }>;
  products: Map<string, Stripe.Product>;
  prices: Map<string, Stripe.Price>;
  checkoutSessions: Map<string, Stripe.Checkout.Session>;
  lineItems: Map<string, Stripe.LineItem[]>;
  coupons: Map<string, Stripe.Coupon>;
  promotionCodes: Map<string, Stripe.PromotionCode>;
  discounts: Map<string, Stripe.Discount>;
  subscriptionSchedules: Map<string, Stripe.SubscriptionSchedule>;
  subscriptionDrafts: Map<string, SubscriptionDraft>;
  paymentDrafts: Map<string, PaymentDraft>;
  webhookEndpoints: Map<string, Stripe.WebhookEndpoint>;
  portalConfigurations: Map<string, Stripe.BillingPortal.Configuration>;
  payouts: Map<string, Stripe.Payout>;
  portalSessions: Map<string, Stripe.BillingPortal.Session>;
  /** By customer, as the invoices and charges. */
  subscriptions: OwnedRows<Stripe.Subscription>;
  invoices: OwnedRows<Stripe.Invoice>;
  invoiceItems: Map<string, Stripe.InvoiceItem>;
  /** By invoice. */
  invoicePayments: OwnedRows<Stripe.InvoicePayment>;
  paymentIntents: Map<string, Stripe.PaymentIntent>;
  paymentMethods: Map<string, Stripe.PaymentMethod>;
  cards: Map<string, CardEntry>;
  charges: OwnedRows<Stripe.Charge>;
  balanceTransactions: Map<string, Stripe.BalanceTransaction>;
  /** When the balance transaction of a paid charge is due, by charge. */
  pendingCaptures: Map<string, number>;
  /** When the end of a trial was announced, by subscription. */
  trialsAnnounced: Map<string, number>;
  /** By charge. */
  refunds: OwnedRows<Stripe.Refund>;
  disputes: Map<string, Stripe.Dispute>;
  earlyFraudWarnings: Map<string, Stripe.Radar.EarlyFraudWarning>;
  events: Map<string, Stripe.Event>;
  deliveries: Map<string, Delivery>;
  savedResponses: Map<string, SavedResponse>;
  mails: Map<string, Mail>;
  /** What becomes of mails to these addresses. */
  mailboxes: Map<string, Fate>;
  /** The suppressed addresses, each after the list it is on. */
  suppressions: Map<string, SuppressionList>;
};

export const emptyState = (): State => ({
  offsetSeconds: 0,
  customers: new Map(),
  deletedCustomers: new Map(),
  indexedCustomers: new Map(),
  products: new Map(),
  prices: new Map(),
  checkoutSessions: new Map(),
  lineItems: new Map(),
  coupons: new Map(),
  promotionCodes: new Map(),
  discounts: new Map(),
  subscriptionSchedules: new Map(),
  subscriptionDrafts: new Map(),
  paymentDrafts: new Map(),
  webhookEndpoints: new Map(),
  portalConfigurations: new Map(),
  payouts: new Map(),
  portalSessions: new Map(),
  subscriptions: new OwnedRows(({ customer }) => refId(customer)),
  invoices: new OwnedRows(({ customer }) => refId(customer)),
  invoiceItems: new Map(),
  invoicePayments: new OwnedRows(({ invoice }) => refId(invoice)),
  paymentIntents: new Map(),
  paymentMethods: new Map(),
  cards: new Map(),
  charges: new OwnedRows(({ customer }) => refId(customer)),
  balanceTransactions: new Map(),
  pendingCaptures: new Map(),
  trialsAnnounced: new Map(),
  refunds: new OwnedRows(({ charge }) => refId(charge)),
  disputes: new Map(),
  earlyFraudWarnings: new Map(),
  events: new Map(),
  deliveries: new Map(),
  savedResponses: new Map(),
  mails: new Map(),
  mailboxes: new Map(),
  suppressions: new Map(),
});

type Endpoints = Pick<State, 'webhookEndpoints'>;

const listensTo = ({ enabled_events }: Stripe.WebhookEndpoint, type: string): boolean =>
  enabled_events.includes('*') || enabled_events.includes(type);

/** Returns the endpoints created through the API that receive events of this type. */
export const endpointsFor = ({ webhookEndpoints }: Endpoints, type: string): Stripe.WebhookEndpoint[] =>
  [...webhookEndpoints.values()].filter(
    (endpoint) => endpoint.status === 'enabled' && listensTo(endpoint, type),
  );

const SAVE_DELAY_MS = 300;

export class StateFileError extends Error {}

export type Persistence = {
  scheduleSave(): void;
  saveNow(): void;
};

const reviveMap = (_key: string, value: unknown): unknown => {
  const isMap = typeof value === 'object' && value !== null && '$entries' in value;
  return isMap ? new Map(value.$entries as [string, unknown][]) : value;
};

/** The stored rows in tables that know their owners. */
const ownedRows = (stored: Record<string, unknown>): Record<string, unknown> => {
  const tables = Object.entries(emptyState()).filter(([, table]) => table instanceof OwnedRows);
  for (const [name, table] of tables as [string, OwnedRows<unknown>][])
    for (const [id, row] of (stored[name] as Map<string, unknown> | undefined) ?? []) table.set(id, row);
  return Object.fromEntries(tables);
};

export const loadState = (file: string | null): State => {
  if (file === null || !existsSync(file)) return emptyState();
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8'), reviveMap) as Record<string, unknown>;
    return Object.assign(emptyState(), stored, ownedRows(stored));
  } catch (cause) {
    throw new StateFileError(`The state file ${file} cannot be read; remove it to start empty.`, { cause });
  }
};

const serializeMap = (_key: string, value: unknown): unknown =>
  value instanceof Map ? { $entries: [...value] } : value;

export const createPersistence = (file: string | null, currentState: () => State): Persistence => {
  if (file === null) return { scheduleSave: () => undefined, saveNow: () => undefined };
  let timer: NodeJS.Timeout | null = null;

  const saveNow = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    // Rename is atomic: a crash during the write leaves the previous file intact.
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, JSON.stringify(currentState(), serializeMap), { mode: 0o600 });
    renameSync(temporary, String(file));
  };

  const scheduleSave = (): void => {
    timer ??= setTimeout(saveNow, SAVE_DELAY_MS).unref();
  };

  return { scheduleSave, saveNow };
};

export type SandboxClock = {
  realNow(): number;
  /** The provider's time in Unix seconds while a due task runs; null when the time passes. */
  pinnedAt: number | null;
};

export const createClock = (realNow: () => number): SandboxClock => ({ realNow, pinnedAt: null });

export const runAt = (clock: SandboxClock, time: number, run: () => void): void => {
  const previous = clock.pinnedAt;
  clock.pinnedAt = time;
  try {
    run();
  } finally {
    clock.pinnedAt = previous;
  }
};
