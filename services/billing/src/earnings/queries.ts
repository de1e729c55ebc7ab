import { CURRENCY } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Buckets } from './period.rules.ts';

type Sum = { bucket: number; total: string | number };

const seconds = (date: Date): number => date.getTime() / 1_000;

// INTERVAL(x, a, b, …) says between which of the bounds x lies: one pass over the index for all buckets.
const sumByBucket = async (
  tx: Tx,
  { from, column, amount }: { from: string; column: string; amount: string },
  { starts, end }: Buckets,
): Promise<number[]> => {
  const bounds = starts.map(() => '?').join(', ');
  const rows: Sum[] = await tx.query(
    `SELECT INTERVAL(UNIX_TIMESTAMP(${column}), ${bounds}) AS bucket, SUM(${amount}) AS total
     FROM ${from} WHERE ${column} >= ? AND ${column} < ? GROUP BY bucket`,
    [...starts.map(seconds), starts[0], end],
  );
  const sums = starts.map(() => 0);
  for (const { bucket, total } of rows) sums[Number(bucket) - 1] = Number(total);
  return sums;
};

const paid = `(SELECT paid_at, amount, fee FROM invoices WHERE status = 'paid' AND currency = '${CURRENCY}') AS paid`;

const refunded = `(SELECT r.created_at, r.amount FROM refunds r JOIN invoices i ON i.invoice_id = r.invoice_id
  WHERE i.currency = '${CURRENCY}') AS refunded`;

export const sumPaid = (tx: Tx, buckets: Buckets): Promise<number[]> =>
  sumByBucket(tx, { from: paid, column: 'paid_at', amount: 'amount' }, buckets);

export const sumFees = (tx: Tx, buckets: Buckets): Promise<number[]> =>
  sumByBucket(tx, { from: paid, column: 'paid_at', amount: 'fee' }, buckets);

export const sumRefunds = (tx: Tx, buckets: Buckets): Promise<number[]> =>
  sumByBucket(tx, { from: refunded, column: 'created_at', amount: 'amount' }, buckets);
