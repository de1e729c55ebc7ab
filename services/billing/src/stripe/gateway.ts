import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import {
  amountOf,
  type CheckoutKind,
  type CheckoutOptions,
  createPackPriceFinder,
  createPortalOpener,
  createPriceFinder,
  expireSession,
  kindOf,
  listOpenSessions,
  type OpenSession,
  type Order,
  type PackPriceFinder,
  type PortalOrder,
  type PriceFinder,
  toSessionParams,
} from './checkouts.ts';
import {
  callStripe,
  CustomerMissing,
  isCustomerMissing,
  isDeclined,
  isInvalidRequest,
  isKeyReused,
  isMissing,
  isRefused,
} from './client.ts';
import {
  type CancelReason,
  CREDITS_KEY,
  CREDITS_TAKEN,
  creditsOf,
  idOf,
  ORDER_KEY,
  toSubscription,
  trialDaysOf,
  USER_KEY,
} from './from-stripe.ts';
import { ALL, PAGE } from './embedded-lists.ts';
import {
  createInvoiceLister,
  type EventFilter,
  listCharges,
  listDisputes,
  type ListedCharge,
  type ListedDispute,
  type ListedEvent,
  type ListedInvoice,
  type ListedRefund,
  type ListedTransaction,
  type ListedSubscription,
  listEvents,
  listPayouts,
  listRefunds,
  listSubscriptions,
  listTransactions,
  type Page,
  toPayout,
} from './lists.ts';
import type { ReserveRead } from './call-budget.ts';
import { type IntervalChanges, intervalChangesOf, releaseSchedule } from './interval-changes.ts';
import { createPlanPriceFinder, type FindPlanPrices } from './plan-prices.ts';
import { createCustomerReader } from './read-customer.ts';
import type {
  CustomerSnapshot,
  DisputeSnapshot,
  PayoutSnapshot,
  PriceSnapshot,
  SubscriptionSnapshot,
} from './snapshot.ts';
import type { StripeTime } from './stripe-time.ts';

const intentOf = ({ payment: { payment_intent: intent } }: Stripe.InvoicePayment): string | null =>
  typeof intent === 'string' ? intent : (intent?.id ?? null);

type Part = { invoiceId: string; intent: string };

const refundPart = async (stripe: Stripe, { invoiceId, intent }: Part): Promise<string | null> => {
  const idempotencyKey = `refund:${invoiceId}:${intent}`;
  const params = { payment_intent: intent, metadata: { invoice: invoiceId } };
  try {
    await stripe.refunds.create(params, { idempotencyKey });
    return null;
  } catch (error) {
    if (isInvalidRequest(error)) return error.message;
    throw error;
  }
};

/**
 * Refunds everything that was paid for an invoice and not yet refunded. The idempotency keys are derived from the invoice, so a repeated call
 * refunds once. Returns Stripe's reason for a refusal, for example of a disputed payment, or null. A refused part does not prevent the other
 * refunds.
 */
const refundInvoice = async (stripe: Stripe, invoiceId: string): Promise<string | null> => {
  const paid = stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid', limit: PAGE });
  const intents = (await paid.autoPagingToArray(ALL)).map(intentOf).filter((id) => id !== null);
  let refusal: string | null = null;
  for (const intent of intents) refusal = (await refundPart(stripe, { invoiceId, intent })) ?? refusal;
  return refusal;
};

/** A refund that an admin orders. `order` names it: it is made once. */
export type RefundOrder = {
  invoiceId: string;
  chargeId: string;
  amount: number;
  order: string;
  takesCredits: boolean;
};

const refundCharge = async (
  stripe: Stripe,
  { invoiceId, chargeId, amount, order, takesCredits }: RefundOrder,
): Promise<{ refundId: string } | { refusal: string }> => {
  // What every later reading, also after a restore, finds of the choice.
  const choice = takesCredits ? { [CREDITS_KEY]: CREDITS_TAKEN } : {};
  const params = {
    charge: chargeId,
    amount,
    metadata: { invoice: invoiceId, [ORDER_KEY]: order, ...choice },
  };
  try {
    const { id } = await stripe.refunds.create(params, {
      idempotencyKey: `order:${invoiceId}:${order}:${amount}${takesCredits ? ':credits' : ''}`,
    });
    return { refundId: id };
  } catch (error) {
    if (isInvalidRequest(error)) return { refusal: error.message };
    throw error;
  }
};

export type CheckoutState = {
  kind: CheckoutKind;
  customerId: string | null;
  userId: string | null;
  status: string;
  /** Also true if the amount was 0; the invoice determines whether a period was sold. */
  paid: boolean;
  url: string | null;
  /** Before discounts. */
  price: PriceSnapshot;
  /** The credits of a pack. */
  credits: number | null;
  /** Before the plan is charged; 0 without a trial. */
  trialDays: number;
  /** Null before the payment. */
  invoiceId: string | null;
};

