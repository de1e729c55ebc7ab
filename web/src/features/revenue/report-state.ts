import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type RevenueRange, type RevenueView, REVENUE_KINDS } from '@shortlist/contracts/api/revenue';
import { useEffect, useMemo } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { currentTimeZone, daySpan, localToday, tableDate } from '../../lib/dates.ts';
import { addDays, type Days } from '../../lib/days.rules.ts';
import { paths } from '../../lib/paths.ts';
import { type ChangeFilters, changedParams, useUrlParams } from '../../lib/url-filters.ts';
import { revenueText } from '../../messages/revenue.ts';
import { type Choice, choiceIn, DEFAULT_PERIOD, type Listed } from './revenue.rules.ts';

/** What the reports show. It is in the URL, so that a link, a reload or Back restores it. */
export type Report = { params: URLSearchParams; choice: Choice; change: ChangeFilters };

export const useReport = (): Report => {
  const { params, change } = useUrlParams();
  const today = localToday();
  const choice = useMemo(() => choiceIn(params, today), [params, today]);
  return { params, choice, change };
};

export const rangeOf = ({ from, to }: Days, currency: string | undefined): RevenueRange => ({
  from,
  to,
  timeZone: currentTimeZone(),
  ...(currency !== undefined && { currency }),
});

/** The figures of the period. A currency in which there is no revenue gives way to that of the price. */
export const useRevenue = ({ choice, change }: Report) => {
  const { days, compare, currency } = choice;
  const query = useQuery('earnings', publicEndpoints.revenue, { ...rangeOf(days, currency), compare });
  const isUnknown = currency !== undefined && query.data?.currencies.includes(currency) === false;
  useEffect(() => {
    if (isUnknown) change({ currency: '' }, { replace: true });
  }, [isUnknown, change]);
  return query;
};

/** The days of a period that the server has chosen. */
const daysOf = ({ from, to }: { from: string; to: string }): Days => ({
  from: tableDate(from),
  to: addDays(tableDate(to), -1),
});

/** Which days are shown, and with which they are compared. */
export const spanText = (days: Days, view: RevenueView | undefined): string => {
  const span = daySpan(days);
  if (!view?.before || view.daysBefore === null) return span;
  const before = daySpan(daysOf(view.before));
  return view.days === view.daysBefore
    ? revenueText('compared', { span, before })
    : revenueText('comparedUnequally', { span, before, days: view.days, daysBefore: view.daysBefore });
};

/** The address of what is behind a figure. The other parameters stay, to lead back to the same reports. */
export const listAddress = (params: URLSearchParams, { period, days }: Choice, listed: Listed): string =>
  paths.reportEntriesOf(changedParams(params, { period, kind: listed, ...days }).toString());

export type ReportList = { listed: Listed | null; days: Days; currency: string | undefined; back: string };

const LISTED: readonly Listed[] = ['subscribers', ...REVENUE_KINDS];

/** What the address of a list names. Its days are those of the figure, also when the period has moved on. */
export const useReportList = (): ReportList => {
  const { params } = useUrlParams();
  const { period } = choiceIn(params, localToday());
  const isChosen = period === 'custom' || !params.has('period');
  const { days, currency } = choiceIn(changedParams(params, { period: 'custom' }), localToday());
  const ofList = { kind: '', cursor: '', page: '' };
  const ofPeriod = isChosen
    ? { period: 'custom' }
    : { from: '', to: '', period: period === DEFAULT_PERIOD ? '' : period };
  return {
    listed: LISTED.find((known) => known === params.get('kind')) ?? null,
    days,
    currency,
    back: paths.adminReport(changedParams(params, { ...ofList, ...ofPeriod }).toString()),
  };
};
