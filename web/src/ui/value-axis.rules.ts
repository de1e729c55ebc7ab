// The value axis of a chart ends close above its highest bar, at a round figure, and has three to seven round steps.

const STEPS = [3, 4, 5, 6, 7] as const;
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
