import type { CSSProperties, ReactNode } from 'react';

/** Up to this maximum, each unit has a stroke. */
const SINGLE_STROKES_MAX = 50;
const PER_STROKE = 5;
const PER_STROKE_NARROW = 10;

type MeterProps = { label: string; value: number; max: number };

type Strokes = Record<'--strokes' | '--strokes-narrow' | '--left', number>;

/** A meter of the used amount, drawn as strokes for the remaining one. */
export const Meter = ({ label, value, max }: MeterProps): ReactNode => {
  const remaining = max <= 0 ? 0 : 1 - Math.min(Math.max(value / max, 0), 1);
  const strokesOf = (each: number): number =>
    Math.max(Math.ceil(max / (max <= SINGLE_STROKES_MAX ? 1 : each)), 2);
  const style: CSSProperties & Strokes = {
    '--strokes': strokesOf(PER_STROKE),
    '--strokes-narrow': strokesOf(PER_STROKE_NARROW),
    '--left': remaining,
  };
  return (
    <div
      className="meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      style={style}
    >
      <i />
    </div>
  );
};
