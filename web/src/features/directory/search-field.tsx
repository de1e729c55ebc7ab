import Search from 'lucide-react/icons/search';
import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { currentParam, type ChangeFilters } from '../../lib/url-filters.ts';
import { directoryText } from '../../messages/directory.ts';

const DEBOUNCE_MS = 300;

type SearchFieldProps = { params: URLSearchParams; onChange: ChangeFilters };

/**
 * The text belongs to the person who types. When typing pauses it goes into the URL; from there only changes by other means, such
 * as Back, return to the field, and not while typing. Rendering may lag behind the URL, so `params` only signals a change.
 */
const useSearchText = ({ params, onChange }: SearchFieldProps) => {
  const [text, setText] = useState(params.get('search') ?? '');
  const appliedValue = useRef(text);
  const timer = useRef<number | null>(null);
  useEffect(() => {
    const urlValue = currentParam('search');
    if (timer.current !== null || urlValue === appliedValue.current) return;
    appliedValue.current = urlValue;
    setText(urlValue);
  }, [params]);
  useEffect(() => () => window.clearTimeout(timer.current ?? 0), []);
  const type = (typed: string): void => {
    setText(typed);
    window.clearTimeout(timer.current ?? 0);
    const { pathname } = window.location;
    timer.current = window.setTimeout(() => {
      timer.current = null;
      // The admin has opened a user, and this list only remains until that page has loaded.
      if (window.location.pathname !== pathname) return;
      const search = typed.trim();
      appliedValue.current = search;
      if (search !== currentParam('search')) onChange({ search }, { replace: true });
    }, DEBOUNCE_MS);
  };
  return { text, type };
};

export const SearchField = (props: SearchFieldProps): ReactNode => {
  const id = useId();
  const { text, type } = useSearchText(props);
  return (
    <div className="filter is-search">
      <label className="label" htmlFor={id}>
        {directoryText('search')}
      </label>
      <div className="search">
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <input
          id={id}
          className="input"
          type="search"
          placeholder={directoryText('searchHint')}
          maxLength={DIRECTORY_SEARCH_MAX}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </div>
    </div>
  );
};
