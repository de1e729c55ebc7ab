// Whether the movements of revenue follow from the provider's own objects, and their sums from the movements.
import { addUp, monthOf, movementsOf, SUMS } from './provider-movements.ts';
import { listPlan } from './provider-plan.ts';
import { defineInvariant } from './sources.ts';

const NOTHING = addUp([]);

type Row = ReturnType<typeof addUp> & { month: string; currency: string };

/** V1 What came and went in each month, in UTC, is the same in the movements of revenue as at the provider. */
export const revenueAgrees = defineInvariant({
  id: 'V1',
  about: 'the movements of revenue are the provider’s',
  needs: ['billing', 'provider'],
  find: async ({ billing, provider }) => {
    const expected = Map.groupBy(
      movementsOf(await listPlan({ billing, provider })),
      (movement) => `${monthOf(movement)} ${movement.currency}`,
    );
    const rows = await billing.select<Row>(
      `SELECT DATE_FORMAT(moved_at, '%Y-%m') AS month, currency,
         CAST(SUM(IF(kind IN ('payment', 'pack'), amount, 0)) AS SIGNED) AS earnings,
         CAST(-SUM(IF(kind IN ('refund', 'dispute', 'fee'), amount, 0)) AS SIGNED) AS expenses,
         CAST(SUM(IF(kind = 'tax', amount, 0)) AS SIGNED) AS tax
       FROM revenue_movements GROUP BY 1, 2`,
    );
    const stored = new Map(rows.map((row) => [`${row.month} ${row.currency}`, row]));
    return [...new Set([...expected.keys(), ...stored.keys()])].toSorted().flatMap((key) => {
      const [here, there] = [stored.get(key) ?? NOTHING, addUp(expected.get(key) ?? [])];
      return SUMS.filter((name) => here[name] !== there[name]).map(
        (name) => `the movements of ${key} have ${name} of ${here[name]}, the provider ${there[name]}`,
      );
    });
  },
});

/** V1 Each sum of a quarter hour, of three hours or of a day is that of its movements. */
export const revenueAddsUp = defineInvariant({
  id: 'V1',
  about: 'the sums of revenue are those of its movements',
  needs: ['billing'],
  find: async ({ billing }) => {
    const rows = await billing.select<{ key: string; amount: number; count: number }>(
      `SELECT CONCAT_WS(' ', unit, starts, kind, currency) AS \`key\`, CAST(SUM(amount) AS SIGNED) AS amount,
         CAST(SUM(count) AS SIGNED) AS count
       FROM (
         SELECT unit, starts_at AS starts, kind, currency, amount, count FROM revenue_sums
         UNION ALL
         SELECT 'day', CAST(DATE(moved_at) AS DATETIME), kind, currency, -amount, -count FROM revenue_movements
         UNION ALL
         SELECT 'quarter', FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(moved_at) / 900) * 900), kind, currency, -amount, -count
         FROM revenue_movements
         UNION ALL
         SELECT 'three_hours', FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(moved_at) / 10800) * 10800), kind, currency, -amount, -count
         FROM revenue_movements
       ) sums GROUP BY unit, starts, kind, currency HAVING amount <> 0 OR count <> 0`,
    );
    return rows.map(
      ({ key, amount, count }) => `the sum of ${key} is off by ${amount}, and by ${count} in number`,
    );
  },
});
