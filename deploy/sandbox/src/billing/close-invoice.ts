import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { paymentsOf, subscriptionIdOf } from '../model/invoice.ts';
import { refId } from '../state.ts';
import { recoverSubscription } from './record-payment.ts';

const requireStatus = (invoice: Stripe.Invoice, allowed: string[]): void => {
  if (allowed.includes(invoice.status ?? '')) return;
  const message = `This invoice is ${invoice.status}; only an invoice that is ${allowed.join(' or ')} can be changed so.`;
  throw invalidRequest({ message });
};

const cancelPayments = (context: Context, invoice: Stripe.Invoice): void => {
  for (const payment of paymentsOf(context, invoice.id)) {
    const intent = context.state.paymentIntents.get(refId(payment.payment.payment_intent) ?? '');
    payment.status = 'canceled';
    payment.status_transitions.canceled_at = now(context);
    if (!intent) continue;
    Object.assign(intent, {
      status: 'canceled',
      canceled_at: now(context),
      cancellation_reason: 'void_invoice',
    });
    emit(context, 'payment_intent.canceled', intent);
  }
};

/** Ends a subscription whose first invoice was not paid within 23 hours, or was voided. */
const expireSubscription = (context: Context, subscription: Stripe.Subscription): void => {
  const previous = captureChanges(subscription, () => {
    subscription.status = 'incomplete_expired';
    subscription.ended_at = now(context);
  });
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
};

const CLOSED = { auto_advance: false, next_payment_attempt: null } as const;

/** Voids an invoice that was a mistake; it is never paid: https://docs.stripe.com/api/invoices/void */
export const voidInvoice = (context: Context, invoice: Stripe.Invoice): Stripe.Invoice => {
  requireStatus(invoice, ['open', 'uncollectible']);
  Object.assign(invoice, { ...CLOSED, status: 'void' });
  invoice.status_transitions.voided_at = now(context);
  cancelPayments(context, invoice);
  emit(context, 'invoice.voided', invoice);
  const subscription = context.state.subscriptions.get(subscriptionIdOf(invoice) ?? '');
  if (subscription?.status === 'incomplete') expireSubscription(context, subscription);
  else recoverSubscription(context, invoice);
  return invoice;
};

/** Gives the invoice up as bad debt; it can still be paid: https://docs.stripe.com/api/invoices/mark_uncollectible */
export const markUncollectible = (context: Context, invoice: Stripe.Invoice): Stripe.Invoice => {
  requireStatus(invoice, ['open']);
  Object.assign(invoice, { ...CLOSED, status: 'uncollectible' });
  invoice.status_transitions.marked_uncollectible_at = now(context);
  emit(context, 'invoice.marked_uncollectible', invoice);
  recoverSubscription(context, invoice);
  return invoice;
};
