import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { periodEndAfter } from '../model/billing-cycle.rules.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { buildInvoice, openInvoicesOf, subscriptionIdOf } from '../model/invoice.ts';
import { discountOf, endDiscounts } from '../model/discount.ts';
import { beginPhase, cycleOf, periodEndOf, releaseSchedule } from '../model/subscription.ts';
import { refId } from '../state.ts';
import { settleDebit } from './bank-debit.ts';
import { markUncollectible, voidInvoice } from './close-invoice.ts';
import { collectInvoice, scheduleNextAttempt } from './collect-invoice.ts';
import { discountInvoice, failFinalization, openInvoice, taxInvoice } from './open-invoice.ts';

type EndReason = 'cancellation_requested' | 'payment_failed';

export const endSubscription = (
  context: Context,
  subscription: Stripe.Subscription,
  reason: EndReason,
): void => {
  const time = now(context);
  releaseSchedule(context, subscription);
  subscription.status = 'canceled';
  subscription.canceled_at ??= time;
  subscription.ended_at = time;
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason;
  // Open invoices stay open, but Stripe stops collecting them.
  for (const invoice of openInvoicesOf(context, subscription)) {
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
  }
  emit(context, 'customer.subscription.deleted', subscription);
};

/** Pauses the subscription: it keeps its period and is not billed until it resumes. */
export const pauseSubscription = (
  context: Context,
  subscription: Stripe.Subscription,
): Stripe.Subscription => {
  if (subscription.status !== 'active') {
    throw invalidRequest({
      message: `Only an active subscription can be paused; this one is ${subscription.status}.`,
    });
  }
  const previous = captureChanges(subscription, () => {
    subscription.status = 'paused';
  });
  emit(context, 'customer.subscription.paused', subscription);
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};

/** Resumes the subscription. When its period ended meanwhile, the next one begins now and is billed at once. */
export const resumeSubscription = (
  context: Context,
  subscription: Stripe.Subscription,
): Stripe.Subscription => {
  if (subscription.status !== 'paused') throw invalidRequest({ message: 'The subscription is not paused.' });
  const previous = captureChanges(subscription, () => {
    subscription.status = 'active';
    if (periodEndOf(subscription) > now(context)) return;
    subscription.billing_cycle_anchor = now(context);
    for (const item of subscription.items.data) item.current_period_end = now(context);
  });
  emit(context, 'customer.subscription.resumed', subscription);
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};

const dueItems = (subscription: Stripe.Subscription): Stripe.SubscriptionItem[] => {
  const end = periodEndOf(subscription);
  return subscription.items.data.filter((item) => item.current_period_end === end);
};

const currentPeriod = (subscription: Stripe.Subscription): { start: number; end: number } => {
  const [item] = dueItems(subscription);
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
};

const beginNextPeriod = (subscription: Stripe.Subscription): void => {
  for (const item of dueItems(subscription)) {
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEndAfter(
      cycleOf(item.price, subscription.billing_cycle_anchor),
      item.current_period_start,
    );
  }
};

const markPastDue = (context: Context, subscription: Stripe.Subscription): void => {
  if (subscription.status === 'past_due') return;
  const previous = captureChanges(subscription, () => {
    subscription.status = 'past_due';
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
};

const endAfterLastAttempt = (context: Context, invoice: Stripe.Invoice): void => {
  if (invoice.next_payment_attempt !== null) return;
  const subscription = context.state.subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (subscription) endSubscription(context, subscription, 'payment_failed');
};

/** Starts the next period and collects its invoice. The period starts even when the payment fails. */
export const renewSubscription = (context: Context, subscription: Stripe.Subscription): void => {
  const customer = context.state.customers.get(refId(subscription.customer) ?? '');
  const { cancel_at: endsAt } = subscription;
  if (!customer || (endsAt !== null && endsAt <= now(context))) {
    endSubscription(context, subscription, 'cancellation_requested');
    return;
  }
  const invoicedPeriod = currentPeriod(subscription);
  const previous = captureChanges(subscription, () => {
    if (subscription.status === 'trialing') subscription.status = 'active';
    beginPhase(context, subscription);
    beginNextPeriod(subscription);
  });
  const invoice = buildInvoice(context, {
    subscription,
    customer,
    billingReason: 'subscription_cycle',
    invoicedPeriod,
  });
  const discount = discountOf(context, subscription);
  if (discount) discountInvoice(invoice, discount);
  endDiscounts(context, subscription);
  taxInvoice(context, invoice, subscription.automatic_tax.enabled);
  context.state.invoices.set(invoice.id, invoice);
  previous.latest_invoice = subscription.latest_invoice;
  subscription.latest_invoice = invoice.id;
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  emit(context, 'invoice.created', invoice);
  if (subscription.pause_collection)
    shelve(context, invoice, { customer, pause: subscription.pause_collection });
  else if (context.settings.finalizationFails) failFinalization(context, invoice);
  else finalizeAndCollect(context, invoice, customer);
};

/** What becomes of an invoice while collection is paused: https://docs.stripe.com/billing/subscriptions/pause-payment */
const shelve = (
  context: Context,
  invoice: Stripe.Invoice,
  { customer, pause }: { customer: Stripe.Customer; pause: Stripe.Subscription.PauseCollection },
): void => {
  if (pause.behavior === 'keep_as_draft') {
    Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null });
    return;
  }
  openInvoice(context, invoice, customer);
  if (pause.behavior === 'void') voidInvoice(context, invoice);
  else markUncollectible(context, invoice);
};

/** Resumes collection on the day that the pause names. Invoices that were kept as drafts stay so. */
export const resumeCollection = (context: Context, subscription: Stripe.Subscription): void => {
  const previous = captureChanges(subscription, () => {
    subscription.pause_collection = null;
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
};

/** Finalizes a draft and makes the first payment attempt. */
export const finalizeAndCollect = (
  context: Context,
  invoice: Stripe.Invoice,
  customer: Stripe.Customer,
): void => {
  openInvoice(context, invoice, customer);
  const decline = collectInvoice(context, invoice, { by: 'schedule', isAuthenticated: false });
  if (!decline) return;
  // A one-off charge that is declined leaves the subscription as it is.
  if (invoice.billing_reason === 'manual') return;
  const subscription = context.state.subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (subscription) markPastDue(context, subscription);
  endAfterLastAttempt(context, invoice);
};

/** Ends a debit; one that the bank returns is retried like a declined card. */
export const settleInvoice = (
  context: Context,
  invoice: Stripe.Invoice,
  outcome: 'succeeded' | 'failed',
): Stripe.Invoice => {
  const decline = settleDebit(context, invoice, outcome);
  const subscription = context.state.subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (!decline || subscription?.status !== 'active') return invoice;
  scheduleNextAttempt(context, invoice, { by: 'schedule', isAuthenticated: false });
  markPastDue(context, subscription);
  endAfterLastAttempt(context, invoice);
  return invoice;
};

/** Makes a scheduled retry. The subscription ends when the last retry fails. */
export const retryInvoice = (context: Context, invoice: Stripe.Invoice): void => {
  const decline = collectInvoice(context, invoice, { by: 'schedule', isAuthenticated: false });
  if (decline) endAfterLastAttempt(context, invoice);
};
