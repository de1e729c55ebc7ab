import Search from 'lucide-react/icons/search';
import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { DateFilter } from './date-filter.tsx';
import type { ChangeList } from './list-state.ts';

const SEARCH_AFTER_MS = 300;

type FiltersProps = { params: URLSearchParams; onChange: ChangeList };

/** What is typed is asked for once the typing pauses. A change of the address from elsewhere is taken over. */
const SearchField = ({ params, onChange }: FiltersProps): ReactNode => {
  const inAddress = params.get('search') ?? '';
  const [text, setText] = useState(inAddress);
  const sent = useRef(inAddress);
  useEffect(() => {
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => {
    const search = text.trim();
    if (search === sent.current) return undefined;
    const here = window.location.pathname;
    const timer = setTimeout(() => {
      // Somebody was opened meanwhile, and this list is only still shown until that page has loaded.
      if (window.location.pathname !== here) return;
      sent.current = search;
      onChange({ search }, { replace: true });
    }, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <div className="search">
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <input
        className="input"
        type="search"
        aria-label="Search"
        placeholder="Name, email or organization"
        maxLength={DIRECTORY_SEARCH_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
};

export const Filters = ({ params, onChange }: FiltersProps): ReactNode => (
  <div className="tools" role="search">
    <SearchField params={params} onChange={onChange} />
    <div className="select">
      <select
        aria-label="Plan"
        value={params.get('plan') ?? ''}
        onChange={(event) => onChange({ plan: event.target.value })}
      >
        <option value="">Any plan</option>
        <option value="premium">Premium</option>
        <option value="free">Free</option>
      </select>
    </div>
    <div className="select">
      <select
        aria-label="Country"
        value={params.get('country') ?? ''}
        onChange={(event) => onChange({ country: event.target.value })}
      >
        <option value="">Any country</option>
        {COUNTRIES.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </select>
    </div>
    <div className="dates">
      <span aria-hidden="true">Joined</span>
      <DateFilter name="joinedFrom" label="Joined from" params={params} onChange={onChange} />
      <span aria-hidden="true">to</span>
      <DateFilter name="joinedTo" label="Joined to" params={params} onChange={onChange} />
    </div>
  </div>
);
