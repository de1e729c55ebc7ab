import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId, randomText } from '../ids.ts';
import { invalidRequest } from './errors.ts';

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
