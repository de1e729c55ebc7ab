// What stands around a list: its filters and its export above, its pages below.
import Download from 'lucide-react/icons/download';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { download } from '../lib/api/download.ts';
import { now, tableDate } from '../lib/dates.ts';
import { useAppDispatch, useAreaToken } from '../lib/state/hooks.tsx';
import { toasts } from '../lib/state/page.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { type ChangeFilters, currentParam } from '../lib/url-filters.ts';
import { controlText } from '../messages/shell.ts';
import { Button } from './button.tsx';
import { ICON } from './inline.tsx';

/** `params` is the search of the URL, of which the filter is the parameter `name`. */
type FilterProps = { name: string; label: string; params: URLSearchParams; onChange: ChangeFilters };

type FilterBarProps = {
  params: URLSearchParams;
  /** The filters of the URL that are behind the button. */
  names: readonly string[];
  /** What is always there. */
  search?: ReactNode;
  end?: ReactNode;
  isInPanel?: boolean;
  children: ReactNode;
};

/** The filters above a list. On a phone they are behind one button, which says how many are set. */
export const FilterBar = ({
  params,
  names,
  search,
  end,
  isInPanel = false,
  children,
}: FilterBarProps): ReactNode => {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const count = names.filter((name) => params.has(name)).length;
  return (
    <div className={isInPanel ? 'filters panel-filters' : 'filters'} role="search">
      {search}
      <Button
        className="filters-button"
        aria-expanded={isOpen}
        aria-controls={id}
        isReadOnly
        onClick={() => setIsOpen(!isOpen)}
      >
        {controlText(count === 0 ? 'filters' : 'filtersSet', { count })}
      </Button>
      <div id={id} className={isOpen ? 'filters-fields is-open' : 'filters-fields'}>
        {children}
      </div>
      {end}
    </div>
  );
};

/** A filter of a list with a choice, kept in the URL. */
export const FilterSelect = ({
  name,
  label,
  params,
  onChange,
  children,
}: FilterProps & { children: ReactNode }): ReactNode => {
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

const SEARCH_PAUSE_MS = 300;

/**
 * The text belongs to the person who types. When typing pauses it goes into the URL; from there only changes by other means, such
 * as Back, return to the field, and not while typing. Rendering may lag behind the URL, so `params` only signals a change.
 */
const useSearchText = ({ name, params, onChange }: Omit<FilterProps, 'label'>) => {
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
    }, SEARCH_PAUSE_MS);
  };
  return { text, type };
};

type SearchFilterProps = FilterProps & { hint: string; help?: string; maxLength: number };

/** A filter of a list with a searched text, kept in the URL. */
export const SearchFilter = ({ label, hint, help, maxLength, ...state }: SearchFilterProps): ReactNode => {
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
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      {help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
};

const DATE_PAUSE_MS = 600;
/** Excludes incomplete years: typing 2026 passes through 0002. */
const FIRST_DAY = '1900-01-01';

/**
 * A date filter that is applied once its date is complete. The input is uncontrolled, because setting its value would
 * discard a half-typed date. It follows changes of the URL by other means, but not while a date is being typed.
 */
export const DateFilter = ({ name, label, params, onChange }: FilterProps): ReactNode => {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const initialValue = params.get(name) ?? '';
  const appliedValue = useRef(initialValue);
  const timer = useRef<number | null>(null);
  useEffect(() => {
    // Rendering may lag behind the URL, so `params` only signals a change.
    const value = currentParam(name);
    if (timer.current !== null || value === appliedValue.current || field.current === null) return;
    appliedValue.current = value;
    field.current.value = value;
  }, [params, name]);
  useEffect(() => () => window.clearTimeout(timer.current ?? 0), []);
  const apply = (): void => {
    window.clearTimeout(timer.current ?? 0);
    timer.current = null;
    if (field.current === null) return;
    const { value, validity } = field.current;
    const isComplete = !validity.badInput && (value === '' || value >= FIRST_DAY);
    if (!isComplete || value === appliedValue.current) return;
    appliedValue.current = value;
    onChange({ [name]: value }, { replace: true });
  };
  const applyDebounced = (): void => {
    window.clearTimeout(timer.current ?? 0);
    timer.current = window.setTimeout(apply, DATE_PAUSE_MS);
  };
  return (
    <div className="filter is-date">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        ref={field}
        id={id}
        className="input num"
        type="date"
        defaultValue={initialValue}
        onChange={applyDebounced}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </div>
  );
};

type ExportButtonProps = { path: string; fileName: string; label?: string };

/** Downloads a list as CSV, in a file with today's date in its name. A toast reports a failure. */
export const ExportButton = ({
  path,
  fileName,
  label = controlText('export'),
}: ExportButtonProps): ReactNode => {
  const token = useAreaToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (exported: string): Promise<void> => {
    if (token !== null) await download(exported, `${fileName}-${tableDate(new Date(now()))}.csv`, token);
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(controlText('exportFailed', { problem: failure.message })));
  }, [failure, dispatch]);
  return (
    <Button isBusy={isBusy} onClick={() => void run(path)}>
      <Download {...ICON} />
      {label}
    </Button>
  );
};

type PagerProps = {
  summary: ReactNode;
  previous: string;
  next: string;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  children?: ReactNode;
};

type StepProps = { onPress: (() => void) | null; children: string };

/** At the end of the list the button stays focusable, so that keyboard users keep their position. */
const Step = ({ onPress, children }: StepProps): ReactNode => (
  <Button isSmall isReadOnly aria-disabled={onPress === null || undefined} onClick={() => onPress?.()}>
    {children}
  </Button>
);

export const Pager = ({ summary, previous, next, onPrevious, onNext, children }: PagerProps): ReactNode => (
  <div className="pager num">
    <span role="status">{summary}</span>
    {children}
    <span className="pager-steps">
      <Step onPress={onPrevious}>{previous}</Step>
      <Step onPress={onNext}>{next}</Step>
    </span>
  </div>
);
