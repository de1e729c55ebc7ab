import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import type { Buckets, BucketSums } from './earnings.rules.ts';

/** One kind of money movement: `at` is its time, the other fields are expressions over the rows of `from`, or 0. */
type Movement = {
  from: string;
  at: string;
  currency: string;
  earnings?: string;
  expenses?: string;
  tax?: string;
};

const PAID = "invoices i WHERE i.status = 'paid'";
const REFUNDED = 'refunds r JOIN invoices i ON i.invoice_id = r.invoice_id WHERE TRUE';

/** The tax in what was paid of an invoice, as `records/tax.rules.ts` computes it, in integers, because a quotient would be truncated. */
const PAID_TAX = '(CASE WHEN i.total > 0 THEN (2 * i.tax * i.amount + i.total) DIV (2 * i.total) ELSE 0 END)';

const MOVEMENTS: Movement[] = [
  {
    from: PAID,
    at: 'i.booked_at',
    currency: 'i.currency',
    earnings: `i.amount - ${PAID_TAX}`,
    tax: PAID_TAX,
  },
  // Fees are in the currency of Stripe's balance, which may differ from the invoice's.
  {
    from: `${PAID} AND i.fee IS NOT NULL`,
    at: 'i.booked_at',
    currency: 'COALESCE(i.settlement_currency, i.currency)',
    expenses: 'i.fee',
  },
  {
    from: REFUNDED,
    at: 'r.created_at',
    currency: 'i.currency',
    expenses: 'r.amount - r.tax',
    tax: '-r.tax',
  },
  // A failed refund is booked back on the day of its failure, so that an earlier month keeps its sum.
  {
    from: REFUNDED,
    at: 'r.failed_at',
    currency: 'i.currency',
    expenses: 'r.tax - r.amount',
    tax: 'r.tax',
  },
  // Withdrawals by disputes, less returns, and their fees.
  {
    from: 'dispute_transactions t WHERE TRUE',
    at: 't.created_at',
    currency: 't.currency',
    expenses: 't.amount + t.fee',
  },
];

// INTERVAL(x, a, b, …) returns the bucket of x, so one index scan sums all buckets. Groups by currency too, by position, because GROUP BY would
// resolve `currency` to the column of that name.
const sumOf = (
  { from, at, currency, earnings = '0', expenses = '0', tax = '0' }: Movement,
  bounds: string,
): string =>
  `SELECT INTERVAL(UNIX_TIMESTAMP(${at}), ${bounds}) AS bucket, ${currency} AS currency,
     CAST(SUM(${earnings}) AS SIGNED) AS earnings, CAST(SUM(${expenses}) AS SIGNED) AS expenses,
     CAST(SUM(${tax}) AS SIGNED) AS tax
   FROM ${from} AND ${at} >= ? AND ${at} < ? GROUP BY 1, 2`;

const seconds = (date: Date): number => date.getTime() / 1_000;

/** The sums of all movements by bucket and currency, separately for each kind of movement. Raw SQL, because the builder cannot express it. */
export const sumMovements = async (tx: Tx, { starts, end }: Buckets): Promise<BucketSums[]> => {
  const bounds = starts.map(() => '?').join(', ');
  const rows = await selectRows(
    tx,
    { bucket: integer, currency: text, earnings: integer, expenses: integer, tax: integer },
    {
      sql: MOVEMENTS.map((movement) => `(${sumOf(movement, bounds)})`).join(' UNION ALL '),
      values: MOVEMENTS.flatMap(() => [...starts.map(seconds), starts[0], end]),
    },
  );
  return rows.map((row) => ({ ...row, bucket: row.bucket - 1 }));
};

/** The number of payments in the period whose fee is not known yet. Raw SQL, because the builder returns a count as text. */
export const countUnknownFees = async (tx: Tx, { starts, end }: Buckets): Promise<number> => {
  const row = await selectRow(
    tx,
    { count: integer },
    {
      sql: `SELECT COUNT(*) AS count FROM ${PAID} AND i.fee IS NULL AND i.booked_at >= ? AND i.booked_at < ?`,
      values: [starts[0], end],
    },
  );
  return row?.count ?? 0;
};
