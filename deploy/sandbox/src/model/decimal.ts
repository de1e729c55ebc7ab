import type Stripe from 'stripe';

/** JSON carries a decimal as a string; the type describes the object that Stripe's client parses it into. */
export const toDecimalString = (amount: number): Stripe.Decimal =>
  String(amount) as unknown as Stripe.Decimal;
