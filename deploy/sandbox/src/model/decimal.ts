import type Stripe from 'stripe';

/** On the wire a decimal is a string; the library's type describes what it makes of it after reading. */
export const wireDecimal = (amount: number): Stripe.Decimal => String(amount) as unknown as Stripe.Decimal;
