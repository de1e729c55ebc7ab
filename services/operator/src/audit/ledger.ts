import { defineInvariant } from './sources.ts';

type Sum = { id: number; used: number; sum: string };
type Limit = { id: number; used: number; limit: number };
type Balance = { id: number; stated: number; sum: string };

/**
 * V3 The sum of the ledger of each window is its `used`, which is between zero and the limit; and each ledger row states the
 * balance after it.
 */
export const ledgerAddsUp = defineInvariant({
  id: 'V3',
  about: 'the ledger adds up',
  needs: ['credits'],
  find: async ({ credits }) => {
    const sums = await credits.select<Sum>(
      `SELECT w.id, w.used, -COALESCE(SUM(l.amount), 0) AS sum FROM windows w
       LEFT JOIN ledger l ON l.window_id = w.id GROUP BY w.id, w.used HAVING w.used <> -COALESCE(SUM(l.amount), 0)`,
    );
    const limits = await credits.select<Limit>(
      'SELECT id, used, credit_limit AS `limit` FROM windows WHERE used > credit_limit',
    );
    // A row with amount 0 (a contact that was charged before) does not change the balance.
    const balances = await credits.select<Balance>(
      `SELECT id, used_after AS stated, sum FROM (
         SELECT id, used_after, -SUM(amount) OVER (PARTITION BY window_id ORDER BY id) AS sum, amount FROM ledger
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
