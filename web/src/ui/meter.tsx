import type { CSSProperties, ReactNode } from 'react';

/** Up to this maximum, each unit has a stroke. */
const SINGLE_STROKES_MAX = 50;
/** More would run into each other. */
const STROKES_MAX = 100;
const STROKES_MAX_NARROW = 50;

/** `leftOfOthers`: the part of what remains that is drawn lighter. */
type MeterProps = { label: string; value: number; max: number; leftOfOthers?: number };

type Strokes = Record<'--strokes' | '--strokes-narrow' | '--left' | '--others', number>;

/** A meter of the used amount, drawn as strokes for the remaining one. */
export const Meter = ({ label, value, max, leftOfOthers = 0 }: MeterProps): ReactNode => {
  const shareOf = (amount: number): number => (max <= 0 ? 0 : Math.min(Math.max(amount / max, 0), 1));
  const isSingle = max <= SINGLE_STROKES_MAX;
  /** A stroke stands for one unit, or for a multiple of five. */
  const strokesOf = (most: number): number =>
    Math.max(Math.ceil(max / (isSingle ? 1 : 5 * Math.ceil(max / (5 * most)))), 2);
  const style: CSSProperties & Strokes = {
    '--strokes': strokesOf(STROKES_MAX),
    '--strokes-narrow': strokesOf(STROKES_MAX_NARROW),
    '--left': shareOf(max - value - leftOfOthers),
    '--others': shareOf(leftOfOthers),
  };
  return (
    <div
      className={isSingle ? 'meter is-single' : 'meter'}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      style={style}
    >
      <i />
      {leftOfOthers > 0 && <i />}
    </div>
  );
};
