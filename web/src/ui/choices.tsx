import { type CSSProperties, type ReactNode, useId } from 'react';

type ChoicesProps<Value extends string> = {
  label: string;
  choices: readonly (readonly [Value, string])[];
  columns: number;
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value) => void;
  /** Whether several choices can be selected at once. */
  isMany?: boolean;
  /** A preview of the choice, above or next to its label. */
  picture?: (value: Value) => ReactNode;
};

/** A group of radio buttons or checkboxes as boxes with labels and optional previews. */
export const Choices = <Value extends string>(props: ChoicesProps<Value>): ReactNode => {
  const { label, choices, columns, isChosen, onChoose, isMany = false, picture } = props;
  const name = useId();
  const style: CSSProperties & { '--columns': number } = { '--columns': columns };
  return (
    <fieldset className="choices">
      <legend className="label">{label}</legend>
      <div className="choice-boxes" style={style}>
        {choices.map(([value, text]) => (
          <label key={value}>
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={name}
              className="visually-hidden"
              checked={isChosen(value)}
              onChange={() => onChoose(value)}
            />
            {picture?.(value)}
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

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
    <fieldset className="choices choice-list">
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
