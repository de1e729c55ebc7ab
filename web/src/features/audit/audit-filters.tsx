import type { AuditFilters as Filters } from '@shortlist/contracts/api/audit';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { AUDIT_ACTIONS, auditActionText } from '@shortlist/contracts/audit-log';
import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useMemo } from 'react';
import { type ChangeFilters, periodBetween, useUrlParams } from '../../lib/url-filters.ts';
import { auditText } from '../../messages/audit.ts';
import { DateFilter, ExportButton, FilterBar, FilterSelect, SearchFilter } from '../../ui/list-frame.tsx';

export type AuditFilterValues = Pick<Filters, 'by' | 'about' | 'action' | 'from' | 'to'>;

const textOf = (text: string | null): string | undefined => text?.slice(0, DIRECTORY_SEARCH_MAX) || undefined;

const valuesOf = (params: URLSearchParams): AuditFilterValues => {
  const values = {
    by: textOf(params.get('by')),
    about: textOf(params.get('about')),
    action: AUDIT_ACTIONS.find((name) => name === params.get('action')),
    ...periodBetween(params.get('from'), params.get('to')),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
};

/** The filters of the audit log are in the URL, so that a link, a reload or Back restores them. */
export const useAuditFilters = () => {
  const { params, change } = useUrlParams();
  const filters = useMemo(() => valuesOf(params), [params]);
  return { params, filters, change };
};

type AuditFiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

export const AuditFilters = (state: AuditFiltersProps): ReactNode => (
  <FilterBar params={state.params} names={['by', 'about', 'action', 'from', 'to']}>
    {(['by', 'about'] as const).map((name) => (
      <SearchFilter
        key={name}
        name={name}
        label={auditText(name)}
        hint={auditText('personHint')}
        maxLength={DIRECTORY_SEARCH_MAX}
        {...state}
      />
    ))}
    <FilterSelect name="action" label={auditText('action')} {...state}>
      <option value="">{auditText('allActions')}</option>
      {AUDIT_ACTIONS.map((name) => (
        <option key={name} value={name}>
          {auditActionText(name)}
        </option>
      ))}
    </FilterSelect>
    <DateFilter name="from" label={auditText('fromDay')} {...state} />
    <DateFilter name="to" label={auditText('toDay')} {...state} />
  </FilterBar>
);

/** Exports all entries that match the filters, not only the current page. */
export const ExportAudit = ({ filters }: { filters: AuditFilterValues }): ReactNode => (
  <ExportButton
    path={`${publicEndpoints.exportAudit.path}?${new URLSearchParams(filters).toString()}`}
    fileName="audit-log"
  />
);
