import { useId, type CSSProperties, type ReactNode } from 'react';

type ChoicesProps<Value extends string> = {
  label: string;
  choices: readonly (readonly [Value, string])[];
  columns: number;
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value) => void;
  /** Several may hold at once. */
  isMany?: boolean;
  /** What a choice looks like, drawn above or beside its words. */
  picture?: (value: Value) => ReactNode;
};

/** A few choices side by side, each a box with its words and perhaps a picture of what it does. */
export const Choices = <Value extends string>(props: ChoicesProps<Value>): ReactNode => {
  const { label, choices, columns, isChosen, onChoose, isMany = false, picture } = props;
  const name = useId();
  const style: CSSProperties & { '--columns': number } = { '--columns': columns };
  return (
    <fieldset className="choices">
      <legend className="label">{label}</legend>
      <div className="boxes" style={style}>
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
