import { useId, type ReactNode } from 'react';
import type { ChangeFilters } from '../lib/url-filters.ts';

type FilterSelectProps = {
  name: string;
  label: string;
  params: URLSearchParams;
  onChange: ChangeFilters;
  children: ReactNode;
};

/** A filter of a list with a choice, kept in the URL. */
export const FilterSelect = ({ name, label, params, onChange, children }: FilterSelectProps): ReactNode => {
  const id = useId();
  return (
    <div className={`filter is-${name}`}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="select">
        <select
          id={id}
          value={params.get(name) ?? ''}
          onChange={(event) => onChange({ [name]: event.target.value })}
        >
          {children}
        </select>
      </div>
    </div>
  );
};
