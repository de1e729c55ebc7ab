import Joi from 'joi';
import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { toDecimalString } from '../model/balance-transaction.ts';
import { emit } from '../model/emit-event.ts';
import { newId, refId } from '../state.ts';
import { defineEndpoint, type Endpoint, retrieveEndpoint } from './endpoint.ts';
import { getById, getReferenced, getReferencedCustomer } from './pagination.ts';
import { textParam } from './params.ts';
import { addPrice } from './prices.ts';

type ItemParams = {
  customer: string;
  subscription?: string;
  amount: number;
  currency: string;
  description?: string;
};

const itemParams = Joi.object<ItemParams>({
  customer: Joi.string().required(),
  subscription: Joi.string(),
  amount: Joi.number().integer().required(),
  currency: Joi.string().lowercase().length(3).default('usd'),
  description: textParam,
});

/** A charge, or a credit if negative, that the next invoice of the subscription contains, or that of the customer. */
const create = (context: Context, params: ItemParams): Stripe.InvoiceItem => {
  const { amount, currency, description = 'One-off charge' } = params;
  const customer = getReferencedCustomer(context, params.customer).id;
  const { subscriptions } = context.state;
  const id = params.subscription ?? null;
  if (id !== null) getReferenced(subscriptions, { kind: 'subscription', id, param: 'subscription' });
  // Of an amount Stripe makes a price that is used once.
  const price = addPrice(context, {
    active: false,
    currency,
    unit_amount: amount,
    product_data: { name: description, active: false },
  });
  const item: Stripe.InvoiceItem = {
    id: newId('ii'),
    object: 'invoiceitem',
    amount,
    currency,
    customer,
    customer_account: null,
    date: now(context),
    description,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent:
      id === null
        ? null
        : {
            type: 'subscription_details',
            subscription_details: { subscription: id },
          },
    period: { start: now(context), end: now(context) },
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: refId(price.product) ?? '' },
      unit_amount_decimal: toDecimalString(amount),
    },
    proration: false,
    quantity: 1,
    quantity_decimal: toDecimalString(1),
    tax_rates: [],
    test_clock: null,
  };
  context.state.invoiceItems.set(item.id, item);
  emit(context, 'invoiceitem.created', item);
  return item;
};

const path = '/v1/invoiceitems';

export const invoiceItemEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: itemParams, handle: create }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.invoiceItems, 'invoiceitem', id)),
];
