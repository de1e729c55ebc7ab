import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../state.ts';

type SessionParts = {
  customer: Stripe.Customer | null;
  customerEmail: string | null;
  lineItems: Stripe.LineItem[];
  successUrl: string;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  metadata: Stripe.Metadata;
  expiresAt: number;
  locale: Stripe.Checkout.Session.Locale | null;
};

/** The sandbox supports hosted checkout with card payment only. */
const CONSTANT_FIELDS = {
  object: 'checkout.session',
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  mode: 'subscription',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: {
    allow_redisplay_filters: ['always'],
    payment_method_remove: 'disabled',
    payment_method_save: null,
  },
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;

export const customerDetails = (
  email: string | null,
  name: string | null,
): Stripe.Checkout.Session.CustomerDetails => ({
  address: null,
  business_name: null,
  email,
  individual_name: name,
  name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});

export const buildCheckoutSession = (context: Context, parts: SessionParts): Stripe.Checkout.Session => {
  const id = newId('cs_test', 58);
  const { customer, customerEmail } = parts;
  const email = customer ? customer.email : customerEmail;
  const total = parts.lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  return {
    ...structuredClone(CONSTANT_FIELDS),
    id,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: parts.cancelUrl,
    client_reference_id: parts.clientReferenceId,
    created: now(context),
    currency: parts.lineItems[0]?.currency ?? null,
    customer: customer?.id ?? null,
    customer_creation: customer ? null : 'always',
    customer_details: email === null ? null : customerDetails(email, null),
    customer_email: customerEmail,
    expires_at: parts.expiresAt,
    locale: parts.locale,
    metadata: parts.metadata,
    success_url: parts.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: `${context.publicUrl}/c/pay/${id}`,
  };
};

export const buildLineItem = (
  price: Stripe.Price,
  quantity: number,
  description: string,
): Stripe.LineItem => {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description,
    metadata: {},
    price,
    quantity,
  };
};
