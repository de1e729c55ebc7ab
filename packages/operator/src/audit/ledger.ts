import { defineInvariant } from './sources.ts';

type Sum = { id: number; used: number; sum: string };
type Limit = { id: number; used: number; limit: number };
type BucketUse = { id: string; used: number; sum: string };
type Divided = { id: number; amount: number; sum: string };
type Balance = { id: number; stated: number; sum: string };

/** What a ledger row `l` changed in its window: all of it but the parts of other buckets. */
const IN_WINDOW = `l.amount - COALESCE((SELECT SUM(p.amount) FROM ledger_parts p WHERE p.entry_id = l.id), 0)`;

/**
 * V3 The sum of the ledger of each window, without the parts of other buckets, is its `used`, which is between zero and the limit; and
 * each ledger row states the balance after it.
 */
export const ledgerAddsUp = defineInvariant({
  id: 'V3',
  about: 'the ledger adds up',
  needs: ['credits'],
  find: async ({ credits }) => {
    const sums = await credits.select<Sum>(
      `SELECT w.id, w.used, -COALESCE(SUM(${IN_WINDOW}), 0) AS sum FROM windows w
       LEFT JOIN ledger l ON l.window_id = w.id GROUP BY w.id, w.used HAVING w.used <> sum`,
    );
    const limits = await credits.select<Limit>(
      'SELECT id, used, credit_limit AS `limit` FROM windows WHERE used > credit_limit',
    );
    // A row with amount 0 (a reservation of a contact that was paid for before) does not change the balance.
    const balances = await credits.select<Balance>(
      `SELECT id, used_after AS stated, sum FROM (
         SELECT id, used_after, -SUM(in_window) OVER (PARTITION BY window_id ORDER BY id) AS sum, amount
         FROM (SELECT l.*, ${IN_WINDOW} AS in_window FROM ledger l) AS divided
       ) AS running WHERE amount <> 0 AND used_after <> sum`,
    );
    return [
      ...sums.map(({ id, used, sum }) => `window ${id} has ${used} used, its ledger ${sum}`),
      ...limits.map(({ id, used, limit }) => `window ${id} used ${used} of ${limit}`),
      ...balances.map(
        ({ id, stated, sum }) => `ledger row ${id} states ${stated} used, the rows up to it ${sum}`,
      ),
    ];
  },
});

/** V3 The same of the buckets beside the windows: packs and grants. No part of a ledger row is more than the row. */
export const bucketsAddUp = defineInvariant({
  id: 'V3',
  about: 'the ledger adds up to the use of packs and grants',
  needs: ['credits'],
  find: async ({ credits }) => {
    const sums = await credits.select<BucketUse>(
      `SELECT b.id, b.used, -COALESCE(SUM(p.amount), 0) AS sum FROM buckets b
       LEFT JOIN ledger_parts p ON p.user_id = b.user_id AND p.bucket_id = b.id GROUP BY b.user_id, b.id, b.used HAVING b.used <> sum`,
    );
    const limits = await credits.select<{ id: string; used: number; credits: number }>(
      'SELECT id, used, credits FROM buckets WHERE used > credits OR usable > credits',
    );
    const parts = await credits.select<Divided>(
      `SELECT l.id, l.amount, SUM(p.amount) AS sum FROM ledger l JOIN ledger_parts p ON p.entry_id = l.id
       GROUP BY l.id, l.amount HAVING ABS(sum) > ABS(l.amount) OR sum * l.amount < 0`,
    );
    const strays = await credits.select<{ id: number }>(
      `SELECT p.entry_id AS id FROM ledger_parts p LEFT JOIN ledger l ON l.id = p.entry_id AND l.user_id = p.user_id
       LEFT JOIN buckets b ON b.id = p.bucket_id AND b.user_id = p.user_id WHERE l.id IS NULL OR b.id IS NULL`,
    );
    return [
      ...sums.map(({ id, used, sum }) => `bucket ${id} has ${used} used, its ledger ${sum}`),
      ...limits.map((bucket) => `bucket ${bucket.id} of ${bucket.credits} credits has more`),
      ...parts.map(({ id, amount, sum }) => `ledger row ${id} of ${amount} has parts of ${sum}`),
      ...strays.map(({ id }) => `a part of ledger row ${id} has no row or no bucket of the same user`),
    ];
  },
});

/** V2 Credits beside the plan are bought once, or granted by an admin with an entry in the audit log. */
export const bucketsHaveSources = defineInvariant({
  id: 'V2',
  about: 'packs belong to one user, and grants are recorded',
  needs: ['credits'],
  find: async ({ credits }) => {
    const packs = await credits.select<{ id: string; users: number }>(
      `SELECT id, COUNT(*) AS users FROM buckets WHERE kind = 'pack' GROUP BY id HAVING users > 1`,
    );
    const grants = await credits.select<{ id: string }>(
      `SELECT b.id FROM buckets b WHERE b.kind = 'grant' AND NOT EXISTS (SELECT 1 FROM audit_log a WHERE a.target_id = b.user_id
         AND a.action = 'credits.grant' AND a.after_state LIKE CONCAT('%"', b.id, '"%'))`,
    );
    return [
      ...packs.map(({ id, users }) => `pack ${id} is credited to ${users} users`),
      ...grants.map(({ id }) => `the grant of bucket ${id} is not recorded`),
    ];
  },
});
