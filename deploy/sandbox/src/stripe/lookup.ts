import type Stripe from 'stripe';
import type { World } from '../context.ts';
import { noSuch, noSuchParameter } from '../model/errors.ts';

export const getFrom = <T>(table: Map<string, T>, kind: string, id: string): T => {
  const found = table.get(id);
  if (!found) throw noSuch(kind, id);
  return found;
};

type ParameterReference = {
  kind: string;
  id: string;
  param: string;
};

export const getNamed = <T>(table: Map<string, T>, { kind, id, param }: ParameterReference): T => {
  const found = table.get(id);
  if (!found) throw noSuchParameter(kind, id, param);
  return found;
};

export const getNamedCustomer = (world: World, id: string): Stripe.Customer =>
  getNamed(world.state.customers, { kind: 'customer', id, param: 'customer' });
