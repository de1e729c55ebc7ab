// Whether the movements of revenue follow from the provider's own objects, and their sums from the movements.
import { type Movement, movementsOf } from './provider-movements.ts';
import { listPlan } from './provider-plan.ts';
import { defineInvariant } from './sources.ts';

type Money = { month: string; currency: string; earnings: number; expenses: number; tax: number };

const KINDS = ['earnings', 'expenses', 'tax'] as const;

const keyOf = ({ month, currency }: Pick<Money, 'month' | 'currency'>): string => `${month} ${currency}`;

const addUp = (movements: Movement[]): Map<string, Money> => {
  const sums = new Map<string, Money>();
  for (const { at, currency, earnings, expenses, tax } of movements) {
    const month = new Date(at * 1_000).toISOString().slice(0, 7);
    const key = keyOf({ month, currency });
    const sum = sums.get(key) ?? { month, currency, earnings: 0, expenses: 0, tax: 0 };
    sums.set(key, {
      ...sum,
      earnings: sum.earnings + earnings,
      expenses: sum.expenses + expenses,
      tax: sum.tax + tax,
    });
  }
  return sums;
};

/** V1 What came and went in each month, in UTC, is the same in the movements of revenue as at the provider. */
export const revenueAgrees = defineInvariant({
  id: 'V1',
  about: 'the movements of revenue are the provider’s',
  needs: ['billing', 'provider'],
  find: async ({ billing, provider }) => {
    const expected = addUp(movementsOf(await listPlan({ billing, provider })));
    const rows = await billing.select<Money>(
      `SELECT DATE_FORMAT(moved_at, '%Y-%m') AS month, currency,
         CAST(SUM(IF(kind IN ('payment', 'pack'), amount, 0)) AS SIGNED) AS earnings,
         CAST(-SUM(IF(kind IN ('refund', 'dispute', 'fee'), amount, 0)) AS SIGNED) AS expenses,
         CAST(SUM(IF(kind = 'tax', amount, 0)) AS SIGNED) AS tax
       FROM revenue_movements GROUP BY 1, 2`,
    );
    const stored = new Map(rows.map((row) => [keyOf(row), row]));
    return [...new Set([...expected.keys(), ...stored.keys()])]
      .toSorted()
      .flatMap((key) =>
        KINDS.filter((kind) => (stored.get(key)?.[kind] ?? 0) !== (expected.get(key)?.[kind] ?? 0)).map(
          (kind) =>
            `the movements of ${key} have ${kind} of ${stored.get(key)?.[kind] ?? 0}, the provider ${expected.get(key)?.[kind] ?? 0}`,
        ),
      );
  },
});

/** V1 Each sum of a quarter hour or a day is that of its movements. */
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
       ) sums GROUP BY unit, starts, kind, currency HAVING amount <> 0 OR count <> 0`,
    );
    return rows.map(
      ({ key, amount, count }) => `the sum of ${key} is off by ${amount}, and by ${count} in number`,
    );
  },
});
