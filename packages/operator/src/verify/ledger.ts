import type { Reader } from '@shortlist/kit/data/reader';
import { readPages, selectAmong } from './pages.ts';
import { defineInvariant } from './sources.ts';

type Use = { id: number; used: number; ledger: string };
type Bucket = { id: number; used: number; usable: number; credits: number };
type Sum = { id: number; stated: number; sum: string };

/** What a ledger row `l` changed in the plan's bucket: its amount without its parts, which are from grants and packs. */
const OF_PLAN = `l.amount - COALESCE((SELECT SUM(p.amount) FROM ledger_parts p WHERE p.entry_id = l.id), 0)`;

/**
 * V3 The use of each bucket is the sum of the rows and parts that refer to it, with what was pruned of them, and neither its use nor its usable credits exceed its credits.
 * No part of a row exceeds the row, and each row states the use of the plan's bucket after it.
 */
export const ledgerAddsUp = defineInvariant({
  id: 'V3',
  about: 'the ledger adds up to the use of each bucket',
  needs: ['credits'],
  find: async ({ credits }) => {
    const uses = await credits.select<Use>(
      `SELECT b.id, b.used, b.pruned - COALESCE((SELECT SUM(${OF_PLAN}) FROM ledger l WHERE l.window_id = b.id), 0)
         - COALESCE((SELECT SUM(p.amount) FROM ledger_parts p WHERE p.user_id = b.user_id AND p.bucket_id = b.source_key), 0) AS ledger
       FROM credit_buckets b HAVING used <> ledger`,
    );
    const limits = await credits.select<Bucket>(
      `SELECT id, used, usable, credit_limit AS credits FROM credit_buckets
       WHERE used > credit_limit OR usable > credit_limit OR (plan = 'free' AND usable <> credit_limit)`,
    );
    // A row with amount 0 (a reservation of a contact that was already paid for) does not change the balance.
    const balances = await credits.select<Sum>(
      `SELECT id, used_after AS stated, sum FROM (
         SELECT id, used_after, pruned - SUM(of_plan) OVER (PARTITION BY window_id ORDER BY id) AS sum, amount
         FROM (SELECT l.*, COALESCE(b.pruned, 0) AS pruned, ${OF_PLAN} AS of_plan
           FROM ledger l LEFT JOIN credit_buckets b ON b.id = l.window_id) AS divided
       ) AS running WHERE amount <> 0 AND used_after <> sum`,
    );
    const parts = await credits.select<Sum>(
      `SELECT l.id, l.amount AS stated, SUM(p.amount) AS sum FROM ledger l JOIN ledger_parts p ON p.entry_id = l.id
       GROUP BY l.id, l.amount HAVING ABS(sum) > ABS(stated) OR sum * stated < 0`,
    );
    const strays = await credits.select<{ id: number }>(
      `SELECT p.entry_id AS id FROM ledger_parts p LEFT JOIN ledger l ON l.id = p.entry_id AND l.user_id = p.user_id
       LEFT JOIN credit_buckets b ON b.source_key = p.bucket_id AND b.user_id = p.user_id AND b.kind <> 'plan'
       WHERE l.id IS NULL OR b.id IS NULL`,
    );
    return [
      ...uses.map(({ id, used, ledger }) => `bucket ${id} has ${used} used, its ledger ${ledger}`),
      ...limits.map(
        (bucket) =>
          `bucket ${bucket.id} has ${bucket.used} used and ${bucket.usable} usable of ${bucket.credits}`,
      ),
      ...balances.map(
        ({ id, stated, sum }) => `ledger row ${id} states ${stated} used, the rows up to it ${sum}`,
      ),
      ...parts.map(({ id, stated, sum }) => `ledger row ${id} of ${stated} has parts of ${sum}`),
      ...strays.map(({ id }) => `a part of ledger row ${id} has no row or no bucket of the same user`),
    ];
  },
});

type Reduced = Bucket & { source: string };
type Payment = { id: string; amount: number; refunded: number };

// Refunds of what has ended, or that fail after it, change nothing any more.
const REDUCED = `SELECT id, used, usable, credit_limit AS credits, source_key AS source FROM credit_buckets
  WHERE plan = 'premium' AND usable < credit_limit AND id > ? AND ends_at > ? ORDER BY id LIMIT ?`;

/** The payments of these buckets: a month of a year has the id of its invoice and its own number. */
const paymentsOf = async (billing: Reader, buckets: Reduced[]): Promise<Map<string, Payment>> => {
  const sql = 'SELECT invoice_id AS id, amount, refunded FROM invoices WHERE invoice_id IN (?)';
  const rows = await selectAmong<Payment>(billing, sql, buckets.map(invoiceOf));
  return new Map(rows.map((payment) => [payment.id, payment]));
};

const invoiceOf = ({ source }: Pick<Reduced, 'source'>): string => source.replace(/:\d+$/, '');

/** Whether no refund has taken as many credits of the bucket. */
const isUnfounded = ({ usable, credits }: Reduced, payment: Payment | undefined): boolean =>
  payment === undefined ||
  payment.refunded === 0 ||
  credits - usable > Math.floor((credits * payment.refunded) / payment.amount);

/** V3 The plan's credits of a period can be used in full, less at most the share that was refunded. */
export const plansHaveTheirCredits = defineInvariant({
  id: 'V3',
  about: 'only refunds take credits of a plan',
  needs: ['billing', 'credits'],
  find: async ({ billing, credits, now }) => {
    const found: string[] = [];
    const buckets = readPages<Reduced>(credits, {
      sql: REDUCED,
      keyOf: ({ id }) => id,
      from: 0,
      values: [now],
    });
    for await (const page of buckets) {
      const payments = await paymentsOf(billing, page);
      found.push(
        ...page
          .filter((bucket) => isUnfounded(bucket, payments.get(invoiceOf(bucket))))
          .map(
            ({ id, used, usable, credits: all }) =>
              `bucket ${id} has ${used} used and ${usable} usable of ${all}`,
          ),
      );
    }
    return found;
  },
});

/** V2 Credits in addition to the plan's are bought once, or granted by an admin with an entry in the audit log. */
export const bucketsHaveSources = defineInvariant({
  id: 'V2',
  about: 'packs belong to one user, and grants are recorded',
  needs: ['credits'],
  find: async ({ credits }) => {
    const packs = await credits.select<{ id: string; users: number }>(
      `SELECT source_key AS id, COUNT(*) AS users FROM credit_buckets WHERE kind = 'pack' GROUP BY source_key HAVING users > 1`,
    );
    const grants = await credits.select<{ id: string }>(
      `SELECT b.source_key AS id FROM credit_buckets b WHERE b.kind = 'grant' AND NOT EXISTS (SELECT 1 FROM audit_log a
         WHERE a.target_id = b.user_id AND a.action = 'credits.grant' AND a.after_state LIKE CONCAT('%"', b.source_key, '"%'))`,
    );
    return [
      ...packs.map(({ id, users }) => `pack ${id} is credited to ${users} users`),
      ...grants.map(({ id }) => `grant ${id} is not recorded`),
    ];
  },
});
