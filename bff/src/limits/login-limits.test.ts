import { expect, it } from 'vitest';
import { days, inSeconds } from '@shortlist/contracts/durations';
import { LOCKING_FAILURE, MOST_FAILURES, waitAfter } from './login-limits.ts';

it('A6 the wait begins with the tenth failure and doubles up to a quarter of an hour', () => {
  const failures = [1, 9, 10, 11, 12, 13, 19, 20, 21, 99];
  expect(failures.map(waitAfter)).toEqual([0, 0, 1, 2, 4, 8, 512, 900, 900, 900]);
});

it('A6 a hundred failures in a row stop unknown clients for a day', () => {
  expect(waitAfter(MOST_FAILURES)).toBe(inSeconds(days(1)));
  expect(waitAfter(MOST_FAILURES + 1)).toBe(inSeconds(days(1)));
});

it('A6 an account is locked with the failure whose wait is the longest for the first time', () => {
  expect([waitAfter(LOCKING_FAILURE - 1), waitAfter(LOCKING_FAILURE)]).toEqual([512, 900]);
});
