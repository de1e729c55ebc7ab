import type { Stripe } from 'stripe';

/** What Checkout does beside taking the payment; each is off unless the operator turns it on. */
export type CheckoutOptions = { automaticTax: boolean; taxIds: boolean; promotionCodes: boolean };

/** For processes that open no checkout. */
export const NO_OPTIONS: CheckoutOptions = { automaticTax: false, taxIds: false, promotionCodes: false };

export type Order = {
  userId: string;
  customerId: string;
  priceId: string;
  successUrl: string;
  cancelUrl: string;
};

// Stripe computes tax for an existing customer, and takes their tax id, only if it may save the address and name they enter.
const optionParams = (options: CheckoutOptions): Partial<Stripe.Checkout.SessionCreateParams> => ({
  ...(options.automaticTax && { automatic_tax: { enabled: true } }),
  ...(options.taxIds && { tax_id_collection: { enabled: true } }),
  ...(options.promotionCodes && { allow_promotion_codes: true }),
  ...((options.automaticTax || options.taxIds) && { customer_update: { address: 'auto', name: 'auto' } }),
});

export const toSessionParams = (
  { userId, customerId, priceId, successUrl, cancelUrl }: Order,
  options: CheckoutOptions,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  customer: customerId,
  client_reference_id: userId,
  line_items: [{ price: priceId, quantity: 1 }],
  subscription_data: { metadata: { userId } },
  success_url: successUrl,
  cancel_url: cancelUrl,
  ...optionParams(options),
});
