import type { AuditQuery } from '@shortlist/contracts/schemas/admin';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { changedParams, currentParams, dayEdge, type ChangeFilters } from '../../lib/url-filters.ts';
import { auditText } from '../../messages/audit.ts';
import { DateFilter } from '../../ui/date-filter.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { ACTION_NAMES } from './describe-entry.ts';

export type AuditFilterValues = Pick<AuditQuery, 'action' | 'from' | 'to'>;

const valuesOf = (params: URLSearchParams): AuditFilterValues => {
  const values = {
    action: ACTION_NAMES.find((name) => name === params.get('action')),
    from: dayEdge(params.get('from'), 'start'),
    to: dayEdge(params.get('to'), 'end'),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
};

/** The filters of the audit log are in the URL, so that a link, a reload or Back restores them. */
export const useAuditFilters = () => {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => valuesOf(params), [params]);
  const change: ChangeFilters = useCallback(
    (part, { replace = false } = {}) => setParams(() => changedParams(currentParams(), part), { replace }),
    [setParams],
  );
  return { params, filters, change };
};

type AuditFiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

export const AuditFilters = (state: AuditFiltersProps): ReactNode => (
  <div className="filters measure" role="search">
    <FilterSelect name="action" label={auditText('action')} {...state}>
      <option value="">{auditText('allActions')}</option>
      {ACTION_NAMES.map((name) => (
        <option key={name} value={name}>
          {auditText(name)}
        </option>
      ))}
    </FilterSelect>
    <DateFilter name="from" label={auditText('fromDay')} {...state} />
    <DateFilter name="to" label={auditText('toDay')} {...state} />
  </div>
);
