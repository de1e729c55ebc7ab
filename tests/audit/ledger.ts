import { breachesOf, type Invariant } from './sources.ts';

/** V3 What the ledger adds up to is what each window says was used, and that lies between nothing and its limit. */
export const ledgerAddsUp: Invariant = async ({ db }) => [
  ...(await breachesOf<{ id: number; used: number; sum: string }>(db, {
    invariant: 'V3',
    sql: `SELECT w.id, w.used, -COALESCE(SUM(l.amount), 0) AS sum FROM credits.windows w
      LEFT JOIN credits.ledger l ON l.window_id = w.id GROUP BY w.id, w.used HAVING w.used <> -COALESCE(SUM(l.amount), 0)`,
    tell: ({ id, used, sum }) => `window ${id} says ${used} used, its ledger ${sum}`,
  })),
  ...(await breachesOf<{ id: number; used: number; limit: number }>(db, {
    invariant: 'V3',
    sql: 'SELECT id, used, credit_limit AS `limit` FROM credits.windows WHERE used > credit_limit',
    tell: ({ id, used, limit }) => `window ${id} used ${used} of ${limit}`,
  })),
];
