import type { Stripe } from 'stripe';
import { byPaymentIntent, isOurSubscription, toInvoice, toSubscription } from './from-stripe.ts';
import { isMissing } from './errors.ts';
import type { CustomerSnapshot } from './snapshot.ts';

const NEWEST = 100;

/** Whether the customer was deleted at Stripe; an id of another account throws. */
const wasDeleted = async (stripe: Stripe, customerId: string): Promise<boolean> => {
  const customer = await stripe.customers.retrieve(customerId);
  return customer.deleted === true;
};

/** Stripe returns the ten newest refunds with a charge; the others are listed separately. */
const withAllRefunds = async (stripe: Stripe, charge: Stripe.Charge): Promise<Stripe.Charge> => {
  const { id, refunds } = charge;
  if (!refunds?.has_more) return charge;
  const data = await stripe.refunds
    .list({ charge: id, limit: NEWEST })
    .autoPagingToArray({ limit: 10 * NEWEST });
  return { ...charge, refunds: { ...refunds, data, has_more: false } };
};

/** Reads a customer's subscriptions, invoices and charges in three parallel calls. A deleted customer has none. */
export const createCustomerReader = (stripe: Stripe) => {
  const read = async (customer: string): Promise<CustomerSnapshot> => {
    const [subscriptions, invoices, charges] = await Promise.all([
      stripe.subscriptions.list({ customer, status: 'all', limit: NEWEST }),
      stripe.invoices.list({ customer, limit: NEWEST, expand: ['data.payments'] }),
      stripe.charges.list({ customer, limit: NEWEST, expand: ['data.balance_transaction', 'data.refunds'] }),
    ]);
    const ours = subscriptions.data.filter(isOurSubscription).map(toSubscription);
    const ids = new Set(ours.map(({ id }) => id));
    const paidBy = byPaymentIntent(await Promise.all(charges.data.map((one) => withAllRefunds(stripe, one))));
    return {
      subscriptions: ours,
      invoices: invoices.data
        .map((invoice) => toInvoice(invoice, paidBy))
        .filter((invoice) => invoice !== null)
        .filter(({ subscriptionId }) => subscriptionId !== null && ids.has(subscriptionId)),
    };
  };
  return async (customerId: string): Promise<CustomerSnapshot> => {
    try {
      return await read(customerId);
    } catch (error) {
      if (isMissing(error) && (await wasDeleted(stripe, customerId)))
        return { subscriptions: [], invoices: [] };
      throw error;
    }
  };
};
