import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Coverage, NO_PLAN, planAt, type PlanState } from '../src/plan.ts';

const DAY = 86_400_000;
const EPOCH = Date.parse('2026-01-01T00:00:00Z');
const at = (day: number): Date => new Date(EPOCH + day * DAY);
const cover = (key: string, [start = 0, end = 0]: number[], grace?: number): Coverage => ({
  key,
  start: at(start).toISOString(),
  end: at(end).toISOString(),
  graceUntil: grace === undefined ? null : at(grace).toISOString(),
});
const state = (paid: Coverage | null, granted: Coverage | null = null): PlanState => ({
  version: 1,
  paid,
  granted,
});

describe('the plan at a time', () => {
  it('S7 is free before anything is paid or granted', () => {
    expect(planAt(NO_PLAN, at(0))).toEqual({ plan: 'free', coverage: null, endsAt: null });
  });

  it.each([
    ['a moment before it, by a clock that is behind', -1, 'premium'],
    ['at its first moment', 0, 'premium'],
    ['inside it', 15, 'premium'],
    ['at its end', 30, 'free'],
    ['after it', 31, 'free'],
  ] as const)('S7 %s it is day %i: %s', (_, day, plan) => {
    expect(planAt(state(cover('in_1', [0, 30])), at(day)).plan).toBe(plan);
  });

  it('F10 is premium while a renewal is collected, until the grace ends', () => {
    const paid = state(cover('in_1', [0, 30], 37));
    expect(planAt(paid, at(29)).endsAt).toBe(at(30).toISOString());
    expect(planAt(paid, at(33))).toMatchObject({ plan: 'premium', endsAt: at(37).toISOString() });
    expect(planAt(paid, at(37)).plan).toBe('free');
  });

  it('F11 is the paid period first, and the grant after its end', () => {
    const both = state(cover('in_1', [0, 10]), cover('grant:1', [0, 30]));
    expect(planAt(both, at(5)).coverage?.key).toBe('in_1');
    expect(planAt(both, at(15))).toMatchObject({ plan: 'premium', endsAt: at(30).toISOString() });
  });

  it('shows the latest period after all have ended', () => {
    const both = state(cover('in_1', [0, 10]), cover('grant:1', [0, 30]));
    expect(planAt(both, at(40))).toMatchObject({
      plan: 'free',
      endsAt: at(30).toISOString(),
      coverage: { key: 'grant:1' },
    });
  });
});

const day = fc.integer({ min: -100, max: 100 });
const coverage = fc
  .record({
    start: day,
    length: fc.integer({ min: 0, max: 60 }),
    grace: fc.option(fc.integer({ min: 0, max: 10 })),
  })
  .map(({ start, length, grace }) =>
    cover('in_1', [start, start + length], grace === null ? undefined : start + length + grace),
  );
const anyState = fc.record({ version: fc.nat(), paid: fc.option(coverage), granted: fc.option(coverage) });
const covers = (one: Coverage | null, now: Date): boolean =>
  one !== null && now < new Date(one.graceUntil ?? one.end);

describe('the plan of any paid period and grant', () => {
  it('V1 is premium exactly while one of them covers the time', () => {
    fc.assert(
      fc.property(anyState, day, (plans, today) => {
        const now = at(today);
        const covered = covers(plans.paid, now) || covers(plans.granted, now);
        expect(planAt(plans, now).plan).toBe(covered ? 'premium' : 'free');
      }),
    );
  });

  it('V1 has one of the two as its coverage, and a premium plan ends in the future', () => {
    fc.assert(
      fc.property(anyState, day, (plans, today) => {
        const { plan, coverage, endsAt } = planAt(plans, at(today));
        expect([plans.paid, plans.granted]).toContain(coverage);
        if (plan === 'premium') expect(new Date(endsAt ?? 0).getTime()).toBeGreaterThan(at(today).getTime());
      }),
    );
  });

  it('F11 is not shortened by a grant or by a payment', () => {
    fc.assert(
      fc.property(anyState, coverage, day, (plans, more, today) => {
        const now = at(today);
        if (planAt({ ...plans, granted: null }, now).plan === 'premium')
          expect(planAt({ ...plans, granted: more }, now).plan).toBe('premium');
        if (planAt({ ...plans, paid: null }, now).plan === 'premium')
          expect(planAt({ ...plans, paid: more }, now).plan).toBe('premium');
      }),
    );
  });
});
