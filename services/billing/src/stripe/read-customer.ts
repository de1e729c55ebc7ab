import type { Stripe } from 'stripe';
import { callStripe, isMissing } from './client.ts';
import {
  ALL,
  PAGE,
  SUBSCRIPTION_PARTS,
  withAllItems,
  withAllLines,
  withAllRefunds,
} from './embedded-lists.ts';
import {
  byPaymentIntent,
  chargesOf,
  failuresByIntent,
  intentIdsOf,
  linesOf,
  type PaymentMethod,
  type Payments,
  subscriptionOfInvoice,
  toDispute,
  toInvoice,
  toSubscription,
} from './from-stripe.ts';
import type { FindPlanPrices } from './plan-prices.ts';
import type { CustomerSnapshot, DisputeSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from './snapshot.ts';

/** Whether the customer was deleted at Stripe. Throws for an id of another account. */
const wasDeleted = async (stripe: Stripe, customerId: string): Promise<boolean> => {
  const customer = await stripe.customers.retrieve(customerId);
  return customer.deleted === true;
};

/** The payment intents of open invoices, which show the state of collecting them. Most customers have no open invoice. */
const readOpenIntents = async (
  stripe: Stripe,
  invoices: Stripe.Invoice[],
): Promise<Map<string, Stripe.PaymentIntent>> => {
  const ids = invoices.filter(({ status }) => status === 'open').flatMap(intentIdsOf);
  const intents = await Promise.all(ids.map((id) => stripe.paymentIntents.retrieve(id)));
  return new Map(intents.map((intent) => [intent.id, intent]));
};

/** The customer's payment method, if a subscription has none of its own. */
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

/** The disputes of those invoices' charges, except of charges with a final one; a charge shows whether it was ever disputed. */
const readDisputes = async (
  stripe: Stripe,
  invoices: Stripe.Invoice[],
  { finalDisputes, ...payments }: Payments & { finalDisputes: DisputeSnapshot[] },
): Promise<DisputeSnapshot[]> => {
  const final = new Set(finalDisputes.map(({ chargeId }) => chargeId));
  const disputed = invoices.flatMap((invoice) =>
    chargesOf(invoice, payments)
      .filter(({ id, disputed }) => disputed && !final.has(id))
      .map((charge) => ({ charge: charge.id, invoiceId: invoice.id })),
  );
  const lists = await Promise.all(
    disputed.map(async ({ charge, invoiceId }) => {
      const disputes = await stripe.disputes.list({ charge, limit: PAGE }).autoPagingToArray(ALL);
      return disputes.map((dispute) => toDispute(dispute, invoiceId));
    }),
  );
  return [...finalDisputes, ...lists.flat()];
};

const toInvoices = (
  invoices: Stripe.Invoice[],
  details: Parameters<typeof toInvoice>[1],
): InvoiceSnapshot[] =>
  invoices.map((invoice) => toInvoice(invoice, details)).filter((invoice) => invoice !== null);

/**
 * Reads a customer's subscriptions, invoices and charges in three parallel lists, then the payments of open invoices and disputes, which most
 * customers do not have. A deleted customer has nothing. `finalDisputes`: stored ones that cannot change any more, which are not read.
 */
export const createCustomerReader = (stripe: Stripe, findPlanPrices: FindPlanPrices) => {
  const read = async (customer: string, finalDisputes: DisputeSnapshot[]): Promise<CustomerSnapshot> => {
    const [listed, listedInvoices, charges] = await Promise.all([
      stripe.subscriptions
        .list({
          customer,
          status: 'all',
          limit: PAGE,
          expand: ['data.default_payment_method', ...SUBSCRIPTION_PARTS],
        })
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
    const [subscriptions, invoices] = await Promise.all([
      Promise.all(listed.map((one) => withAllItems(stripe, one))),
      Promise.all(listedInvoices.map((one) => withAllLines(stripe, one))),
    ]);
    const planPrices = await findPlanPrices(invoices);
    const sold = invoices.filter((invoice) => linesOf(invoice, planPrices).length > 0);
    const ids = new Set(sold.map(subscriptionOfInvoice));
    const [complete, intents, method] = await Promise.all([
      Promise.all(charges.map((one) => withAllRefunds(stripe, one))),
      readOpenIntents(stripe, sold),
      readMethod(stripe, customer, subscriptions),
    ]);
    const payments = { charges: byPaymentIntent(complete), failures: failuresByIntent(charges), intents };
    const details = { ...payments, planPrices };
    const all = subscriptions.map((subscription) => toSubscription(subscription, method));
    const isOfPlan = ({ id, sellsPlan }: SubscriptionSnapshot): boolean => sellsPlan || ids.has(id);
    const snapshots = toInvoices(sold, details);
    return {
      subscriptions: all.filter(isOfPlan),
      foreign: all.filter((one) => !isOfPlan(one)),
      invoices: snapshots.filter(({ credits }) => credits === null),
      packs: snapshots.filter(({ credits }) => credits !== null),
      disputes: await readDisputes(stripe, sold, { ...details, finalDisputes }),
    };
  };
  const readUnlessDeleted = async (
    customerId: string,
    finalDisputes: DisputeSnapshot[],
  ): Promise<CustomerSnapshot> => {
    try {
      return await read(customerId, finalDisputes);
    } catch (error) {
      if (isMissing(error) && (await wasDeleted(stripe, customerId)))
        return { subscriptions: [], foreign: [], invoices: [], packs: [], disputes: [] };
      throw error;
    }
  };
  return (customerId: string, finalDisputes: DisputeSnapshot[] = []): Promise<CustomerSnapshot> =>
    callStripe(readUnlessDeleted(customerId, finalDisputes));
};
