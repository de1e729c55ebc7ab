import { PAYMENT_STATES, PAYMENT_SUBJECTS, type PaymentFilters } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useMemo } from 'react';
import { type ChangeFilters, periodBetween, useUrlParams } from '../../lib/url-filters.ts';
import { paymentText } from '../../messages/payments.ts';
import { DateFilter, ExportButton, FilterBar, FilterSelect, SearchFilter } from '../../ui/list-frame.tsx';

export const FILTERS = ['search', 'state', 'for', 'from', 'to'] as const;

const valuesOf = (params: URLSearchParams): PaymentFilters => {
  const values = {
    search: params.get('search')?.slice(0, DIRECTORY_SEARCH_MAX),
    state: PAYMENT_STATES.find((state) => state === params.get('state')),
    for: PAYMENT_SUBJECTS.find((subject) => subject === params.get('for')),
    ...periodBetween(params.get('from'), params.get('to')),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Boolean(value)));
};

/** The filters of the payments are in the URL, so that a link, a reload or Back restores them. */
export const usePaymentFilters = () => {
  const { params, change: changeParams } = useUrlParams();
  const filters = useMemo(() => valuesOf(params), [params]);
  // Other filters begin at the first page.
  const change: ChangeFilters = useCallback(
    (part, options) => changeParams({ cursor: '', page: '', ...part }, options),
    [changeParams],
  );
  return { params, filters, change };
};

type PaymentFiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

export const PaymentFilterBar = (state: PaymentFiltersProps): ReactNode => (
  <FilterBar
    params={state.params}
    names={FILTERS.filter((name) => name !== 'search')}
    search={
      <SearchFilter
        name="search"
        label={paymentText('search')}
        hint={paymentText('searchHint')}
        help={paymentText('searchHelp')}
        maxLength={DIRECTORY_SEARCH_MAX}
        {...state}
      />
    }
  >
    <FilterSelect name="state" label={paymentText('status')} {...state}>
      <option value="">{paymentText('allStates')}</option>
      {PAYMENT_STATES.map((name) => (
        <option key={name} value={name}>
          {paymentText(name)}
        </option>
      ))}
    </FilterSelect>
    <FilterSelect name="for" label={paymentText('for')} {...state}>
      <option value="">{paymentText('everything')}</option>
      {PAYMENT_SUBJECTS.map((name) => (
        <option key={name} value={name}>
          {paymentText(name)}
        </option>
      ))}
    </FilterSelect>
    <DateFilter name="from" label={paymentText('from')} {...state} />
    <DateFilter name="to" label={paymentText('to')} {...state} />
  </FilterBar>
);

/** Exports all payments that match the filters, not only the current page. */
export const ExportPayments = ({ filters }: { filters: PaymentFilters }): ReactNode => (
  <ExportButton
    path={`${publicEndpoints.exportPayments.path}?${new URLSearchParams(filters).toString()}`}
    fileName="payments"
  />
);
