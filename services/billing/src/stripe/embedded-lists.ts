// Lists inside Stripe's objects contain only the first page; the rest is read where needed, which is rare.
import type { Stripe } from 'stripe';

export const PAGE = 100;
/** Each declined attempt is a charge too, so the charge of an earlier payment may be on a later page. */
export const ALL = { limit: 100 * PAGE };

/** What a list has of each of its subscriptions only if it is named: a change that follows, and the coupons of discounts. */
export const SUBSCRIPTION_PARTS = ['data.schedule', 'data.discounts.source.coupon'] as const;

type Embedded<T> = Pick<Stripe.ApiList<T>, 'data' | 'has_more'>;
type Listed<T> = { autoPagingToArray: (limits: typeof ALL) => Promise<T[]> };

const complete = async <T, List extends Embedded<T>>(list: List, listAll: () => Listed<T>): Promise<List> =>
  list.has_more ? { ...list, data: await listAll().autoPagingToArray(ALL), has_more: false } : list;

export const withAllItems = async (
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<Stripe.Subscription> => {
  const listAll = () => stripe.subscriptionItems.list({ subscription: subscription.id, limit: PAGE });
  return { ...subscription, items: await complete(subscription.items, listAll) };
};

/** The invoice with all lines and, if expanded, all payments. */
export const withAllLines = async (stripe: Stripe, invoice: Stripe.Invoice): Promise<Stripe.Invoice> => {
  const { id, lines, payments } = invoice;
  const listLines = () => stripe.invoices.listLineItems(id, { limit: PAGE });
  const listPayments = () => stripe.invoicePayments.list({ invoice: id, limit: PAGE });
  return {
    ...invoice,
    lines: await complete(lines, listLines),
    ...(payments && { payments: await complete(payments, listPayments) }),
  };
};

export const withAllRefunds = async (stripe: Stripe, charge: Stripe.Charge): Promise<Stripe.Charge> => {
  const { id, refunds } = charge;
  const expand = ['data.failure_balance_transaction'];
  const listAll = () => stripe.refunds.list({ charge: id, limit: PAGE, expand });
  return refunds ? { ...charge, refunds: await complete(refunds, listAll) } : charge;
};
