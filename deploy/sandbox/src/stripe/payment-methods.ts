import Joi from 'joi';
import type Stripe from 'stripe';
import { brandOf, type CardEntry } from '../model/card.rules.ts';
import { newId, refId } from '../ids.ts';
import { now, type Context } from '../context.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, paginate, pageParams, type PageParams } from './pagination.ts';

export type CustomerCard = {
  customer: Stripe.Customer;
  card: CardEntry;
};

export const buildPaymentMethod = (
  context: Context,
  { customer, card }: CustomerCard,
): Stripe.PaymentMethod => {
  const brand = brandOf(card.number);
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: customer.email,
      name: card.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: `sandbox${card.number.slice(-8)}`,
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now(context),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
};

type ListParams = PageParams & {
  customer?: string;
  type?: string;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  type: Joi.string().valid('card'),
});

const path = '/v1/payment_methods';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.PaymentMethod> => {
  const keep = (row: Stripe.PaymentMethod) => matches(params.customer, refId(row.customer));
  return paginate(params, { rows: context.state.paymentMethods.values(), url: path, keep });
};

export const paymentMethodEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, run: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.paymentMethods, 'PaymentMethod', id),
  ),
];
