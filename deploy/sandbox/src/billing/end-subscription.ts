import type Stripe from 'stripe';
import { emit } from '../model/emit-event.ts';
import { now, type World } from '../context.ts';
import { openInvoicesOf } from './subscription-status.ts';

type EndReason = 'cancellation_requested' | 'payment_failed';

export const endSubscription = (world: World, subscription: Stripe.Subscription, reason: EndReason): void => {
  const time = now(world);
  subscription.status = 'canceled';
  subscription.canceled_at ??= time;
  subscription.ended_at = time;
  if (subscription.cancellation_details) subscription.cancellation_details.reason = reason;
  // What is owed stays owed, but nobody tries to collect it any more.
  for (const invoice of openInvoicesOf(subscription.id, world.state.invoices.values())) {
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
  }
  emit(world, 'customer.subscription.deleted', subscription);
};
