import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { withCurrentStatus } from '../model/balance-transaction.ts';
import { invalidRequest } from '../model/errors.ts';
import { paymentsOf } from '../model/invoice-payment.ts';
import { completeList, truncatedList } from '../model/list.ts';

type Node = Record<string, unknown>;

const MAX_DEPTH = 4;

/** Fields that are left out of a reply unless asked for by `expand[]`. */
const EXPANDABLE_FIELDS: Record<string, (context: Context, id: string) => unknown> = {
  'invoice.payments': (context, id) =>
    completeList(paymentsOf(context, id), `/v1/invoice_payments?invoice=${id}`),
  'checkout.session.line_items': (context, id) =>
    completeList(context.state.lineItems.get(id) ?? [], `/v1/checkout/sessions/${id}/line_items`),
  'charge.refunds': (context, id) => {
    const rows = [...context.state.refunds.values()].filter((refund) => refId(refund.charge) === id);
    return truncatedList(rows.reverse(), `/v1/charges/${id}/refunds`);
  },
  'customer.subscriptions': (context, id) => {
    const rows = [...context.state.subscriptions.values()].filter(
      (subscription) => refId(subscription.customer) === id && subscription.status !== 'canceled',
    );
    return completeList(rows.reverse(), `/v1/customers/${id}/subscriptions`);
  },
};

type Asked = {
  context: Context;
  path: string;
};

const cannotExpand = ({ path }: Asked): Error =>
  invalidRequest({ message: `This property cannot be expanded (${path}).`, param: 'expand' });

const lookUp = (context: Context, id: string): object | undefined => {
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
    state.paymentIntents,
    state.paymentMethods,
    state.charges,
    state.refunds,
  ];
  return tables.find((table) => table.has(id))?.get(id);
};

const valueOf = (holder: Node, name: string, asked: Asked): unknown => {
  const value = holder[name];
  if (value === undefined) {
    const include = EXPANDABLE_FIELDS[`${String(holder.object)}.${name}`];
    if (!include) throw cannotExpand(asked);
    return structuredClone(include(asked.context, String(holder.id)));
  }
  if (typeof value !== 'string') return value;
  const found = lookUp(asked.context, value);
  if (!found) throw cannotExpand(asked);
  return structuredClone(found);
};

const expandIn = (node: unknown, parts: readonly string[], asked: Asked): void => {
  const [name, ...rest] = parts;
  if (node === null || node === undefined || name === undefined) return;
  if (Array.isArray(node)) {
    for (const one of node) expandIn(one, parts, asked);
    return;
  }
  if (typeof node !== 'object') throw cannotExpand(asked);
  const holder = node as Node;
  holder[name] = valueOf(holder, name, asked);
  expandIn(holder[name], rest, asked);
};

/** A copy of the object with ids replaced by what they stand for: https://docs.stripe.com/api/expanding_objects */
export const expandObject = (context: Context, object: object, paths: readonly string[]): object => {
  const copy = structuredClone(object) as Node;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > MAX_DEPTH + 1) {
      throw invalidRequest({ message: `You cannot expand more than ${MAX_DEPTH} levels of a property.` });
    }
    expandIn(copy, parts, { context, path });
  }
  return copy;
};
