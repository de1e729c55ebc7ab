import Joi from 'joi';
import type Stripe from 'stripe';
import { newId, randomText, refId } from '../ids.ts';
import { now, type Context } from '../context.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, paginate, pageParams, type PageParams } from './pagination.ts';
import { timeFilterParam, matchesTime, type TimeFilter } from './params.ts';

const CONSTANT_FIELDS = {
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic',
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: {},
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: 'off_session',
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'requires_payment_method',
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>;

export const buildPaymentIntent = (context: Context, invoice: Stripe.Invoice): Stripe.PaymentIntent => {
  const id = newId('pi');
  return {
    ...structuredClone(CONSTANT_FIELDS),
    id,
    amount: invoice.amount_due,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: now(context),
    currency: invoice.currency,
    customer: refId(invoice.customer),
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
  };
};

type ListParams = PageParams & {
  customer?: string;
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  created: timeFilterParam,
});

const path = '/v1/payment_intents';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.PaymentIntent> => {
  const { customer, created } = params;
  const keep = (row: Stripe.PaymentIntent) =>
    matches(customer, refId(row.customer)) && matchesTime(row.created, created);
  return paginate(params, { rows: context.state.paymentIntents.values(), url: path, keep });
};

export const paymentIntentEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, run: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.paymentIntents, 'payment_intent', id),
  ),
];
