import { expect, it } from 'vitest';
import { nextVersion } from './version.rules.ts';

const AT = new Date('2026-11-29T12:00:00.900Z');
const SECONDS = 1_795_953_600;

it.each([
  ['a state without changes', 0],
  ['a state from before versions followed the clock', 7],
  ['a state of the second before', SECONDS - 1],
])('the version after %s is the time in seconds', (_, current) => {
  expect(nextVersion(current, AT)).toBe(SECONDS);
});

it.each([
  ['in the same second', SECONDS],
  ['while the clock is behind', SECONDS + 600],
])('a change %s has the next version', (_, current) => {
  expect(nextVersion(current, AT)).toBe(current + 1);
});

it('what follows a database that was set back is newer than what was lost, however many changes those were', () => {
  let lost = 5;
  for (let change = 0; change < 100; change += 1) lost = nextVersion(lost, AT);
  expect(nextVersion(5, new Date(AT.getTime() + 120_000))).toBeGreaterThan(lost);
});
