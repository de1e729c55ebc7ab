import Joi from 'joi';
import type Stripe from 'stripe';
import { invalidReference } from '../model/errors.ts';

export type PageParams = {
  limit: number;
  starting_after?: string;
  ending_before?: string;
};

export const pageParams = {
  limit: Joi.number().integer().min(1).max(100).default(10),
  starting_after: Joi.string(),
  ending_before: Joi.string(),
};

type PageSource<T> = {
  rows: Iterable<T>;
  url: string;
  keep?: (row: T) => boolean;
};

const indexOfId = (rows: { id: string; object: string }[], id: string, param: string): number => {
  const place = rows.findIndex((row) => row.id === id);
  if (place < 0) throw invalidReference(rows[0]?.object ?? 'object', id, param);
  return place;
};

/** Newest first, as Stripe lists; `rows` come in the order they were made. */
export const paginate = <T extends { id: string; object: string }>(
  params: PageParams,
  { rows, url, keep = () => true }: PageSource<T>,
): Stripe.ApiList<T> => {
  const all = [...rows].filter(keep).reverse();
  const { limit, starting_after, ending_before } = params;
  if (ending_before !== undefined) {
    const end = indexOfId(all, ending_before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url };
  }
  const start = starting_after === undefined ? 0 : indexOfId(all, starting_after, 'starting_after') + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < all.length, url };
};

/** A filter that was not given lets everything pass. */
export const matches = <T>(wanted: T | undefined, value: T): boolean =>
  wanted === undefined || wanted === value;
