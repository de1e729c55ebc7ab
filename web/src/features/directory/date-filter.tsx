import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { ChangeList } from './list-state.ts';

const TYPED_AFTER_MS = 600;
/** While a year is being typed it passes through years like 0002. */
const FIRST_DAY = '1900-01-01';

type DateFilterProps = {
  name: 'joinedFrom' | 'joinedTo';
  label: string;
  params: URLSearchParams;
  onChange: ChangeList;
};

/**
 * A day that is asked for once it is whole: the browser's own field keeps what is half typed, so nothing here may write into it
 * meanwhile. A change of the address from elsewhere is taken over.
 */
export const DateFilter = ({ name, label, params, onChange }: DateFilterProps): ReactNode => {
  const id = useId();
  const inAddress = params.get(name) ?? '';
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(inAddress);
  const timer = useRef(0);
  useEffect(() => {
    if (inAddress === sent.current || field.current === null) return;
    sent.current = inAddress;
    field.current.value = inAddress;
  }, [inAddress]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const ask = (): void => {
    window.clearTimeout(timer.current);
    if (field.current === null) return;
    const { value, validity } = field.current;
    const isWhole = !validity.badInput && (value === '' || value >= FIRST_DAY);
    if (!isWhole || value === sent.current) return;
    sent.current = value;
    onChange({ [name]: value }, { replace: true });
  };
  const askSoon = (): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(ask, TYPED_AFTER_MS);
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
        defaultValue={inAddress}
        onChange={askSoon}
        onBlur={ask}
        onKeyDown={(event) => event.key === 'Enter' && ask()}
      />
    </div>
  );
};
