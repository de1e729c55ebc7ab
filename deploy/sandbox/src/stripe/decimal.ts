import type Stripe from 'stripe';

/** On the wire a decimal is a string; the library's type describes what it makes of it after reading. */
export function wireDecimal(amount: number): Stripe.Decimal {
  return String(amount) as unknown as Stripe.Decimal;
}
