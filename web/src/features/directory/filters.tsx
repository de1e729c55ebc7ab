import Search from 'lucide-react/icons/search';
import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { DateFilter } from './date-filter.tsx';
import type { ChangeList } from './list-state.ts';

const DEBOUNCE_MS = 300;

type FiltersProps = { params: URLSearchParams; onChange: ChangeList };

/** The search term, applied when typing pauses. It follows changes of the URL by other means. */
const SearchField = ({ params, onChange }: FiltersProps): ReactNode => {
  const id = useId();
  const urlValue = params.get('search') ?? '';
  const [text, setText] = useState(urlValue);
  const appliedValue = useRef(urlValue);
  useEffect(() => {
    if (urlValue === appliedValue.current) return;
    appliedValue.current = urlValue;
    setText(urlValue);
  }, [urlValue]);
  useEffect(() => {
    const search = text.trim();
    if (search === appliedValue.current) return undefined;
    const pathname = window.location.pathname;
    const timer = setTimeout(() => {
      // The admin has opened a user, and this list only remains until that page has loaded.
      if (window.location.pathname !== pathname) return;
      appliedValue.current = search;
      onChange({ search }, { replace: true });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <div className="filter is-search">
      <label className="label" htmlFor={id}>
        Search
      </label>
      <div className="search">
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <input
          id={id}
          className="input"
          type="search"
          placeholder="Name, email or organization"
          maxLength={DIRECTORY_SEARCH_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </div>
  );
};

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
    <FilterSelect name="plan" label="Plan" params={params} onChange={onChange}>
      <option value="">All plans</option>
      <option value="premium">Premium</option>
      <option value="free">Free</option>
    </FilterSelect>
    <FilterSelect name="country" label="Country" params={params} onChange={onChange}>
      <option value="">All countries</option>
      {COUNTRIES.map((country) => (
        <option key={country}>{country}</option>
      ))}
    </FilterSelect>
    <DateFilter name="joinedFrom" label="Joined from" params={params} onChange={onChange} />
    <DateFilter name="joinedTo" label="Joined to" params={params} onChange={onChange} />
    {end}
  </div>
);