type ChargeDetails = { customerId: string | null; amount: number; currency: string };

type UserDetails = { userId: string; email: string; name: string };

/** Every call to Stripe. Each throws what `callStripe` throws. */
export type StripeGateway = {
  createCustomer: (user: UserDetails, idempotencyKey: string) => Promise<string>;
  /** Does nothing if the customer was deleted at Stripe. */
  updateCustomerEmail: (customerId: string, email: string, idempotencyKey: string) => Promise<void>;
  /**
   * The customer that an earlier call created for the user, if its response or record was lost; null if there is none. One that may have been
   * created in the last minutes is listed by its email too.
   */
  findCustomer: (user: UserDetails, mayBeNew: boolean) => Promise<string | null>;
  /** The user for whom the customer was created; null for a customer of another origin or a deleted one. */
  findUserOfCustomer: (customerId: string) => Promise<string | null>;
  /** Null if the key was used for another order; then no session exists. Throws `CustomerMissing`. */
  openCheckout: (order: Order, idempotencyKey: string) => Promise<{ sessionId: string; url: string } | null>;
  /** The customer's sessions that can still be paid, including those whose response was lost. */
  listOpenCheckouts: (customerId: string) => Promise<OpenSession[]>;
  /** Closes a session, so that it can no longer be paid. Returns false if it was already paid. */
  expireCheckout: (sessionId: string) => Promise<boolean>;
  /** Null for an unknown id. */
  findCheckout: (sessionId: string) => Promise<CheckoutState | null>;
  /** The current price of the plan for an interval, a month by default, at most a minute old. Throws `billing.price_missing`. */
  findPrice: PriceFinder;
  /** The current price of a pack, at most a minute old; null if none is sold. */
  findPackPrice: PackPriceFinder;
  /** `finalDisputes`: stored ones that cannot change any more; their charges' disputes are not read. */
  readCustomer: (customerId: string, finalDisputes?: DisputeSnapshot[]) => Promise<CustomerSnapshot>;
  /** The states of all subscriptions of a customer; null if it was deleted at Stripe. */
  listStatuses: (customerId: string) => Promise<string[] | null>;
  /** A read that begins now contains every change before this time at Stripe; null if unknown. */
  earliestNow: () => Date | null;
  reserveRead: ReserveRead;
  // The changed subscriptions are without what the change cannot affect: see `withChanged`.
  /** Stripe stores the reason. Returns the ended subscription, or null if it had ended before. */
  cancelSubscription: (subscriptionId: string, reason?: CancelReason) => Promise<SubscriptionSnapshot | null>;
  /** Lets the subscription end with its paid period, and takes back a change of its interval after that. */
  endAtPeriodEnd: (subscription: ScheduledSubscription) => Promise<SubscriptionSnapshot>;
  /** Takes back the end of a subscription that is set to end. Returns null for one that has ended. */
  resumeRenewal: (subscriptionId: string) => Promise<SubscriptionSnapshot | null>;
  /** What a change of the interval at once would cost. Null if Stripe cannot charge the subscription so, as in another currency. */
  previewInterval: IntervalChanges['previewInterval'];
  /** Changes the interval at once, once for an order. Returns false, with nothing changed, if the payment does not go through. */
  changeInterval: IntervalChanges['changeInterval'];
  /** Changes the interval with the next period, without a charge before it. */
  scheduleInterval: IntervalChanges['scheduleInterval'];
  /** Takes back a change with the next period. Does nothing if it is too late or was done before. */
  releaseSchedule: IntervalChanges['releaseSchedule'];
  /** The address of an invoice's file, which works for a while; null for an unknown id. */
  findInvoiceFile: (invoiceId: string) => Promise<string | null>;
  /** Null for an unknown id. */
  findCharge: (chargeId: string) => Promise<ChargeDetails | null>;
  /** Makes an open invoice unpayable. Returns false if it cannot be voided, for example because it was already paid. */
  voidInvoice: (invoiceId: string) => Promise<boolean>;
  /** Refunds everything that was paid for an invoice, once. Returns Stripe's reason for a refusal, or null. */
  refundInvoice: (invoiceId: string) => Promise<string | null>;
  /** Charges an open invoice to the method on file. Returns false if it was declined, or cannot be paid. */
  payInvoice: (invoiceId: string) => Promise<boolean>;
  /** Refunds a part of a charge, once for an order, or returns Stripe's reason for a refusal. */
  refundCharge: (order: RefundOrder) => Promise<{ refundId: string } | { refusal: string }>;
  /** Null for an unknown customer. Throws `billing.portal_not_configured`. */
  openPortal: (session: PortalOrder) => Promise<string | null>;
  listSubscriptions: (cursor: string | null) => Promise<Page<ListedSubscription>>;
  listEvents: (filter: EventFilter) => Promise<Page<ListedEvent>>;
  listInvoices: (cursor: string | null) => Promise<Page<ListedInvoice>>;
  listDisputes: (cursor: string | null) => Promise<Page<ListedDispute>>;
  listPayouts: (cursor: string | null) => Promise<Page<PayoutSnapshot>>;
  listRefunds: (cursor: string | null) => Promise<Page<ListedRefund>>;
  listCharges: (cursor: string | null) => Promise<Page<ListedCharge>>;
  listTransactions: (filter: { since: Date; cursor: string | null }) => Promise<Page<ListedTransaction>>;
  /** Null for an unknown id. */
  findPayout: (payoutId: string) => Promise<PayoutSnapshot | null>;
};

