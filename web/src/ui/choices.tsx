import CircleAlert from 'lucide-react/icons/circle-alert';
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

type PickTextProps = { option: PickOption<string> };

const PickText = ({ option: { label, note } }: PickTextProps): ReactNode => (
  <span>
    {label} <small>{note}</small>
  </span>
);

type PickLines<Value extends string> = { legend: string; options: readonly PickOption<Value>[] };

type PickProps<Value extends string> = PickLines<Value> & { value: Value; onChange: (value: Value) => void };

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
          <PickText option={option} />
        </label>
      ))}
    </fieldset>
  );
};

type PickManyProps<Value extends string> = PickLines<Value> & {
  values: readonly Value[];
  error: string | undefined;
  onChange: (values: Value[]) => void;
};

/** Any number of choices among boxed lines. An error is at the first, which takes the focus for it. */
export const PickMany = <Value extends string>(props: PickManyProps<Value>): ReactNode => {
  const { legend, options, values, error, onChange } = props;
  const errorId = useId();
  const toggle = (value: Value): void =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
  return (
    <fieldset className="choices choice-list">
      <legend className="label">{legend}</legend>
      {options.map((option, index) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={values.includes(option.value)}
            aria-invalid={(error !== undefined && index === 0) || undefined}
            aria-describedby={error === undefined ? undefined : errorId}
            onChange={() => toggle(option.value)}
          />
          <PickText option={option} />
        </label>
      ))}
      {error !== undefined && (
        <p className="help is-bad" id={errorId} role="alert">
          <CircleAlert size={15} aria-hidden="true" />
          {error}
        </p>
      )}
    </fieldset>
  );
};
