// Whether billing's invoices, disputes, subscriptions and payouts state what the provider does, field by field.
import {
  type Charge,
  type Customer,
  type Dispute,
  type Fields,
  type Invoice,
  isOfPlan,
  listAll,
  ofDispute,
  ofInvoice,
  ofPayout,
  ofSubscription,
  type Payout,
  type Subscription,
  type Value,
} from './provider-fields.ts';
import type { Reader } from '@shortlist/kit/data/reader';
import { defineInvariant, idsOf, type Sources } from './sources.ts';

type Row = Record<string, string | number | Date | null>;

const plain = (value: Row[string]): Value =>
  value instanceof Date ? Math.floor(value.getTime() / 1_000) : (value ?? null);

type Comparison = { kind: string; expected: Map<string, Fields>; rows: Row[] };

/** One breach for each object that only one side has, and for each field that differs. */
const differences = ({ kind, expected, rows }: Comparison): string[] => {
  const stored = new Map(rows.map((row) => [String(row['id']), row]));
  const missing = [...expected.keys()].filter((id) => !stored.has(id));
  const unknown = [...stored.keys()].filter((id) => !expected.has(id));
  const different = [...expected].flatMap(([id, fields]) => {
    const row = stored.get(id);
    if (row === undefined) return [];
    return Object.entries(fields)
      .filter(([name, value]) => plain(row[name] ?? null) !== value)
      .map(([name, value]) => `${kind} ${id} has ${name} ${plain(row[name] ?? null)}, the provider ${value}`);
  });
  return [
    ...missing.map((id) => `${kind} ${id} is not recorded`),
    ...unknown.map((id) => `${kind} ${id} is recorded and unknown to the provider`),
    ...different,
  ];
};

const byId = <T extends { id: string }>(objects: T[], toFields: (object: T) => Fields): Map<string, Fields> =>
  new Map(objects.map((object) => [object.id, toFields(object)]));

const gross = ({ lines }: Invoice): number => lines.data.reduce((total, { subtotal }) => total + subtotal, 0);

/** A trial's invoice sells nothing, and a draft is no invoice yet. */
const isRecordable = (invoice: Invoice): boolean => invoice.status !== 'draft' && gross(invoice) > 0;

const listCustomers = (billing: Reader): Promise<Set<Customer>> =>
  idsOf(billing, 'SELECT customer_id AS id FROM subscribers WHERE customer_id IS NOT NULL');

const DISPUTED = `SELECT d.*, d.dispute_id AS id,
  (SELECT COALESCE(CAST(SUM(t.amount) AS SIGNED), 0) FROM dispute_transactions t
   WHERE t.dispute_id = d.dispute_id) AS withdrawn,
  (SELECT COALESCE(CAST(SUM(t.fee) AS SIGNED), 0) FROM dispute_transactions t
   WHERE t.dispute_id = d.dispute_id) AS fees FROM disputes d`;

const intentsOf = ({ payments }: Invoice): Set<string | null> =>
  new Set(payments.data.map(({ payment }) => payment.payment_intent ?? null));

/** Each known customer's subscriptions of the plan, and their invoices with the charges that paid them. */
const listPlan = async ({ billing, provider }: Pick<Sources, 'billing' | 'provider'>) => {
  const customers = await listCustomers(billing);
  const subscriptions = (await listAll<Subscription>(provider, 'subscriptions?status=all'))
    .filter(({ customer }) => customers.has(customer))
    .filter(({ items }) => items.data.some(({ price }) => isOfPlan(price)));
  const ids = new Set(subscriptions.map(({ id }) => id));
  const charges = await listAll<Charge>(provider, 'charges?expand[]=data.balance_transaction');
  const invoices = (await listAll<Invoice>(provider, 'invoices?expand[]=data.payments'))
    .filter(({ parent }) => ids.has(parent?.subscription_details?.subscription ?? ''))
    .filter(isRecordable)
    .map((invoice) => {
      const intents = intentsOf(invoice);
      const paidBy = charges.filter((charge) => charge.paid && intents.has(charge.payment_intent));
      return { id: invoice.id, invoice, charges: paidBy };
    });
  return { subscriptions, invoices };
};

/**
 * V1 Billing's records of money are the provider's: the plan's subscriptions and invoices of each known customer with their fees
 * and refunds, the disputes of those invoices, and each payout, with the same fields on both sides.
 */
export const recordsAgree = defineInvariant({
  id: 'V1',
  about: 'the records of money are the provider’s',
  needs: ['billing', 'provider'],
  find: async ({ billing, provider }) => {
    const { subscriptions, invoices } = await listPlan({ billing, provider });
    const chargeIds = new Set(invoices.flatMap(({ charges }) => charges.map(({ id }) => id)));
    const disputes = await listAll<Dispute>(provider, 'disputes');
    const ofPlan = disputes.filter(({ charge }) => chargeIds.has(charge));
    const payouts = await listAll<Payout>(provider, 'payouts');
    const invoiceFields = byId(invoices, ({ invoice, charges }) => ofInvoice(invoice, charges));
    const tables: [kind: string, expected: Map<string, Fields>, sql: string][] = [
      [
        'subscription',
        byId(subscriptions, ofSubscription),
        'SELECT s.*, s.subscription_id AS id FROM subscriptions s',
      ],
      ['invoice', invoiceFields, 'SELECT i.*, i.invoice_id AS id FROM invoices i'],
      ['dispute', byId(ofPlan, ofDispute), DISPUTED],
      ['payout', byId(payouts, ofPayout), 'SELECT p.*, p.payout_id AS id FROM payouts p'],
    ];
    const found: string[] = [];
    for (const [kind, expected, sql] of tables)
      found.push(...differences({ kind, expected, rows: await billing.select<Row>(sql) }));
    return found;
  },
});
