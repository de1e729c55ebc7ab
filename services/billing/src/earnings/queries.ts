import { CURRENCY } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRows } from '@shortlist/kit/data/sql';
import type { Buckets } from './period.rules.ts';

type Amounts = { from: string; column: string; amount: string };

const seconds = (date: Date): number => date.getTime() / 1_000;

// Raw: INTERVAL(x, a, b, …) returns the bucket of x, so one index scan sums all buckets.
const sumByBucket = async (
  tx: Tx,
  { from, column, amount }: Amounts,
  { starts, end }: Buckets,
): Promise<number[]> => {
  const bounds = starts.map(() => '?').join(', ');
  const rows = await selectRows(
    tx,
    { bucket: integer, total: integer },
    {
      sql: `SELECT INTERVAL(UNIX_TIMESTAMP(${column}), ${bounds}) AS bucket, CAST(SUM(${amount}) AS SIGNED) AS total
            FROM ${from} AND ${column} >= ? AND ${column} < ? GROUP BY bucket`,
      values: [...starts.map(seconds), CURRENCY, starts[0], end],
    },
  );
  const sums = starts.map(() => 0);
  for (const { bucket, total } of rows) sums[bucket - 1] = total;
  return sums;
};

const PAID = "invoices i WHERE i.status = 'paid' AND i.currency = ?";
const REFUNDED = 'refunds r JOIN invoices i ON i.invoice_id = r.invoice_id WHERE i.currency = ?';

export const sumPaid = (tx: Tx, buckets: Buckets): Promise<number[]> =>
  sumByBucket(tx, { from: PAID, column: 'i.paid_at', amount: 'i.amount' }, buckets);

export const sumFees = (tx: Tx, buckets: Buckets): Promise<number[]> =>
  sumByBucket(tx, { from: PAID, column: 'i.paid_at', amount: 'i.fee' }, buckets);

export const sumRefunds = (tx: Tx, buckets: Buckets): Promise<number[]> =>
  sumByBucket(tx, { from: REFUNDED, column: 'r.created_at', amount: 'r.amount' }, buckets);
