import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { emit } from '../model/emit-event.ts';
import { openInvoicesOf } from '../model/invoice.ts';

type EndReason = 'cancellation_requested' | 'payment_failed';

export const endSubscription = (
  context: Context,
  subscription: Stripe.Subscription,
  reason: EndReason,
): void => {
  const time = now(context);
  subscription.status = 'canceled';
  subscription.canceled_at ??= time;
  subscription.ended_at = time;
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason;
  // Open invoices stay open, but Stripe stops collecting them.
  for (const invoice of openInvoicesOf(subscription.id, context.state.invoices.values())) {
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
  }
  emit(context, 'customer.subscription.deleted', subscription);
};
