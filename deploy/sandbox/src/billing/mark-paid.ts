import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { refId } from '../ids.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { paymentsOf } from '../model/invoice-payment.ts';
import { openInvoicesOf, subscriptionIdOf } from '../model/invoice.ts';

export const setDelinquent = (context: Context, invoice: Stripe.Invoice, isDelinquent: boolean): void => {
  const customer = context.state.customers.get(refId(invoice.customer) ?? '');
  if (customer) customer.delinquent = isDelinquent;
};

/** Makes the subscription active again when none of its invoices is open any more. */
export const recoverSubscription = (context: Context, invoice: Stripe.Invoice): void => {
  const { subscriptions, invoices } = context.state;
  const subscription = subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (!subscription || !['past_due', 'incomplete'].includes(subscription.status)) return;
  if (openInvoicesOf(subscription.id, invoices.values()).length > 0) return;
  const previous = captureChanges(subscription, () => {
    subscription.status = 'active';
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
};

export const markPaid = (context: Context, invoice: Stripe.Invoice): void => {
  const time = now(context);
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
  });
  invoice.status_transitions.paid_at = time;
  for (const payment of paymentsOf(context, invoice.id)) {
    Object.assign(payment, { status: 'paid', amount_paid: invoice.amount_paid });
    payment.status_transitions.paid_at = time;
    emit(context, 'invoice_payment.paid', payment);
  }
  setDelinquent(context, invoice, false);
  recoverSubscription(context, invoice);
  emit(context, 'invoice.paid', invoice);
  emit(context, 'invoice.payment_succeeded', invoice);
};
