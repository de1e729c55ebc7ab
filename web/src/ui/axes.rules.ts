// The value axis of a chart ends close above its highest bar, at a round figure, and has three to seven round steps. Bars below the line
// have steps of the same size. The time axis has as many labels as there is room for.

const STEPS = [3, 4, 5, 6, 7] as const;
const STEPS_MAX = 7;
const ROUND = [1, 2, 5] as const;

/** The end of the axis and its number of steps, each a whole number. `empty`: the end where there is no bar. */
export const axisOf = (highest: number, empty: number): { max: number; steps: number } => {
  if (highest <= 0) return axisOf(empty, empty);
  const unit = 10 ** Math.floor(Math.log10(highest));
  const axes = [unit / 10, unit].flatMap((size) =>
    ROUND.flatMap((round) => STEPS.map((steps) => ({ max: round * size * steps, steps }))),
  );
  return axes
    .filter(({ max, steps }) => max >= highest && Number.isInteger(max / steps))
    .reduce((best, axis) =>
      axis.max < best.max || (axis.max === best.max && axis.steps < best.steps) ? axis : best,
    );
};

/** The axis of bars on both sides of the line, which is one of its steps. `lowest` is 0 or less. */
export const axisAround = (
  lowest: number,
  highest: number,
  empty: number,
): { min: number; max: number; steps: number } => {
  if (lowest >= 0) return { min: 0, ...axisOf(highest, empty) };
  const unit = 10 ** Math.floor(Math.log10(Math.max(highest, -lowest)));
  const axes = [unit / 10, unit].flatMap((size) =>
    ROUND.map((round) => {
      const step = round * size;
      return { step, below: Math.ceil(-lowest / step), above: Math.ceil(highest / step) };
    }),
  );
  const { step, below, above } = axes
    .filter((axis) => Number.isInteger(axis.step))
    .reduce((best, axis) => (best.below + best.above <= STEPS_MAX ? best : axis));
  return { min: -below * step, max: above * step, steps: below + above };
};

/** The labels of the time axis, at equal steps; the others are empty. */
export const axisLabels = (labels: readonly string[], most: number): string[] => {
  const step = Math.ceil(labels.length / most);
  return labels.map((label, index) => (index % step === 0 ? label : ''));
};
