import { COUNTRIES } from '@shortlist/contracts/option-lists';
import type { ReactNode } from 'react';
import type { ChangeFilters } from '../../lib/url-filters.ts';
import { directoryText } from '../../messages/directory.ts';
import { DateFilter } from '../../ui/date-filter.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchField } from './search-field.tsx';

type FiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

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
