import type Stripe from 'stripe';

const EMBEDDED_LIMIT = 10;

/** Returns an embedded list with the first items only, as in https://docs.stripe.com/api/charges/object */
export const truncatedList = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data: data.slice(0, EMBEDDED_LIMIT),
  has_more: data.length > EMBEDDED_LIMIT,
  url,
});

/** Returns an embedded list with all items. */
export const completeList = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});
