import type Stripe from 'stripe';
import { refId } from '../ids.ts';

export const isOngoing = ({ status }: Stripe.Subscription): boolean =>
  status !== 'canceled' && status !== 'incomplete_expired';

/** The period lives on the item; all items of a subscription of this sandbox share it. */
export const periodEndOf = (subscription: Stripe.Subscription): number =>
  subscription.items.data[0]?.current_period_end ?? 0;

export const subscriptionIdOf = (invoice: Stripe.Invoice): string | null =>
  refId(invoice.parent?.subscription_details?.subscription);

export const openInvoicesOf = (subscription: string, invoices: Iterable<Stripe.Invoice>): Stripe.Invoice[] =>
  [...invoices].filter((invoice) => invoice.status === 'open' && subscriptionIdOf(invoice) === subscription);
