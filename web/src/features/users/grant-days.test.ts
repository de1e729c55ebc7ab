import { describe, expect, it } from 'vitest';
import { grantDays, grantEnd } from './grant-days.ts';

describe('the days of a grant', () => {
  it.each([
    ['2026-11-20T12:00:00', '2026-11-20', '2026-12-20'],
    ['2026-01-31T12:00:00', '2026-01-31', '2026-02-28'],
    ['2026-12-31T23:59:00', '2026-12-31', '2027-01-31'],
  ])('from %s are %s to %s', (time, first, last) => {
    expect(grantDays(new Date(time).getTime())).toEqual({ first, last });
  });
});

describe('a grant until a day', () => {
  it('ends with that day in the time zone of the admin', () => {
    const { until } = grantEnd('2026-11-25', '2026-12-20');
    expect(until).toBe(new Date('2026-11-25T23:59:59.999').toISOString());
  });

  it('of the last possible day takes the whole month, whose end the server knows', () => {
    expect(grantEnd('2026-12-20', '2026-12-20')).toEqual({});
  });
});
