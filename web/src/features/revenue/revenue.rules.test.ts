import {
  REVENUE_KINDS,
  type RevenueFigures,
  type RevenueKind,
  type RevenueSum,
} from '@shortlist/contracts/api/revenue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chartOf,
  choiceIn,
  type Figure,
  FIGURES,
  FIRST_FIGURES,
  listedBehind,
  MORE_FIGURES,
  movementOf,
  retentionOfAll,
  totalMovement,
} from './revenue.rules.ts';

const TODAY = '2026-11-29';

type Sums = Record<RevenueKind, RevenueSum>;

const sumsOf = (sumOf: (kind: RevenueKind) => RevenueSum): Sums =>
  Object.fromEntries(REVENUE_KINDS.map((kind) => [kind, sumOf(kind)])) as Sums;

/** Of a November in which nothing has happened but these. */
const revenueFigures = (overrides: Partial<RevenueFigures> = {}): RevenueFigures => ({
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-30T00:00:00.000Z',
  mrrAtStart: 0,
  mrr: 0,
  subscribersAtStart: 0,
  subscribers: 0,
  sums: sumsOf(() => ({ amount: 0, count: 0 })),
  ...overrides,
});

const choice = (address: string, today = TODAY) => choiceIn(new URLSearchParams(address), today);
const days = (address: string, today = TODAY): string[] => Object.values(choice(address, today).days);

describe('the period in the address', () => {
  it('is one of the calendar, and ends today where it is not over', () => {
    expect(days('')).toEqual(['2026-11-01', TODAY]);
    expect(days('period=last_month')).toEqual(['2026-10-01', '2026-10-31']);
    expect(days('period=last_3_months')).toEqual(['2026-08-01', '2026-10-31']);
    expect(days('period=this_year')).toEqual(['2026-01-01', TODAY]);
    expect(days('period=last_month', '2026-03-31')).toEqual(['2026-02-01', '2026-02-28']);
    expect(days('period=last_3_months', '2026-01-01')).toEqual(['2025-10-01', '2025-12-31']);
    expect(days('', '2026-11-01')).toEqual(['2026-11-01', '2026-11-01']);
  });

  it('has chosen days in whichever order they were entered', () => {
    expect(days('period=custom&from=2026-03-05&to=2026-04-02')).toEqual(['2026-03-05', '2026-04-02']);
    expect(days('period=custom&from=2026-04-02&to=2026-03-05')).toEqual(['2026-03-05', '2026-04-02']);
  });

  it('ends today at the latest, and is this month where the chosen days have not come', () => {
    expect(days('period=custom&from=2026-11-20&to=2026-12-31')).toEqual(['2026-11-20', TODAY]);
    expect(days('period=custom&from=2026-12-01&to=2026-12-31')).toEqual(['2026-11-01', TODAY]);
    expect(days('period=custom&from=2026-12-01')).toEqual(['2026-11-01', TODAY]);
  });

  it('does without an edge: today, or the start of the month of the other', () => {
    expect(days('period=custom')).toEqual(['2026-11-01', TODAY]);
    expect(days('period=custom&from=2026-06-03')).toEqual(['2026-06-03', TODAY]);
    expect(days('period=custom&to=2026-06-03')).toEqual(['2026-06-01', '2026-06-03']);
  });

  it('falls back where the address means nothing', () => {
    const wrong = choice('period=ever&from=1&compare=moon&currency=<b>&to=2026-02-30');
    expect(wrong).toEqual({
      period: 'this_month',
      days: { from: '2026-11-01', to: TODAY },
      compare: 'previous',
      currency: undefined,
    });
    expect(choice('compare=none&currency=eur')).toMatchObject({ compare: 'none', currency: 'eur' });
    expect(days('period=custom&from=2026-02-30&to=yesterday')).toEqual(['2026-11-01', TODAY]);
  });

  it('is a range of days that exist and have come, whatever the address says', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('custom', 'this_year', '2026-11-30', '2020-02-29'));
    fc.assert(
      fc.property(text, text, text, (period, from, to) => {
        const [first = '', last = ''] = days(new URLSearchParams({ period, from, to }).toString());
        expect(first <= last && last <= TODAY).toBe(true);
      }),
    );
  });
});

describe('the chart', () => {
  const chart = (address: string) => Object.values(chartOf(choice(address)));

  it('draws periods of the calendar by month, with at least twelve months', () => {
    expect(chart('')).toEqual(['2025-12-01', TODAY, 'month']);
    expect(chart('period=last_month')).toEqual(['2025-11-01', '2026-10-31', 'month']);
    expect(chart('period=this_year')).toEqual(['2025-12-01', TODAY, 'month']);
  });

  it('draws chosen days by day up to 31, by week up to 14 weeks, and otherwise by month', () => {
    expect(chart('period=custom&from=2026-10-01&to=2026-10-31')).toEqual(['2026-10-01', '2026-10-31', 'day']);
    expect(chart('period=custom&from=2026-10-01&to=2026-11-01')).toEqual([
      '2026-10-01',
      '2026-11-01',
      'week',
    ]);
    expect(chart('period=custom&from=2026-08-24&to=2026-11-29')).toEqual(['2026-08-24', TODAY, 'week']);
    expect(chart('period=custom&from=2026-08-23&to=2026-11-29')).toEqual(['2025-12-01', TODAY, 'month']);
    expect(chart('period=custom&from=2024-02-10&to=2026-11-29')).toEqual(['2024-02-10', TODAY, 'month']);
  });
});