type ScheduledSubscription = Pick<SubscriptionSnapshot, 'id' | 'scheduleId'>;

type Lists = Pick<
  StripeGateway,
  | 'listSubscriptions'
  | 'listEvents'
  | 'listInvoices'
  | 'listDisputes'
  | 'listPayouts'
  | 'listRefunds'
  | 'listCharges'
  | 'listTransactions'
  | 'findPayout'
>;

const toCheckoutState = (session: Stripe.Checkout.Session): CheckoutState => {
  const { customer, client_reference_id: userId, status, payment_status: payment, url } = session;
  const price = { amount: amountOf(session), currency: session.currency ?? '' };
  return {
    kind: kindOf(session),
    customerId: idOf(customer),
    userId,
    status: status ?? 'expired',
    paid: payment !== 'unpaid',
    url,
    price,
    credits: creditsOf(session.metadata),
    trialDays: trialDaysOf(session.metadata),
    invoiceId: idOf(session.invoice),
  };
};

/** Returns null instead of throwing an error that `matches`. */
const nullIf = async <T>(call: Promise<T>, matches: (error: unknown) => boolean): Promise<T | null> => {
  try {
    return await call;
  } catch (error) {
    if (matches(error)) return null;
    throw error;
  }
};

const customersOf = (
  stripe: Stripe,
  findPlanPrices: FindPlanPrices,
): Pick<
  StripeGateway,
  | 'createCustomer'
  | 'updateCustomerEmail'
  | 'findCustomer'
  | 'findUserOfCustomer'
  | 'readCustomer'
  | 'openPortal'
> => {
  const openPortal = createPortalOpener(stripe);
  return {
    createCustomer: async ({ userId, email, name }, idempotencyKey) => {
      const customer = { email, name, metadata: { [USER_KEY]: userId } };
      return (await callStripe(stripe.customers.create(customer, { idempotencyKey }))).id;
    },
    updateCustomerEmail: async (customerId, email, idempotencyKey) => {
      await callStripe(nullIf(stripe.customers.update(customerId, { email }, { idempotencyKey }), isMissing));
    },
    findCustomer: async ({ userId, email }, mayBeNew) => {
      const isOfUser = ({ metadata }: Stripe.Customer): boolean => metadata[USER_KEY] === userId;
      // The email may have changed since. Stripe refuses the search to accounts in some countries, such as India.
      const query = `metadata['${USER_KEY}']:'${userId}'`;
      const search = stripe.customers.search({ query, limit: PAGE }).autoPagingToArray(ALL);
      const found = await callStripe(nullIf(search, isRefused));
      const existing = found?.find(isOfUser);
      // It also finds customers that have been deleted.
      const current =
        existing && (await callStripe(nullIf(stripe.customers.retrieve(existing.id), isMissing)));
      if (current && !current.deleted) return current.id;
      if (found !== null && !mayBeNew) return null;
      // The search finds a new customer only after a minute, the list at once.
      const customers = stripe.customers.list({ email, limit: PAGE }).autoPagingToArray(ALL);
      return (await callStripe(customers)).find(isOfUser)?.id ?? null;
    },
    findUserOfCustomer: async (customerId) => {
      const customer = await callStripe(nullIf(stripe.customers.retrieve(customerId), isMissing));
      return customer === null || customer.deleted === true ? null : (customer.metadata[USER_KEY] ?? null);
    },
    readCustomer: createCustomerReader(stripe, findPlanPrices),
    openPortal: (session) => callStripe(nullIf(openPortal(session), isMissing)),
  };
};

