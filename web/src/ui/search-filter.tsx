import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type ChangeFilters, currentParam } from '../lib/url-filters.ts';
import { ICON } from './inline.tsx';

const DEBOUNCE_MS = 300;

type TextProps = { name: string; params: URLSearchParams; onChange: ChangeFilters };

/**
 * The text belongs to the person who types. When typing pauses it goes into the URL; from there only changes by other means, such
 * as Back, return to the field, and not while typing. Rendering may lag behind the URL, so `params` only signals a change.
 */
const useSearchText = ({ name, params, onChange }: TextProps) => {
  const [text, setText] = useState(params.get(name) ?? '');
  const appliedValue = useRef(text);
  const timer = useRef<number | null>(null);
  useEffect(() => {
    const urlValue = currentParam(name);
    if (timer.current !== null || urlValue === appliedValue.current) return;
    appliedValue.current = urlValue;
    setText(urlValue);
  }, [params, name]);
  useEffect(() => () => window.clearTimeout(timer.current ?? 0), []);
  const type = (typed: string): void => {
    setText(typed);
    window.clearTimeout(timer.current ?? 0);
    const { pathname } = window.location;
    timer.current = window.setTimeout(() => {
      timer.current = null;
      // Another page is open, and this list only remains until that page has loaded.
      if (window.location.pathname !== pathname) return;
      const value = typed.trim();
      appliedValue.current = value;
      if (value !== currentParam(name)) onChange({ [name]: value }, { replace: true });
    }, DEBOUNCE_MS);
  };
  return { text, type };
};

type SearchFilterProps = TextProps & { label: string; hint: string; maxLength: number };

/** A filter of a list with a searched text, kept in the URL. */
export const SearchFilter = ({ label, hint, maxLength, ...state }: SearchFilterProps): ReactNode => {
  const id = useId();
  const { text, type } = useSearchText(state);
  return (
    <div className={`filter is-search is-${state.name}`}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="filter-search">
        <Search {...ICON} />
        <input
          id={id}
          className="input"
          type="search"
          placeholder={hint}
          maxLength={maxLength}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </div>
    </div>
  );
};
