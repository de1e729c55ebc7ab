import type { Stripe } from 'stripe';
import type { ProviderState } from '../subscriptions/subscription.rules.ts';
import { byPaymentIntent, isOurSubscription, toInvoice, toSubscription } from './from-stripe.ts';
import { isMissing } from './reached.ts';

const NEWEST = 100;

/** A customer who was deleted at the provider has nothing there any more; one of another account is a mistake of ours. */
const wasDeleted = async (stripe: Stripe, customerId: string): Promise<boolean> => {
  const customer = await stripe.customers.retrieve(customerId);
  return customer.deleted === true;
};

/** A charge carries its ten newest refunds; of one that has more, all are asked for. */
const withAllRefunds = async (stripe: Stripe, charge: Stripe.Charge): Promise<Stripe.Charge> => {
  const { id, refunds } = charge;
  if (!refunds?.has_more) return charge;
  const data = await stripe.refunds
    .list({ charge: id, limit: NEWEST })
    .autoPagingToArray({ limit: 10 * NEWEST });
  return { ...charge, refunds: { ...refunds, data, has_more: false } };
};

/** Everything that the provider says of one customer, in three calls at once. */
export const createCustomerReader = (stripe: Stripe) => {
  const read = async (customer: string): Promise<ProviderState> => {
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
  return async (customerId: string): Promise<ProviderState> => {
    try {
      return await read(customerId);
    } catch (error) {
      if (isMissing(error) && (await wasDeleted(stripe, customerId)))
        return { subscriptions: [], invoices: [] };
      throw error;
    }
  };
};
