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
  filter?: (row: T) => boolean;
};

const indexOfId = (rows: { id: string; object: string }[], id: string, param: string): number => {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) throw invalidReference(rows[0]?.object ?? 'object', id, param);
  return index;
};

/** Returns one page, newest first. `rows` are in order of creation. */
export const paginate = <T extends { id: string; object: string }>(
  params: PageParams,
  { rows, url, filter = () => true }: PageSource<T>,
): Stripe.ApiList<T> => {
  const all = [...rows].filter(filter).reverse();
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

/** An absent filter matches every value. */
export const matches = <T>(expected: T | undefined, value: T): boolean =>
  expected === undefined || expected === value;
