import { describe, expect, it } from 'vitest';
import { boundariesOf } from './period.rules.ts';
import { nearestDay, sumsToMove, UNITS } from './sum-units.rules.ts';

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const movedIn = (timeZone: string): number[] =>
  boundariesOf(YEAR, { step: 'day', timeZone, max: 400 }).map((boundary) => sumsToMove(boundary, 0).length);

describe('the sums that a day beside UTC needs', () => {
  it.each([
    ['UTC', 0],
    ['Asia/Kolkata', 4],
    ['Asia/Kathmandu', 3],
    ['Australia/Darwin', 5],
    ['America/Los_Angeles', 7],
  ])('are few in %s', (timeZone, most) => {
    expect(Math.max(...movedIn(timeZone))).toBe(most);
  });

  it('are at most ten in any time zone, where quarter hours alone are up to 48', () => {
    const counts = Intl.supportedValuesOf('timeZone').map((zone) => Math.max(...movedIn(zone)));
    expect(counts.length).toBeGreaterThan(300);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
  });

  it('come to what is between the nearest UTC day and the boundary, for each quarter hour of a day', () => {
    const day = Date.parse('2026-03-01T00:00:00Z');
    for (let at = day; at < day + UNITS.day; at += UNITS.quarter) {
      const boundary = new Date(at);
      const moved = sumsToMove(boundary, 0).reduce((sum, { unit, sign }) => sum + sign * UNITS[unit], 0);
      expect(nearestDay(boundary).getTime() + moved).toBe(at);
    }
  });
});
