import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { periodEndAfter } from '../model/billing-cycle.rules.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { buildInvoice, subscriptionIdOf } from '../model/invoice.ts';
import { cycleOf } from '../model/subscription.ts';
import { settleDebit } from './bank-debit.ts';
import { collectInvoice, scheduleNextAttempt } from './collect-invoice.ts';
import { endSubscription } from './end-subscription.ts';
import { failFinalization, openInvoice } from './open-invoice.ts';
import { taxInvoice } from './tax-invoice.ts';

const currentPeriod = (subscription: Stripe.Subscription): { start: number; end: number } => {
  const item = subscription.items.data[0];
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
};

const beginNextPeriod = (subscription: Stripe.Subscription): void => {
  for (const item of subscription.items.data) {
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
  if (!customer || subscription.cancel_at_period_end) {
    endSubscription(context, subscription, 'cancellation_requested');
    return;
  }
  const invoicedPeriod = currentPeriod(subscription);
  const previous = captureChanges(subscription, () => beginNextPeriod(subscription));
  const invoice = buildInvoice(context, {
    subscription,
    customer,
    billingReason: 'subscription_cycle',
    invoicedPeriod,
  });
  taxInvoice(invoice, subscription);
  context.state.invoices.set(invoice.id, invoice);
  previous.latest_invoice = subscription.latest_invoice;
  subscription.latest_invoice = invoice.id;
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  emit(context, 'invoice.created', invoice);
  if (context.settings.finalizationFails) failFinalization(context, invoice);
  else finalizeAndCollect(context, invoice, customer);
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