const listsOf = (stripe: Stripe, listInvoices: Lists['listInvoices']): Lists => ({
  listSubscriptions: (cursor) => callStripe(listSubscriptions(stripe, cursor)),
  listEvents: (filter) => callStripe(listEvents(stripe, filter)),
  listInvoices: (cursor) => callStripe(listInvoices(cursor)),
  listDisputes: (cursor) => callStripe(listDisputes(stripe, cursor)),
  listPayouts: (cursor) => callStripe(listPayouts(stripe, cursor)),
  listRefunds: (cursor) => callStripe(listRefunds(stripe, cursor)),
  listCharges: (cursor) => callStripe(listCharges(stripe, cursor)),
  listTransactions: (filter) => callStripe(listTransactions(stripe, filter)),
  findPayout: async (payoutId) => {
    const payout = await callStripe(nullIf(stripe.payouts.retrieve(payoutId), isMissing));
    return payout && toPayout(payout);
  },
});

export const createStripeGateway = (
  stripe: Stripe,
  options: CheckoutOptions,
  { time, reserveRead = (work) => work() }: { time?: StripeTime | undefined; reserveRead?: ReserveRead } = {},
): StripeGateway => {
  const findPrice = createPriceFinder(stripe);
  const findPackPrice = createPackPriceFinder(stripe);
  const findPlanPrices = createPlanPriceFinder(stripe);
  return {
    ...customersOf(stripe, findPlanPrices),
    earliestNow: () => time?.earliestNow() ?? null,
    reserveRead,
    listStatuses: async (customer) => {
      const subscriptions = stripe.subscriptions.list({ customer, status: 'all', limit: PAGE });
      const listed = await callStripe(nullIf(subscriptions.autoPagingToArray(ALL), isMissing));
      return listed && listed.map(({ status }) => status);
    },
    findPrice: (interval) => callStripe(findPrice(interval)),
    findPackPrice: () => callStripe(findPackPrice()),
    openCheckout: async (order, idempotencyKey) => {
      const params = toSessionParams(order, options);
      const call = stripe.checkout.sessions.create(params, { idempotencyKey }).catch((error: unknown) => {
        throw isCustomerMissing(error) ? new CustomerMissing() : error;
      });
      const session = await callStripe(nullIf(call, isKeyReused));
      if (session === null) return null;
      if (session.url === null) throw createError('billing.provider_unavailable');
      return { sessionId: session.id, url: session.url };
    },
    listOpenCheckouts: (customerId) => callStripe(listOpenSessions(stripe, customerId)),
    expireCheckout: (sessionId) => callStripe(expireSession(stripe, sessionId)),
    findCheckout: async (sessionId) => {
      const session = await callStripe(nullIf(stripe.checkout.sessions.retrieve(sessionId), isMissing));
      return session && toCheckoutState(session);
    },
    ...intervalChangesOf(stripe),
    cancelSubscription: async (subscriptionId, reason) => {
      const params = reason === undefined ? {} : { cancellation_details: { comment: reason } };
      const ended = await callStripe(nullIf(stripe.subscriptions.cancel(subscriptionId, params), isMissing));
      return ended && toSubscription(ended);
    },
    endAtPeriodEnd: async ({ id, scheduleId }) => {
      // Stripe does not let a subscription be ended beside its schedule.
      if (scheduleId !== null) await callStripe(releaseSchedule(stripe, scheduleId));
      return toSubscription(
        await callStripe(stripe.subscriptions.update(id, { cancel_at_period_end: true })),
      );
    },
    resumeRenewal: async (subscriptionId) => {
      const { cancel_at_period_end: atPeriodEnd } = await callStripe(
        stripe.subscriptions.retrieve(subscriptionId),
      );
      // Stripe takes one of the two: the end of the period, or a time.
      const change = atPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' as const };
      const update = stripe.subscriptions.update(subscriptionId, change);
      const updated = await callStripe(nullIf(update, isInvalidRequest));
      return updated && toSubscription(updated);
    },
    findInvoiceFile: async (invoiceId) =>
      (await callStripe(nullIf(stripe.invoices.retrieve(invoiceId), isMissing)))?.invoice_pdf ?? null,
    findCharge: async (chargeId) => {
      const charge = await callStripe(nullIf(stripe.charges.retrieve(chargeId), isMissing));
      return (
        charge && { customerId: idOf(charge.customer), amount: charge.amount, currency: charge.currency }
      );
    },
    voidInvoice: async (invoiceId) =>
      (await callStripe(nullIf(stripe.invoices.voidInvoice(invoiceId), isInvalidRequest))) !== null,
    refundInvoice: (invoiceId) => callStripe(refundInvoice(stripe, invoiceId)),
    payInvoice: async (invoiceId) => {
      const isRefusal = (error: unknown): boolean => isDeclined(error) || isInvalidRequest(error);
      return (await callStripe(nullIf(stripe.invoices.pay(invoiceId), isRefusal))) !== null;
    },
    refundCharge: (order) => callStripe(refundCharge(stripe, order)),
    ...listsOf(stripe, createInvoiceLister(stripe, findPlanPrices)),
  };
};
