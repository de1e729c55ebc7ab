import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { useId, type ReactNode } from 'react';
import { directoryText } from '../../messages/directory.ts';
import { DateFilter } from './date-filter.tsx';
import type { ChangeList } from './list-state.ts';
import { SearchField } from './search-field.tsx';

type FiltersProps = { params: URLSearchParams; onChange: ChangeList };

type FilterSelectProps = FiltersProps & { name: 'plan' | 'country'; label: string; children: ReactNode };

const FilterSelect = ({ name, label, params, onChange, children }: FilterSelectProps): ReactNode => {
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

/** The filters above the list. `end` holds the actions on all matching users. */
export const Filters = ({ params, onChange, end }: FiltersProps & { end: ReactNode }): ReactNode => (
  <div className="filters" role="search">
    <SearchField params={params} onChange={onChange} />
    <FilterSelect name="plan" label={directoryText('plan')} params={params} onChange={onChange}>
      <option value="">{directoryText('allPlans')}</option>
      <option value="premium">{directoryText('premium')}</option>
      <option value="free">{directoryText('free')}</option>
    </FilterSelect>
    <FilterSelect name="country" label={directoryText('country')} params={params} onChange={onChange}>
      <option value="">{directoryText('allCountries')}</option>
      {COUNTRIES.map((country) => (
        <option key={country}>{country}</option>
      ))}
    </FilterSelect>
    <DateFilter name="joinedFrom" label={directoryText('joinedFrom')} params={params} onChange={onChange} />
    <DateFilter name="joinedTo" label={directoryText('joinedTo')} params={params} onChange={onChange} />
    {end}
  </div>
);
