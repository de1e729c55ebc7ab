import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId, randomText, refId } from '../state.ts';
import type { Decline } from './card.rules.ts';

const INTENT_FIELDS = {
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

const describe = ({ billing_reason }: Stripe.Invoice): string =>
  billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update';

export const buildPaymentIntent = (context: Context, invoice: Stripe.Invoice): Stripe.PaymentIntent => {
  const id = newId('pi');
  return {
    ...structuredClone(INTENT_FIELDS),
    id,
    amount: invoice.amount_due,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: now(context),
    currency: invoice.currency,
    customer: refId(invoice.customer),
    description: describe(invoice),
  };
};

type ChargeParts = {
  invoice: Stripe.Invoice;
  paymentIntent: Stripe.PaymentIntent;
  paymentMethod: Stripe.PaymentMethod;
  decline: Decline | null;
};

const CONSTANT_FIELDS = {
  object: 'charge',
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: 'LOCAL SANDBOX',
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  receipt_number: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>;

const outcomeOf = (decline: Decline | null): Stripe.Charge.Outcome => {
  const common = {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    risk_level: 'normal',
    risk_score: 1,
  };
  if (!decline) {
    return {
      ...common,
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  }
  return {
    ...common,
    network_status: 'declined_by_network',
    reason: decline.decline_code ?? decline.code,
    seller_message: decline.message,
    type: 'issuer_declined',
  };
};

const cardDetails = ({ card }: Stripe.PaymentMethod): Stripe.Charge.PaymentMethodDetails => {
  if (!card) return { type: 'card' };
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card;
  return {
    card: {
      brand,
      checks,
      country,
      exp_month,
      exp_year,
      funding,
      last4,
      fingerprint: fingerprint ?? null,
      amount_authorized: null,
      authorization_code: null,
      electronic_commerce_indicator: null,
      installments: null,
      mandate: null,
      network: brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
    type: 'card',
  };
};

export const buildCharge = (context: Context, parts: ChargeParts): Stripe.Charge => {
  const { invoice, paymentIntent, paymentMethod, decline } = parts;
  const isPaid = decline === null;
  return {
    ...structuredClone(CONSTANT_FIELDS),
    id: newId('ch'),
    amount: paymentIntent.amount,
    amount_captured: isPaid ? paymentIntent.amount : 0,
    billing_details: paymentMethod.billing_details,
    captured: isPaid,
    created: now(context),
    currency: paymentIntent.currency,
    customer: refId(paymentIntent.customer),
    description: paymentIntent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    outcome: outcomeOf(decline),
    paid: isPaid,
    payment_intent: paymentIntent.id,
    payment_method: paymentMethod.id,
    payment_method_details: cardDetails(paymentMethod),
    receipt_email: invoice.customer_email,
    receipt_url: isPaid ? `${context.publicUrl}/i/${invoice.id}` : null,
    status: isPaid ? 'succeeded' : 'failed',
  };
};
