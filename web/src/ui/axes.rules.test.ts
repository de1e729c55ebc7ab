import { expect, it } from 'vitest';
import { axisAround, axisLabels, axisOf } from './axes.rules.ts';

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

it.each([
  [-29_500, 82_600, { min: -40_000, max: 100_000, steps: 7 }],
  [-5_900, 5_900, { min: -6_000, max: 6_000, steps: 6 }],
  [-5_900, 0, { min: -6_000, max: 0, steps: 6 }],
  [-1, 900_000, { min: -200_000, max: 1_000_000, steps: 6 }],
  [-1, 0, { min: -1, max: 0, steps: 1 }],
  [0, 5_900, { min: 0, max: 6_000, steps: 3 }],
  [-0, 0, { min: 0, max: 10_000, steps: 5 }],
])('the axis of bars from %i to %i has the line as one of its steps', (lowest, highest, axis) => {
  expect(axisAround(lowest, highest, 10_000)).toEqual(axis);
});

it('the axis of bars on both sides has whole steps, at most seven, and room for each bar', () => {
  for (let lowest = -1; lowest > -1_000_000; lowest = Math.floor(lowest * 1.3))
    for (let highest = 1; highest < 1_000_000; highest = Math.ceil(highest * 1.3)) {
      const { min, max, steps } = axisAround(lowest, highest, 10_000);
      expect(steps).toBeLessThanOrEqual(7);
      expect(Number.isInteger((max - min) / steps)).toBe(true);
      expect(Math.abs(min % ((max - min) / steps))).toBe(0);
      expect(min).toBeLessThanOrEqual(lowest);
      expect(max).toBeGreaterThanOrEqual(highest);
    }
});

it('the time axis has as many labels as there is room for, at equal steps', () => {
  expect(axisLabels(['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c']);
  expect(axisLabels(['a', 'b', 'c', 'd', 'e'], 3)).toEqual(['a', '', 'c', '', 'e']);
  expect(axisLabels([], 3)).toEqual([]);
});
