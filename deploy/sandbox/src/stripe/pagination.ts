import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { withCurrentStatus } from '../model/balance-transaction.ts';
import { completeList } from '../model/embedded-lists.ts';
import { invalidReference, invalidRequest, notFound } from '../model/errors.ts';
import { paymentsOf } from '../model/invoice.ts';

export const getById = <T>(table: Map<string, T>, kind: string, id: string): T => {
  const found = table.get(id);
  if (!found) throw notFound(kind, id);
  return found;
};

type Reference = {
  kind: string;
  id: string;
  param: string;
};

export const getReferenced = <T>(table: Map<string, T>, { kind, id, param }: Reference): T => {
  const found = table.get(id);
  if (!found) throw invalidReference(kind, id, param);
  return found;
};

export const getReferencedCustomer = (context: Context, id: string): Stripe.Customer =>
  getReferenced(context.state.customers, { kind: 'customer', id, param: 'customer' });

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

type Node = Record<string, unknown>;

const MAX_DEPTH = 4;

/** Fields that a response includes only when `expand[]` names them. */
const EXPANDABLE_FIELDS: Record<string, (context: Context, id: string) => unknown> = {
  'invoice.payments': (context, id) =>
    completeList(paymentsOf(context, id), `/v1/invoice_payments?invoice=${id}`),
  'checkout.session.line_items': (context, id) =>
    completeList(context.state.lineItems.get(id) ?? [], `/v1/checkout/sessions/${id}/line_items`),
  'charge.refunds': (context, id) => {
    const rows = [...context.state.refunds.of(id)];
    return completeList(rows.reverse(), `/v1/charges/${id}/refunds`);
  },
  // A refund has it only after it failed.
  'refund.failure_balance_transaction': () => undefined,
  'customer.subscriptions': (context, id) => {
    const rows = [...context.state.subscriptions.of(id)].filter(({ status }) => status !== 'canceled');
    return completeList(rows.reverse(), `/v1/customers/${id}/subscriptions`);
  },
};

type Expansion = {
  context: Context;
  path: string;
};

const cannotExpand = ({ path }: Expansion): Error =>
  invalidRequest({ message: `This property cannot be expanded (${path}).`, param: 'expand' });

const findObject = (context: Context, id: string): object | undefined => {
  const { state } = context;
  const transaction = state.balanceTransactions.get(id);
  if (transaction) return withCurrentStatus(context, transaction);
  const tables: Map<string, object>[] = [
    state.customers,
    state.deletedCustomers,
    state.products,
    state.prices,
    state.checkoutSessions,
    state.subscriptions,
    state.invoices,
    state.coupons,
    state.promotionCodes,
    state.discounts,
    state.subscriptionSchedules,
    state.paymentIntents,
    state.paymentMethods,
    state.charges,
    state.refunds,
    state.disputes,
    state.payouts,
  ];
  return tables.find((table) => table.has(id))?.get(id);
};

const expandedValue = (parent: Node, name: string, expansion: Expansion): unknown => {
  const value = parent[name];
  if (value === undefined) {
    const load = EXPANDABLE_FIELDS[`${String(parent.object)}.${name}`];
    if (!load) throw cannotExpand(expansion);
    return structuredClone(load(expansion.context, String(parent.id)));
  }
  if (typeof value !== 'string') return value;
  const found = findObject(expansion.context, value);
  if (!found) throw cannotExpand(expansion);
  return structuredClone(found);
};

const expandPath = (node: unknown, parts: readonly string[], expansion: Expansion): void => {
  const [name, ...rest] = parts;
  if (node === null || node === undefined || name === undefined) return;
  if (Array.isArray(node)) {
    for (const item of node) expandPath(item, parts, expansion);
    return;
  }
  if (typeof node !== 'object') throw cannotExpand(expansion);
  const parent = node as Node;
  const value = parent[name];
  // A list of ids, such as a subscription's discounts.
  if (Array.isArray(value)) {
    const items = value as unknown[];
    parent[name] = items.map((item) => expandedValue({ item }, 'item', expansion));
  } else parent[name] = expandedValue(parent, name, expansion);
  expandPath(parent[name], rest, expansion);
};

/** Returns a copy of the object in which expanded ids are objects: https://docs.stripe.com/api/expanding_objects */
export const expandObject = (context: Context, object: object, paths: readonly string[]): object => {
  const copy = structuredClone(object) as Node;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > MAX_DEPTH + 1) {
      throw invalidRequest({ message: `You cannot expand more than ${MAX_DEPTH} levels of a property.` });
    }
    expandPath(copy, parts, { context, path });
  }
  return copy;
};
