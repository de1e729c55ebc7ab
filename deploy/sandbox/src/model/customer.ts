import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId, randomText } from '../state.ts';
import { brandOf, type CardEntry } from './card.rules.ts';
import { invalidRequest } from './errors.ts';

export type CustomerCard = {
  customer: Stripe.Customer;
  card: CardEntry;
};

const billingDetails = (email: string | null, name: string | null): Stripe.PaymentMethod.BillingDetails => ({
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email,
  name,
  phone: null,
  tax_id: null,
});

/** Returns a bank account in the United States, which is debited over several days. */
export const buildBankAccount = (context: Context, customer: Stripe.Customer): Stripe.PaymentMethod => ({
  id: newId('pm'),
  object: 'payment_method',
  allow_redisplay: 'limited',
  billing_details: billingDetails(customer.email, customer.name ?? null),
  created: now(context),
  customer: customer.id,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: 'us_bank_account',
  us_bank_account: {
    account_holder_type: 'individual',
    account_type: 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: `sandbox${customer.id.slice(-8)}`,
    last4: '6789',
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: '110000000',
    status_details: null,
  },
});

export const buildPaymentMethod = (
  context: Context,
  { customer, card }: CustomerCard,
): Stripe.PaymentMethod => {
  const brand = brandOf(card.number);
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: billingDetails(customer.email, card.name),
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

export const parseEmail = (email: string): string | null => {
  if (email === '') return null;
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw invalidRequest({
    message: `Invalid email address: ${email}`,
    code: 'email_invalid',
    param: 'email',
  });
};

type Contact = { email: string | null; name: string | null };

export const buildCustomer = (context: Context, { email, name }: Contact): Stripe.Customer => ({
  id: newId('cus', 14),
  object: 'customer',
  address: null,
  balance: 0,
  created: now(context),
  currency: null,
  customer_account: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email,
  invoice_prefix: randomText(8).toUpperCase(),
  invoice_settings: {
    custom_fields: null,
    default_payment_method: null,
    footer: null,
    rendering_options: null,
  },
  livemode: false,
  metadata: {},
  name,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
});
