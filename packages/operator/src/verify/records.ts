// Whether billing's invoices, disputes, subscriptions and payouts match the provider's, field by field.
import {
  type Fields,
  listAll,
  ofDispute,
  ofDisputeTransaction,
  ofInvoice,
  ofPayout,
  ofRefund,
  ofSubscription,
  type Payout,
  type Value,
} from './provider-fields.ts';
import { taxesOfRefunds } from './provider-movements.ts';
import { listPlan, type Plan } from './provider-plan.ts';
import { defineInvariant } from './sources.ts';

type Row = Record<string, string | number | Date | null>;

const plain = (value: Row[string]): Value =>
  value instanceof Date ? Math.floor(value.getTime() / 1_000) : (value ?? null);

type Comparison = { kind: string; expected: Map<string, Fields>; rows: Row[] };

/** A breach for each object that only one side has, and for each field that differs. */
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

const DISPUTED = `SELECT d.*, d.dispute_id AS id,
  (SELECT COALESCE(CAST(SUM(t.amount) AS SIGNED), 0) FROM dispute_transactions t
   WHERE t.dispute_id = d.dispute_id) AS withdrawn,
  (SELECT COALESCE(CAST(SUM(t.fee) AS SIGNED), 0) FROM dispute_transactions t
   WHERE t.dispute_id = d.dispute_id) AS fees FROM disputes d`;

type Expected = [id: string, fields: Fields];

const refundsOf = ({ invoices }: Plan): Expected[] =>
  invoices.flatMap((paid) => {
    const taxes = taxesOfRefunds(paid);
    return paid.refunds.map((refund): Expected => [
      refund.id,
      { invoice_id: paid.id, ...ofRefund(refund), tax: taxes.get(refund.id) ?? 0 },
    ]);
  });

const disputeTransactionsOf = ({ disputes }: Plan): Expected[] =>
  disputes.flatMap((dispute) =>
    dispute.balance_transactions.map((moved): Expected => [moved.id, ofDisputeTransaction(dispute, moved)]),
  );

/**
 * V1 Billing's records of money match the provider's in every field: each known customer's subscriptions and invoices of the plan with their
 * fees, the refunds and disputes of those invoices with the money they moved, and each payout.
 */
export const recordsAgree = defineInvariant({
  id: 'V1',
  about: 'the records of money are the provider’s',
  needs: ['billing', 'provider'],
  find: async ({ billing, provider }) => {
    const plan = await listPlan({ billing, provider });
    const payouts = await listAll<Payout>(provider, 'payouts');
    const invoices = byId(plan.invoices, ({ invoice, charges }) => ofInvoice(invoice, charges));
    const tables: [kind: string, expected: Map<string, Fields>, sql: string][] = [
      [
        'subscription',
        byId(plan.subscriptions, ofSubscription),
        'SELECT s.*, s.subscription_id AS id FROM subscriptions s',
      ],
      // The driver returns a DECIMAL as text.
      [
        'invoice',
        invoices,
        'SELECT i.*, i.exchange_rate + 0E0 AS exchange_rate, i.invoice_id AS id FROM invoices i',
      ],
      ['refund', new Map(refundsOf(plan)), 'SELECT r.*, r.refund_id AS id FROM refunds r'],
      ['dispute', byId(plan.disputes, ofDispute), DISPUTED],
      [
        'dispute transaction',
        new Map(disputeTransactionsOf(plan)),
        'SELECT t.*, t.transaction_id AS id FROM dispute_transactions t',
      ],
      ['payout', byId(payouts, ofPayout), 'SELECT p.*, p.payout_id AS id FROM payouts p'],
    ];
    const found: string[] = [];
    for (const [kind, expected, sql] of tables)
      found.push(...differences({ kind, expected, rows: await billing.select<Row>(sql) }));
    return found;
  },
});
