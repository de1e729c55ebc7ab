import type Stripe from 'stripe';
import { refId } from '../ids.ts';

export function isLive({ status }: Stripe.Subscription): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired';
}

/** The period lives on the item; all items of a subscription of this sandbox share it. */
export function periodEndOf(subscription: Stripe.Subscription): number {
  return subscription.items.data[0]?.current_period_end ?? 0;
}

export function subscriptionIdOf(invoice: Stripe.Invoice): string | null {
  return refId(invoice.parent?.subscription_details?.subscription);
}

export function openInvoicesOf(subscription: string, invoices: Iterable<Stripe.Invoice>): Stripe.Invoice[] {
  return [...invoices].filter(
    (invoice) => invoice.status === 'open' && subscriptionIdOf(invoice) === subscription,
  );
}
