import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId, randomText, refId } from '../ids.ts';

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
