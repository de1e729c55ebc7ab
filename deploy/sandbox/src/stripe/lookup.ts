import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { invalidReference, notFound } from '../model/errors.ts';

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
