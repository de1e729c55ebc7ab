import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { emit } from '../model/emit-event.ts';

export const addCustomer = (context: Context, customer: Stripe.Customer): void => {
  context.state.customers.set(customer.id, customer);
  emit(context, 'customer.created', customer);
};
