import { REVENUE_KINDS, revenueEndpoints, type RevenueFigures } from '@shortlist/contracts/api/revenue';
import { REVENUE_COHORTS, REVENUE_PAGE } from '@shortlist/contracts/limits';
import { inWholeUnits } from '@shortlist/contracts/messages';
import { BYTE_ORDER_MARK, csvHeaders, csvLine } from '@shortlist/kit/data/csv.rules';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { readRevenue, readSeries, spanOf } from './read-revenue.ts';
import { listCohorts, listEntries, listSubscribers } from './report-queries.ts';

const HEADINGS = [
  'From (UTC)',
  'To (UTC)',
  'Currency',
  'MRR at the start',
  'MRR at the end',
  'Subscribers at the start',
  'Subscribers at the end',
  ...REVENUE_KINDS.flatMap((kind) => [kind, `${kind} (count)`]),
];

/** Amounts in whole units of the currency, which a spreadsheet can add. */
const lineOf = (figures: RevenueFigures, currency: string): string => {
  const money = (amount: number): number => inWholeUnits({ amount, currency });
  return csvLine([
    figures.from,
    figures.to,
    currency.toUpperCase(),
    money(figures.mrrAtStart),
    money(figures.mrr),
    figures.subscribersAtStart,
    figures.subscribers,
    ...REVENUE_KINDS.flatMap((kind) => [money(figures.sums[kind].amount), figures.sums[kind].count]),
  ]);
};

/** `currency`: the one of which a report is if none is named. */
export const addRevenueEndpoints = (
  router: Router,
  { db, clock, currency: usual }: { db: Db; clock: Clock; currency: string },
): void => {
  router.add(revenueEndpoints.getRevenue, async ({ input: { currency = usual, ...input } }) => ({
    data: await readRevenue(db.manager, { ...input, currency }),
  }));

  router.add(revenueEndpoints.listRevenue, async ({ input: { currency = usual, ...input } }) => ({
    data: await readSeries(db.manager, { ...input, currency }),
  }));

  router.add(revenueEndpoints.exportRevenue, async ({ input: { currency = usual, ...input }, response }) => {
    const { periods } = await readSeries(db.manager, { ...input, currency });
    response.set(csvHeaders('revenue.csv'));
    response.end(
      [BYTE_ORDER_MARK + csvLine(HEADINGS), ...periods.map((one) => lineOf(one, currency))].join(''),
    );
    return '';
  });

  router.add(revenueEndpoints.listRetention, async ({ input: { currency = usual } }) => ({
    data: await listCohorts(db.manager, { currency, months: REVENUE_COHORTS, now: clock() }),
  }));

  router.add(revenueEndpoints.listRevenueEntries, async ({ input }) => {
    const { kind, cursor, currency = usual } = input;
    const [from, to] = spanOf(input);
    return listEntries(db.manager, { kind, currency, from, to, cursor }, REVENUE_PAGE);
  });

  router.add(revenueEndpoints.listSubscribers, ({ input: { currency = usual, cursor } }) =>
    listSubscribers(db.manager, { currency, cursor }, REVENUE_PAGE),
  );
};
