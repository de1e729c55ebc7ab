import { useId, type ReactNode } from 'react';

type PickOption<Value extends string> = { value: Value; label: string; note: string };

type PickProps<Value extends string> = {
  legend: string;
  options: readonly PickOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice of one among boxed lines, each with a note on what it means. */
export const Pick = <Value extends string>(props: PickProps<Value>): ReactNode => {
  const { legend, options, value, onChange } = props;
  const name = useId();
  return (
    <fieldset className="choices pick">
      <legend className="label">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label} <small>{option.note}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
