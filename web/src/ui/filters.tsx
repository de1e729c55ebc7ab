import { type ReactNode, useEffect, useId, useRef } from 'react';
import { type ChangeFilters, currentParam } from '../lib/url-filters.ts';

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

const DEBOUNCE_MS = 600;
/** Excludes incomplete years: typing 2026 passes through 0002. */
const FIRST_DAY = '1900-01-01';

type DateFilterProps = {
  name: string;
  label: string;
  params: URLSearchParams;
  onChange: ChangeFilters;
};

/**
 * A date filter that is applied once its date is complete. The input is uncontrolled, because setting its value would
 * discard a half-typed date. It follows changes of the URL by other means, but not while a date is being typed.
 */
export const DateFilter = ({ name, label, params, onChange }: DateFilterProps): ReactNode => {
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
    timer.current = window.setTimeout(apply, DEBOUNCE_MS);
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
