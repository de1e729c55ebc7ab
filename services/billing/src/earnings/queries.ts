import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRows } from '@shortlist/kit/data/sql';
import type { Buckets } from './period.rules.ts';

type Amounts = { from: string; column: string; amount: string };
/** Only invoices in `currency` are summed. */
export type Period = Buckets & { currency: string };

const seconds = (date: Date): number => date.getTime() / 1_000;

// Raw: INTERVAL(x, a, b, …) returns the bucket of x, so one index scan sums all buckets.
const sumByBucket = async (
  tx: Tx,
  { from, column, amount }: Amounts,
  { starts, end, currency }: Period,
): Promise<number[]> => {
  const bounds = starts.map(() => '?').join(', ');
  const rows = await selectRows(
    tx,
    { bucket: integer, total: integer },
    {
      sql: `SELECT INTERVAL(UNIX_TIMESTAMP(${column}), ${bounds}) AS bucket, CAST(COALESCE(SUM(${amount}), 0) AS SIGNED) AS total
            FROM ${from} AND ${column} >= ? AND ${column} < ? GROUP BY bucket`,
      values: [...starts.map(seconds), currency, starts[0], end],
    },
  );
  const sums = starts.map(() => 0);
  for (const { bucket, total } of rows) sums[bucket - 1] = total;
  return sums;
};

const PAID = "invoices i WHERE i.status = 'paid' AND i.currency = ?";
const REFUNDED = 'refunds r JOIN invoices i ON i.invoice_id = r.invoice_id WHERE i.currency = ?';

export const sumPaid = (tx: Tx, period: Period): Promise<number[]> =>
  sumByBucket(tx, { from: PAID, column: 'i.paid_at', amount: 'i.amount' }, period);

export const sumFees = (tx: Tx, period: Period): Promise<number[]> =>
  sumByBucket(tx, { from: PAID, column: 'i.paid_at', amount: 'i.fee' }, period);

export const sumRefunds = (tx: Tx, period: Period): Promise<number[]> =>
  sumByBucket(tx, { from: REFUNDED, column: 'r.created_at', amount: 'r.amount' }, period);
