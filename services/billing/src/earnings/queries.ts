import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import type { Buckets, BucketSum } from './earnings.rules.ts';

/** `currency` and `amount` are expressions over the rows of `from`, `column` their time. */
type Amounts = { from: string; column: string; currency: string; amount: string };

const seconds = (date: Date): number => date.getTime() / 1_000;

// Raw: INTERVAL(x, a, b, …) returns the bucket of x, so one index scan sums all buckets. Currencies stay apart: the groups are named by
// position, because GROUP BY would take `currency` for the column of that name.
const sumByBucket = async (
  tx: Tx,
  { from, column, currency, amount }: Amounts,
  { starts, end }: Buckets,
): Promise<BucketSum[]> => {
  const bounds = starts.map(() => '?').join(', ');
  const rows = await selectRows(
    tx,
    { bucket: integer, currency: text, total: integer },
    {
      sql: `SELECT INTERVAL(UNIX_TIMESTAMP(${column}), ${bounds}) AS bucket, ${currency} AS currency,
              CAST(SUM(${amount}) AS SIGNED) AS total
            FROM ${from} AND ${column} >= ? AND ${column} < ? GROUP BY 1, 2`,
      values: [...starts.map(seconds), starts[0], end],
    },
  );
  return rows.map((row) => ({ ...row, bucket: row.bucket - 1 }));
};

const PAID = "invoices i WHERE i.status = 'paid'";
const REFUNDED = 'refunds r JOIN invoices i ON i.invoice_id = r.invoice_id WHERE TRUE';

export const sumPaid = (tx: Tx, buckets: Buckets): Promise<BucketSum[]> =>
  sumByBucket(tx, { from: PAID, column: 'i.paid_at', currency: 'i.currency', amount: 'i.amount' }, buckets);

/** Fees are in the currency of Stripe's balance, which may differ from the invoice's. */
export const sumFees = (tx: Tx, buckets: Buckets): Promise<BucketSum[]> =>
  sumByBucket(
    tx,
    {
      from: `${PAID} AND i.fee IS NOT NULL`,
      column: 'i.paid_at',
      currency: 'COALESCE(i.settlement_currency, i.currency)',
      amount: 'i.fee',
    },
    buckets,
  );

export const sumRefunds = (tx: Tx, buckets: Buckets): Promise<BucketSum[]> =>
  sumByBucket(
    tx,
    { from: REFUNDED, column: 'r.created_at', currency: 'i.currency', amount: 'r.amount' },
    buckets,
  );

/** What disputes withdrew, less what they gave back, and their fees. */
export const sumDisputes = (tx: Tx, buckets: Buckets): Promise<BucketSum[]> =>
  sumByBucket(
    tx,
    {
      from: 'dispute_transactions t WHERE TRUE',
      column: 't.created_at',
      currency: 't.currency',
      amount: 't.amount + t.fee',
    },
    buckets,
  );

/** The payments of the period whose fee is not known yet. Raw: the builder returns a count as text. */
export const countUnknownFees = async (tx: Tx, { starts, end }: Buckets): Promise<number> => {
  const row = await selectRow(
    tx,
    { count: integer },
    {
      sql: `SELECT COUNT(*) AS count FROM ${PAID} AND i.fee IS NULL AND i.paid_at >= ? AND i.paid_at < ?`,
      values: [starts[0], end],
    },
  );
  return row?.count ?? 0;
};
