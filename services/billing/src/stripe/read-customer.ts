import type { Stripe } from 'stripe';
import { callStripe, isMissing } from './client.ts';
import {
  byPaymentIntent,
  chargesOf,
  intentIdsOf,
  isOurSubscription,
  packOfInvoice,
  type PaymentMethod,
  type Payments,
  subscriptionOfInvoice,
  toDispute,
  toInvoice,
  toSubscription,
} from './from-stripe.ts';
import type { CustomerSnapshot, DisputeSnapshot, InvoiceSnapshot } from './snapshot.ts';

const PAGE = 100;
/** Each declined attempt is a charge too, so that the charge of an earlier payment may be on a later page. */
const ALL = { limit: 100 * PAGE };

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
    .list({ charge: id, limit: PAGE, expand: ['data.failure_balance_transaction'] })
    .autoPagingToArray(ALL);
  return { ...charge, refunds: { ...refunds, data, has_more: false } };
};

/** The payment intents of open invoices, whose states say how collecting them stands. Most customers have no open invoice. */
const readOpenIntents = async (
  stripe: Stripe,
  invoices: Stripe.Invoice[],
): Promise<Map<string, Stripe.PaymentIntent>> => {
  const ids = invoices.filter(({ status }) => status === 'open').flatMap(intentIdsOf);
  const intents = await Promise.all(ids.map((id) => stripe.paymentIntents.retrieve(id)));
  return new Map(intents.map((intent) => [intent.id, intent]));
};

/** The customer's method of payment, if a subscription has none of its own. */
const readMethod = async (
  stripe: Stripe,
  customerId: string,
  subscriptions: Stripe.Subscription[],
): Promise<PaymentMethod> => {
  const isNeeded = subscriptions.some(
    ({ default_payment_method: own, ended_at: endedAt }) => own === null && endedAt === null,
  );
  if (!isNeeded) return null;
  const expand = ['invoice_settings.default_payment_method'];
  const customer = await stripe.customers.retrieve(customerId, { expand });
  return customer.deleted ? null : customer.invoice_settings.default_payment_method;
};

/** The disputes of those invoices' charges; a charge says whether it was ever disputed. */
const readDisputes = async (
  stripe: Stripe,
  invoices: Stripe.Invoice[],
  payments: Payments,
): Promise<DisputeSnapshot[]> => {
  const disputed = invoices.flatMap((invoice) =>
    chargesOf(invoice, payments)
      .filter((charge) => charge.disputed)
      .map((charge) => ({ charge: charge.id, invoiceId: invoice.id })),
  );
  const lists = await Promise.all(
    disputed.map(async ({ charge, invoiceId }) => {
      const { data } = await stripe.disputes.list({ charge, limit: PAGE });
      return data.map((dispute) => toDispute(dispute, invoiceId));
    }),
  );
  return lists.flat();
};

/** The invoices of the plan, and those of packs. */
const sortInvoices = (
  invoices: Stripe.Invoice[],
  subscriptions: Stripe.Subscription[],
): { ofPlan: Stripe.Invoice[]; ofPacks: Stripe.Invoice[] } => {
  const ids = new Set<string | null>(subscriptions.map(({ id }) => id));
  return {
    ofPlan: invoices.filter((invoice) => ids.has(subscriptionOfInvoice(invoice))),
    ofPacks: invoices.filter((invoice) => packOfInvoice(invoice) !== null),
  };
};

const toInvoices = (invoices: Stripe.Invoice[], payments: Payments): InvoiceSnapshot[] =>
  invoices.map((invoice) => toInvoice(invoice, payments)).filter((invoice) => invoice !== null);

/**
 * Reads a customer's subscriptions, invoices and charges in three parallel lists, then the payments of open invoices and the
 * disputes of disputed charges, which most customers have none of. A deleted customer has none at all.
 */
export const createCustomerReader = (stripe: Stripe) => {
  const read = async (customer: string): Promise<CustomerSnapshot> => {
    const [subscriptions, invoices, charges] = await Promise.all([
      stripe.subscriptions
        .list({ customer, status: 'all', limit: PAGE, expand: ['data.default_payment_method'] })
        .autoPagingToArray(ALL),
      stripe.invoices.list({ customer, limit: PAGE, expand: ['data.payments'] }).autoPagingToArray(ALL),
      stripe.charges
        .list({
          customer,
          limit: PAGE,
          expand: ['data.balance_transaction', 'data.refunds.data.failure_balance_transaction'],
        })
        .autoPagingToArray(ALL),
    ]);
    const ours = subscriptions.filter(isOurSubscription);
    const { ofPlan, ofPacks } = sortInvoices(invoices, ours);
    const ourInvoices = [...ofPlan, ...ofPacks];
    const [complete, intents, method] = await Promise.all([
      Promise.all(charges.map((one) => withAllRefunds(stripe, one))),
      readOpenIntents(stripe, ourInvoices),
      readMethod(stripe, customer, ours),
    ]);
    const payments = { charges: byPaymentIntent(complete), intents };
    return {
      subscriptions: ours.map((subscription) => toSubscription(subscription, method)),
      invoices: toInvoices(ofPlan, payments),
      packs: toInvoices(ofPacks, payments),
      disputes: await readDisputes(stripe, ourInvoices, payments),
    };
  };
  const readUnlessDeleted = async (customerId: string): Promise<CustomerSnapshot> => {
    try {
      return await read(customerId);
    } catch (error) {
      if (isMissing(error) && (await wasDeleted(stripe, customerId)))
        return { subscriptions: [], invoices: [], packs: [], disputes: [] };
      throw error;
    }
  };
  return (customerId: string): Promise<CustomerSnapshot> => callStripe(readUnlessDeleted(customerId));
};
