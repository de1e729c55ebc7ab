import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  colorOf,
  daysOf,
  highestDay,
  isTooLong,
  periodOf,
  seriesOf,
  totalsOf,
  usageByTool,
  warningPercent,
} from './usage.rules.ts';

const TODAY = '2026-11-21';
const BOT = 'bot';
const REPORT = 'report';

const row = (
  day: string,
  clientId: string | null,
  amounts: number | Partial<CreditsUsage>,
): CreditsUsage => ({
  day,
  clientId,
  reason: 'email_found',
  charged: 0,
  returned: 0,
  ...(typeof amounts === 'number' ? { charged: amounts } : amounts),
});

describe('the period of the usage', () => {
  const periods = (period: string | null, first: string | null = null, last: string | null = null) =>
    Object.values(periodOf({ period, first, last }, TODAY));

  it('has the last 30 days, of which today is one, unless another is chosen', () => {
    expect(periods(null)).toEqual(['2026-10-23', TODAY]);
    expect(periods('7')).toEqual(['2026-11-15', TODAY]);
    expect(periods('90')).toEqual(['2026-08-24', TODAY]);
    expect(periods('14')).toEqual(['2026-10-23', TODAY]);
  });

  it('has the chosen days, in whichever order they were entered', () => {
    expect(periods('days', '2026-11-01', '2026-11-09')).toEqual(['2026-11-01', '2026-11-09']);
    expect(periods('days', '2026-11-09', '2026-11-01')).toEqual(['2026-11-01', '2026-11-09']);
  });

  it('ends today without a last day, and has 30 days without a first', () => {
    expect(periods('days', '2026-11-01')).toEqual(['2026-11-01', TODAY]);
    expect(periods('days', '2026-12-01')).toEqual([TODAY, '2026-12-01']);
    expect(periods('days', null, '2026-03-01')).toEqual(['2026-01-31', '2026-03-01']);
    expect(periods('days', 'tomorrow', '2026-02-30')).toEqual(['2026-10-23', TODAY]);
  });

  it('has at most 366 days', () => {
    expect(isTooLong({ from: '2025-11-21', to: TODAY })).toBe(false);
    expect(isTooLong({ from: '2025-11-20', to: TODAY })).toBe(true);
  });

  it('has each day once, also across the ends of months, years and summer time', () => {
    expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 366 }), (start, count) => {
        const first = new Date(Date.UTC(2025, 0, 1 + start)).toISOString().slice(0, 10);
        const last = new Date(Date.UTC(2025, 0, start + count)).toISOString().slice(0, 10);
        const days = daysOf({ from: first, to: last });
        expect(days.length).toBe(count);
        expect([days[0], days.at(-1), new Set(days).size]).toEqual([first, last, count]);
      }),
    );
  });
});

const USAGE = [
  row('2026-11-19', BOT, 20),
  row('2026-11-19', BOT, { charged: 5, reason: 'message_composed' }),
  row('2026-11-19', null, 10),
  row('2026-11-21', REPORT, { charged: 5, returned: 2 }),
  row('2026-11-21', BOT, { returned: 4 }),
];
const PERIOD = { from: '2026-11-19', to: TODAY };

describe('the usage', () => {
  it('of each app is the sum of its days and reasons, the largest first', () => {
    expect(usageByTool(USAGE)).toEqual([
      { clientId: BOT, charged: 25, returned: 4, share: 0.625 },
      { clientId: null, charged: 10, returned: 0, share: 0.25 },
      { clientId: REPORT, charged: 5, returned: 2, share: 0.125 },
    ]);
    expect(totalsOf(USAGE)).toEqual({ charged: 40, returned: 6 });
  });

  it('has no share where nothing was charged', () => {
    const returned = [row(TODAY, BOT, { returned: 3 })];
    expect(usageByTool(returned)).toEqual([{ clientId: BOT, charged: 0, returned: 3, share: 0 }]);
    expect(seriesOf(returned, PERIOD)).toEqual([]);
  });

  it('is drawn for each day of the period, with nothing on those without a charge', () => {
    expect(seriesOf(USAGE, PERIOD).map(({ clientIds, data }) => [clientIds, data])).toEqual([
      [[BOT], [25, 0, 0]],
      [[null], [10, 0, 0]],
      [[REPORT], [0, 0, 5]],
    ]);
  });

  it('is drawn of the three largest apps and the others together when there are more than four', () => {
    const tools = ['a', 'b', 'c', 'd', 'e'].map((id, index) => row(TODAY, id, 10 - index));
    const series = seriesOf(tools, PERIOD);
    expect(series.map(({ clientIds, isRest, data }) => [clientIds, isRest, data.at(-1)])).toEqual([
      [['a'], false, 10],
      [['b'], false, 9],
      [['c'], false, 8],
      [['d', 'e'], true, 13],
    ]);
    expect(['a', 'c', 'd', 'e', 'f'].map((id) => colorOf(series, id))).toEqual([
      'accent',
      'tool-3',
      'tool-4',
      'tool-4',
      null,
    ]);
    expect(seriesOf(tools.slice(1), PERIOD).some(({ isRest }) => isRest)).toBe(false);
  });

  it('is drawn as a whole, whichever apps are apart', () => {
    const usage = fc.array(
      fc.record({
        day: fc.constantFrom('2026-11-19', '2026-11-20', TODAY),
        clientId: fc.constantFrom(null, 'a', 'b', 'c', 'd', 'e', 'f'),
        reason: fc.constantFrom('email_found' as const, 'message_composed' as const),
        charged: fc.nat(100),
        returned: fc.nat(100),
      }),
    );
    fc.assert(
      fc.property(usage, (rows) => {
        const drawn = seriesOf(rows, PERIOD).flatMap(({ data }) => data);
        expect(drawn.reduce((sum, value) => sum + value, 0)).toBe(totalsOf(rows).charged);
        const shares = usageByTool(rows).map(({ share }) => share);
        const isNothing = totalsOf(rows).charged === 0;
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(isNothing ? 0 : 1);
      }),
    );
  });
});

it('the axis has room for the day with the most credits, of all apps together', () => {
  const usage = [row(TODAY, 'a', 98), row(TODAY, 'b', 3)];
  expect(highestDay(seriesOf(usage, PERIOD))).toBe(101);
  expect(highestDay(seriesOf([], PERIOD))).toBe(0);
});

it('a warning is due from 80 percent on, until all credits are used', () => {
  const percentOf = (used: number, limit: number, beside = 0) =>
    warningPercent({ used, limit, available: limit - used + beside });
  const percents = [0, 399, 400, 499, 500].map((used) => percentOf(used, 500));
  expect(percents).toEqual([null, null, 80, 99, null]);
  expect(percentOf(17, 20)).toBe(85);
  expect(percentOf(0, 0)).toBeNull();
  // With credits beside those of the plan.
  expect([250, 101, 100, 1].map((beside) => percentOf(500, 500, beside))).toEqual([null, null, 100, 100]);
  expect(percentOf(450, 500, 60)).toBeNull();
});
