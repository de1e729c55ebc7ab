// The provider's data on the plan and on packs: known customers' subscriptions and packs, with all money that they moved.
import type { Reader } from '@shortlist/kit/data/reader';
import {
  type Charge,
  complete,
  type Customer,
  type Dispute,
  type Invoice,
  isOfPlan,
  isPromisedTrial,
  linesOf,
  listAll,
  type Price,
  type Refund,
  type Subscription,
} from './provider-fields.ts';
import { idsOf, type Provider, type Sources } from './sources.ts';

/** An invoice with the charges that paid it and the refunds that moved money. */
export type Paid = { id: string; invoice: Invoice; charges: Charge[]; refunds: Refund[] };
export type Plan = { subscriptions: Subscription[]; invoices: Paid[]; disputes: Dispute[] };

const gross = ({ lines }: Invoice): number => lines.data.reduce((total, { subtotal }) => total + subtotal, 0);

/** The first invoice of a subscription that our checkout began with a trial, for no longer than its mark says. */
const isTrial = ({ billing_reason: reason, parent, lines }: Invoice): boolean => {
  const length = Math.max(...lines.data.map(({ period }) => period.end - period.start));
  const isFree = lines.data.every(({ subtotal }) => subtotal === 0);
  const isPromised = isPromisedTrial(parent?.subscription_details?.metadata, length);
  return reason === 'subscription_create' && isFree && isPromised;
};

/** A trial's invoice sells nothing, unless the trial is one of ours, and a draft does not count yet. */
const isRecordable = (invoice: Invoice): boolean =>
  invoice.status !== 'draft' && (gross(invoice) > 0 || isTrial(invoice));

const listCustomers = (billing: Reader): Promise<Set<Customer>> =>
  idsOf(billing, 'SELECT customer_id AS id FROM subscribers WHERE customer_id IS NOT NULL');

const intentsOf = ({ payments }: Invoice): Set<string | null> =>
  new Set(payments.data.map(({ payment }) => payment.payment_intent ?? null));

/** A refund that ended before money left the balance moved none. */
const hasMoved = ({ status, balance_transaction: transaction }: Refund): boolean =>
  transaction !== null || (status !== 'failed' && status !== 'canceled');

const subscriptionOf = ({ parent }: Invoice): string => parent?.subscription_details?.subscription ?? '';

const listSubscriptions = async (provider: Provider): Promise<Subscription[]> =>
  Promise.all(
    (await listAll<Subscription>(provider, 'subscriptions?status=all')).map(async (one) => ({
      ...one,
      items: await complete(provider, one.items, `subscription_items?subscription=${one.id}`),
    })),
  );

/** The invoices with the lines that sell the plan or a pack. */
const listSold = async (provider: Provider, planPrices: ReadonlySet<string>): Promise<Invoice[]> => {
  const invoices = await Promise.all(
    (await listAll<Invoice>(provider, 'invoices?expand[]=data.payments')).map(async (one) => ({
      ...one,
      lines: await complete(provider, one.lines, `invoices/${one.id}/lines`),
      payments: await complete(provider, one.payments, `invoice_payments?invoice=${one.id}`),
    })),
  );
  return invoices
    .map((one) => ({ ...one, lines: { ...one.lines, data: linesOf(one, planPrices) } }))
    .filter(({ lines }) => lines.data.length > 0);
};

/**
 * Each known customer's subscriptions that sell or sold the plan; the invoices of the plan and of packs, with the charges that paid them and their refunds;
 * and their disputes.
 */
export const listPlan = async ({
  billing,
  provider,
}: Pick<Sources, 'billing' | 'provider'>): Promise<Plan> => {
  const customers = await listCustomers(billing);
  const prices = (await listAll<Price>(provider, 'prices')).filter(isOfPlan);
  const sold = await listSold(provider, new Set(prices.map(({ id }) => id)));
  const ids = new Set(sold.map(subscriptionOf));
  const subscriptions = (await listSubscriptions(provider))
    .filter(({ customer }) => customers.has(customer))
    .filter(({ id, items }) => ids.has(id) || items.data.some(({ price }) => isOfPlan(price)));
  const charges = await listAll<Charge>(provider, 'charges?expand[]=data.balance_transaction');
  const refunds = (
    await listAll<Refund>(provider, 'refunds?expand[]=data.failure_balance_transaction')
  ).filter(hasMoved);
  const invoices = sold
    .filter((invoice) => customers.has(invoice.customer) && isRecordable(invoice))
    .map((invoice) => {
      const intents = intentsOf(invoice);
      const paidBy = charges.filter((charge) => charge.paid && intents.has(charge.payment_intent));
      const chargeIds = new Set<string | null>(paidBy.map(({ id }) => id));
      return {
        id: invoice.id,
        invoice,
        charges: paidBy,
        refunds: refunds.filter(({ charge }) => chargeIds.has(charge)),
      };
    });
  const paying = new Set(invoices.flatMap(({ charges: paidBy }) => paidBy.map(({ id }) => id)));
  const disputes = (await listAll<Dispute>(provider, 'disputes')).filter(({ charge }) => paying.has(charge));
  return { subscriptions, invoices, disputes };
};
