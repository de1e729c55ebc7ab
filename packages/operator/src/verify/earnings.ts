// Whether the sums of the dashboard follow from the provider's own objects.
import type { EarningsSums, EarningsView } from '@shortlist/contracts/api/billing';
import { addUp, monthOf, type Movement, movementsOf, SUMS } from './provider-movements.ts';
import { listPlan } from './provider-plan.ts';
import { defineInvariant } from './sources.ts';

const NOTHING = addUp([]);

type Sum = { when: string; currency: string; shown: EarningsSums; movements: Movement[] };

const differences = ({ when, currency, shown, movements }: Sum): string[] => {
  const expected = addUp(movements);
  return SUMS.filter((name) => shown[name] !== expected[name]).map(
    (name) =>
      `the dashboard states ${name} of ${shown[name]} ${currency} in ${when}, the provider ${expected[name]}`,
  );
};

/** Each sum in the view of a year in UTC, with the expected one. */
const sumsOf = (view: EarningsView, all: Movement[]): Sum[] => {
  const year = view.from.slice(0, 4);
  const ofYear = all.filter((movement) => monthOf(movement).startsWith(year));
  const inCurrency = (currency: string) => ofYear.filter((movement) => movement.currency === currency);
  const others = new Set([...ofYear, ...view.others].map(({ currency }) => currency));
  others.delete(view.currency);
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
  return [
    ...months.map((when) => ({
      when,
      currency: view.currency,
      shown: view.buckets.find(({ start }) => start.startsWith(when)) ?? NOTHING,
      movements: inCurrency(view.currency).filter((movement) => monthOf(movement) === when),
    })),
    { when: year, currency: view.currency, shown: view, movements: inCurrency(view.currency) },
    ...[...others].map((currency) => ({
      when: year,
      currency,
      shown: view.others.find((totals) => totals.currency === currency) ?? NOTHING,
      movements: inCurrency(currency),
    })),
  ];
};

/** V1 The dashboard's sums of the year, in UTC, are those of the provider's balance, month by month and currency by currency. */
export const earningsAgree = defineInvariant({
  id: 'V1',
  about: 'the sums of the dashboard are the provider’s',
  needs: ['billing', 'provider', 'earnings'],
  find: async ({ billing, provider, earnings }) => {
    const view = await earnings();
    const movements = movementsOf(await listPlan({ billing, provider }));
    return sumsOf(view, movements).flatMap(differences);
  },
});
