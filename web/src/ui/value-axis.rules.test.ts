import { expect, it } from 'vitest';
import { axisOf } from './value-axis.rules.ts';

it.each([
  [0, 10_000, 5],
  [1, 3, 3],
  [3, 3, 3],
  [5_900, 6_000, 3],
  [6_100, 7_000, 7],
  [10_000, 10_000, 5],
  [611_200, 700_000, 7],
  [1_900, 2_000, 4],
  [9_999_99, 1_000_000, 5],
])('the axis above a bar of %i ends at %i, in %i steps', (highest, max, steps) => {
  expect(axisOf(highest, 10_000)).toEqual({ max, steps });
});

it('every axis ends within a third above its highest bar', () => {
  for (let highest = 1; highest < 1_000_000; highest = Math.ceil(highest * 1.07)) {
    const { max, steps } = axisOf(highest, 4);
    expect(Number.isInteger(max / steps)).toBe(true);
    expect(max).toBeGreaterThanOrEqual(highest);
    // Of whole steps, three make the shortest axis.
    expect(max / Math.max(highest, 3)).toBeLessThanOrEqual(4 / 3);
  }
});
