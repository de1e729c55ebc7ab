import type Stripe from 'stripe';

const EMBEDDED_LIMIT = 10;

/** Returns an embedded list with all items. A response and an event have its first page only (`shortenLists`). */
export const completeList = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

const isList = (value: object): value is Stripe.ApiList<unknown> =>
  'object' in value && value.object === 'list';

/** Shortens each list inside an object to its first page, in place, as in https://docs.stripe.com/api/charges/object */
export const shortenLists = <T extends object>(object: T): T => {
  for (const value of Object.values(object) as unknown[]) {
    if (typeof value !== 'object' || value === null) continue;
    if (isList(value) && value.data.length > EMBEDDED_LIMIT) {
      value.data.length = EMBEDDED_LIMIT;
      value.has_more = true;
    }
    shortenLists(value);
  }
  return object;
};
