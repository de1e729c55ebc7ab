import { breachesOf, type Invariant } from './sources.ts';

/**
 * V3 What the ledger adds up to is what each window says was used, and that lies between nothing and its limit; and each of its
 * rows says the balance that it led to.
 */
export const ledgerAddsUp: Invariant = async ({ db }) => [
  ...(await breachesOf<{ id: number; used: number; sum: string }>(db, {
    invariant: 'V3',
    sql: `SELECT w.id, w.used, -COALESCE(SUM(l.amount), 0) AS sum FROM credits.windows w
      LEFT JOIN credits.ledger l ON l.window_id = w.id GROUP BY w.id, w.used HAVING w.used <> -COALESCE(SUM(l.amount), 0)`,
    describe: ({ id, used, sum }) => `window ${id} says ${used} used, its ledger ${sum}`,
  })),
  ...(await breachesOf<{ id: number; used: number; limit: number }>(db, {
    invariant: 'V3',
    sql: 'SELECT id, used, credit_limit AS `limit` FROM credits.windows WHERE used > credit_limit',
    describe: ({ id, used, limit }) => `window ${id} used ${used} of ${limit}`,
  })),
  // A row that cost nothing (a contact that was paid for already) changed no balance.
  ...(await breachesOf<{ id: number; stated: number; sum: string }>(db, {
    invariant: 'V3',
    sql: `SELECT id, used_after AS said, sum FROM (
        SELECT id, used_after, -SUM(amount) OVER (PARTITION BY window_id ORDER BY id) AS sum, amount FROM credits.ledger
      ) AS running WHERE amount <> 0 AND used_after <> sum`,
    describe: ({ id, stated, sum }) =>
      `ledger row ${id} says ${stated} used after it, the rows so far ${sum}`,
  })),
];
