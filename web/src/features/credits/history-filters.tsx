import { publicEndpoints } from '@shortlist/contracts/api/public';
import { creditReason, creditReasonText } from '@shortlist/contracts/credit-history';
import type { BROWSER, HistoryFilters } from '@shortlist/contracts/api/credits';
import { type ReactNode, useMemo } from 'react';
import { type NamedTool, useToolNames, useTools } from '../../lib/data/use-tools.ts';
import { dayRange } from '../../lib/days.rules.ts';
import { type ChangeFilters, useUrlParams } from '../../lib/url-filters.ts';
import { creditsText } from '../../messages/credits.ts';
import { DateFilter, ExportButton, FilterBar, FilterSelect } from '../../ui/list-frame.tsx';

/** As in contracts, where it would bring a library of schemas along. */
const browser: typeof BROWSER = 'browser';
const KEY_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const REASONS = Object.keys(creditReasonText.entries) as (keyof typeof creditReasonText.entries)[];

const clientIn = (tool: string | null): string | undefined =>
  tool !== null && (tool === browser || KEY_ID.test(tool)) ? tool : undefined;

/** What a link or a person has written is a filter only if it can be one. */
const filtersIn = (params: URLSearchParams): HistoryFilters => {
  const reason = REASONS.find((known) => known === params.get('reason'));
  const client = clientIn(params.get('tool'));
  return {
    ...(reason && { reason }),
    ...(client && { client }),
    ...dayRange(params.get('from'), params.get('to')),
  };
};

/** The filters of the history are in the URL, so that a link, a reload or Back restores them. A change begins at the newest entry again. */
export const useHistoryFilters = () => {
  const { params, change: changeParams } = useUrlParams();
  const filters = useMemo(() => filtersIn(params), [params]);
  const change: ChangeFilters = (part, options) => changeParams({ cursor: '', page: '', ...part }, options);
  return { params, filters, change, clear: () => change({ reason: '', tool: '', from: '', to: '' }) };
};

/** Those that work before those that are deleted or disconnected. */
const inOrder = (tools: readonly NamedTool[]): NamedTool[] => [
  ...tools.filter(({ isGone }) => !isGone),
  ...tools.filter(({ isGone }) => isGone),
];

type FiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

const ToolFilter = (state: FiltersProps): ReactNode => {
  const tools = useTools();
  const nameOf = useToolNames();
  return (
    <FilterSelect name="tool" label={creditsText('tool')} {...state}>
      <option value="">{creditsText('allTools')}</option>
      <option value={browser}>{nameOf(null)}</option>
      {inOrder(tools).map(({ id, isGone }) => (
        <option key={id} value={id}>
          {isGone ? creditsText('deletedTool', { name: nameOf(id) }) : nameOf(id)}
        </option>
      ))}
    </FilterSelect>
  );
};

const ReasonFilter = (state: FiltersProps): ReactNode => (
  <FilterSelect name="reason" label={creditsText('action')} {...state}>
    <option value="">{creditsText('allActions')}</option>
    {REASONS.map((reason) => (
      <option key={reason} value={reason}>
        {creditReason(reason)}
      </option>
    ))}
  </FilterSelect>
);

/** The filters of a user's history for admins, who do not know all of the user's apps. */
export const LedgerFilterBar = (state: FiltersProps): ReactNode => (
  <FilterBar params={state.params} names={['reason', 'from', 'to']} isInPanel>
    <ReasonFilter {...state} />
    <DateFilter name="from" label={creditsText('fromDay')} {...state} />
    <DateFilter name="to" label={creditsText('toDay')} {...state} />
  </FilterBar>
);

export const HistoryFilterBar = (state: FiltersProps): ReactNode => (
  <FilterBar params={state.params} names={['reason', 'tool', 'from', 'to']} isInPanel>
    <ReasonFilter {...state} />
    <ToolFilter {...state} />
    <DateFilter name="from" label={creditsText('fromDay')} {...state} />
    <DateFilter name="to" label={creditsText('toDay')} {...state} />
  </FilterBar>
);

/** Downloads all entries that match the filters, not only the current page. */
export const DownloadHistory = ({ filters }: { filters: HistoryFilters }): ReactNode => {
  const query = new URLSearchParams(filters).toString();
  return (
    <ExportButton
      path={`${publicEndpoints.exportHistory.path}${query && `?${query}`}`}
      fileName={creditsText('fileName')}
      label={creditsText('download')}
    />
  );
};
