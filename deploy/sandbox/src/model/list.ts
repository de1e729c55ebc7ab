import type Stripe from 'stripe';

const EMBEDDED_LIMIT = 10;

/** A list that is part of another object and carries no more than its beginning: https://docs.stripe.com/api/charges/object */
export const truncatedList = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data: data.slice(0, EMBEDDED_LIMIT),
  has_more: data.length > EMBEDDED_LIMIT,
  url,
});

/** A list that is part of another object, whole. */
export const completeList = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});
