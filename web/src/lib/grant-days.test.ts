import { describe, expect, it } from 'vitest';
import { grantDays } from './grant-days.ts';

describe('the days of a grant', () => {
  it.each([
    ['2026-11-20T12:00:00', '2026-11-20', '2026-12-20'],
    ['2026-01-31T12:00:00', '2026-01-31', '2026-02-28'],
    ['2026-12-31T23:59:00', '2026-12-31', '2027-01-31'],
  ])('from %s are %s to %s', (time, first, last) => {
    expect(grantDays(new Date(time).getTime())).toEqual({ first, last });
  });
});