const value = (figure: Figure, figures: RevenueFigures) => FIGURES[figure].valueOf(figures);

describe('the figures', () => {
  const figures = revenueFigures({
    mrrAtStart: 554_600,
    mrr: 607_700,
    subscribersAtStart: 94,
    subscribers: 103,
    sums: {
      new: { amount: 70_800, count: 12 },
      expansion: { amount: 1_000, count: 1 },
      contraction: { amount: -1_000, count: 1 },
      reactivated: { amount: 11_800, count: 2 },
      churned: { amount: -29_500, count: 5 },
      payment: { amount: 600_000, count: 102 },
      pack: { amount: 1_900, count: 1 },
      tax: { amount: 48_000, count: 103 },
      refund: { amount: -5_900, count: 1 },
      dispute: { amount: -5_900, count: 1 },
      fee: { amount: -20_111, count: 103 },
      failed_renewal: { amount: 41_300, count: 7 },
      recovered_renewal: { amount: 29_500, count: 5 },
    },
  });

  it('are derived from the sums, to the cent', () => {
    expect(value('net_new_mrr', figures)).toBe(53_100);
    expect(value('net_new_mrr', figures)).toBe(figures.mrr - figures.mrrAtStart);
    expect(value('subscriber_churn', figures)).toBe(5 / 94);
    expect(value('revenue_churn', figures)).toBe(30_500 / 554_600);
    expect(value('arpu', figures)).toBe(5_900);
    expect(value('ltv', figures)).toBe(Math.round((5_900 * 94) / 5));
    expect(value('failed_renewal', figures)).toBe(7);
    expect(value('recovered_renewal', figures)).toBe(5);
    expect(value('cash', figures), 'without tax').toBe(600_000 + 1_900 - 5_900 - 5_900 - 20_111);
  });

  it('are not known where they would be a share of nothing, and 0 where nothing was lost', () => {
    const nothing = revenueFigures();
    const unknown = [...FIRST_FIGURES, ...MORE_FIGURES].filter((figure) => value(figure, nothing) === null);
    expect(unknown).toEqual(['subscriber_churn', 'arpu', 'revenue_churn', 'ltv']);
    const still = revenueFigures({ mrrAtStart: 5_900, mrr: 5_900, subscribersAtStart: 1, subscribers: 1 });
    expect(value('subscriber_churn', still)).toBe(0);
    expect(Object.is(value('revenue_churn', still), 0), 'no negative zero').toBe(true);
    expect(value('ltv', still), 'nobody leaves').toBeNull();
  });

  it('are whole amounts and numbers, whatever the sums', () => {
    const count = fc.nat(10_000);
    const sum = fc.record({ amount: fc.integer({ min: -1_000_000, max: 1_000_000 }), count });
    const sums = fc
      .array(sum, { minLength: REVENUE_KINDS.length })
      .map((some) => sumsOf((kind) => some[REVENUE_KINDS.indexOf(kind)] ?? { amount: 0, count: 0 }));
    const all = fc.record({
      mrrAtStart: count,
      mrr: count,
      subscribersAtStart: count,
      subscribers: count,
      sums,
    });
    fc.assert(
      fc.property(all, (overrides) => {
        const some = revenueFigures(overrides);
        for (const figure of [...FIRST_FIGURES, ...MORE_FIGURES]) {
          const result = value(figure, some);
          if (result === null) continue;
          expect(Number.isFinite(result), figure).toBe(true);
          if (FIGURES[figure].unit !== 'rate') expect(Number.isInteger(result), figure).toBe(true);
        }
      }),
    );
  });

  it('lead to what is behind them: entries where there are some, and those who pay now until the period is over', () => {
    expect(listedBehind('new', figures, false)).toBe('new');
    expect(listedBehind('subscriber_churn', figures, false)).toBe('churned');
    expect(listedBehind('new', revenueFigures(), true)).toBeNull();
    expect(listedBehind('cash', figures, true)).toBeNull();
    expect(listedBehind('mrr', figures, true)).toBe('subscribers');
    expect(
      listedBehind('subscribers', figures, false),
      'who paid at the end of a month may be gone',
    ).toBeNull();
    expect(listedBehind('mrr', revenueFigures(), true)).toBeNull();
  });

  it('are drawn as what was gained, won back and lost', () => {
    const movement = movementOf(figures);
    expect(movement).toEqual({ gained: 71_800, reactivated: 11_800, lost: -30_500, net: 53_100 });
    expect(totalMovement([movement, movement])).toEqual({
      gained: 143_600,
      reactivated: 23_600,
      lost: -61_000,
      net: 106_200,
    });
    expect(totalMovement([])).toEqual({ gained: 0, reactivated: 0, lost: 0, net: 0 });
  });
});

describe('the retention of all', () => {
  it('is of those alone who have come to a month, each weighted by its users', () => {
    const cohorts = [
      { month: '2026-08', people: 10, active: [9, 8, 6] },
      { month: '2026-09', people: 30, active: [15, 15] },
      { month: '2026-10', people: 0, active: [0] },
      { month: '2026-11', people: 12, active: [] },
    ];
    expect(retentionOfAll(cohorts)).toEqual([24 / 40, 23 / 40, 6 / 10]);
  });

  it('is not known for a month to which nobody has come', () => {
    expect(retentionOfAll([{ month: '2026-10', people: 0, active: [0] }])).toEqual([null]);
    expect(retentionOfAll([])).toEqual([]);
  });
});
