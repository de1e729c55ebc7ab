import { useId, type CSSProperties, type ReactNode } from 'react';

type SegmentedProps<Value extends string> = {
  label: string;
  choices: readonly (readonly [Value, string])[];
  isPressed: (value: Value) => boolean;
  onPress: (value: Value) => void;
  columns: number;
};

export const Segmented = <Value extends string>(props: SegmentedProps<Value>): ReactNode => {
  const { label, choices, isPressed, onPress, columns } = props;
  const id = useId();
  const style: CSSProperties & { '--columns': number } = { '--columns': columns };
  return (
    <div>
      <span className="label" id={id}>
        {label}
      </span>
      <div className="seg" role="group" aria-labelledby={id} style={style}>
        {choices.map(([value, words]) => (
          <button key={value} type="button" aria-pressed={isPressed(value)} onClick={() => onPress(value)}>
            {words}
          </button>
        ))}
      </div>
    </div>
  );
};
