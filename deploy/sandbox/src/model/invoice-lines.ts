import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { newId, refId } from '../state.ts';
import { formatMoney, toDecimalString } from './balance-transaction.ts';

export const buildLine = (
  invoice: string,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
): Stripe.InvoiceLineItem => {
  const { price, quantity = 1 } = item;
  const isTrial = subscription.status === 'trialing';
  const unit = isTrial ? 0 : (price.unit_amount ?? 0);
  const amount = unit * quantity;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: isTrial
      ? `Trial period for ${price.nickname ?? 'subscription'}`
      : `${quantity} × ${price.nickname ?? 'subscription'} (at ${formatMoney(unit, price.currency)} / ${price.recurring?.interval ?? 'month'})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: refId(price.product) ?? '' },
      type: 'price_details',
      unit_amount_decimal: toDecimalString(unit),
    },
    quantity,
    quantity_decimal: toDecimalString(quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
};

/** The credit for the unused time of an item that changes in mid-period. */
export const buildProrationLine = (
  invoice: string,
  subscription: Stripe.Subscription,
  { item, amount, start }: { item: Stripe.SubscriptionItem; amount: number; start: number },
): Stripe.InvoiceLineItem => {
  const line = buildLine(invoice, subscription, item);
  return {
    ...line,
    amount,
    subtotal: amount,
    description: `Unused time on ${line.description}`,
    parent: {
      invoice_item_details: {
        invoice_item: newId('ii'),
        proration: true,
        proration_details: { credited_items: null },
        subscription: subscription.id,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: { end: item.current_period_end, start },
  };
};

/** Of an invoice item: a one-off charge or credit. */
const buildPendingLine = (invoice: string, item: Stripe.InvoiceItem): Stripe.InvoiceLineItem => {
  const { amount, currency, description, period, pricing, quantity, quantity_decimal } = item;
  const subscription = pendingFor(item);
  item.invoice = invoice;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency,
    description,
    discount_amounts: [],
    discountable: false,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: { credited_items: null },
        subscription,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing,
    quantity,
    quantity_decimal,
    subscription,
    subtotal: amount,
    taxes: [],
  };
};

/** The subscription that an invoice item is for. */
const pendingFor = ({ parent }: Stripe.InvoiceItem): string | null =>
  refId(parent?.subscription_details?.subscription);

/** The lines of the items that wait for the next invoice of this subscription, newest first, as Stripe lists them. */
export const takePending = (
  { state }: Context,
  invoice: string,
  { customer, subscription }: { customer: string; subscription: string | null },
): Stripe.InvoiceLineItem[] =>
  [...state.invoiceItems.values()]
    .filter((item) => item.invoice === null && refId(item.customer) === customer)
    .filter((item) => pendingFor(item) === subscription || pendingFor(item) === null)
    .map((item) => buildPendingLine(invoice, item))
    .reverse();

export const buildItemLine = (
  invoice: string,
  item: Stripe.LineItem,
  time: number,
): Stripe.InvoiceLineItem => {
  const { amount_total: amount, currency, description, price, quantity } = item;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency,
    description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: {
        invoice_item: newId('ii'),
        proration: false,
        proration_details: { credited_items: null },
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: { end: time, start: time },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price?.id ?? '', product: refId(price?.product) ?? '' },
      type: 'price_details',
      unit_amount_decimal: toDecimalString(price?.unit_amount ?? 0),
    },
    quantity,
    quantity_decimal: toDecimalString(quantity ?? 1),
    subscription: null,
    subtotal: amount,
    taxes: [],
  };
};
