import { breachesOf, type Invariant } from './sources.ts';

/**
 * V3 The sum of the ledger of each window is its `used`, which is between zero and the limit; and each ledger row states the
 * balance after it.
 */
export const ledgerAddsUp: Invariant = async ({ db }) => [
  ...(await breachesOf<{ id: number; used: number; sum: string }>(db, {
    invariant: 'V3',
    sql: `SELECT w.id, w.used, -COALESCE(SUM(l.amount), 0) AS sum FROM credits.windows w
      LEFT JOIN credits.ledger l ON l.window_id = w.id GROUP BY w.id, w.used HAVING w.used <> -COALESCE(SUM(l.amount), 0)`,
    describe: ({ id, used, sum }) => `window ${id} has ${used} used, its ledger ${sum}`,
  })),
  ...(await breachesOf<{ id: number; used: number; limit: number }>(db, {
    invariant: 'V3',
    sql: 'SELECT id, used, credit_limit AS `limit` FROM credits.windows WHERE used > credit_limit',
    describe: ({ id, used, limit }) => `window ${id} used ${used} of ${limit}`,
  })),
  // A row with amount 0 (a contact that was charged before) does not change the balance.
  ...(await breachesOf<{ id: number; stated: number; sum: string }>(db, {
    invariant: 'V3',
    sql: `SELECT id, used_after AS stated, sum FROM (
        SELECT id, used_after, -SUM(amount) OVER (PARTITION BY window_id ORDER BY id) AS sum, amount FROM credits.ledger
      ) AS running WHERE amount <> 0 AND used_after <> sum`,
    describe: ({ id, stated, sum }) => `ledger row ${id} states ${stated} used, the rows up to it ${sum}`,
  })),
];
