import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { days } from '../src/durations.ts';
import { type Coverage, NO_PLAN, planAt, type PlanState } from '../src/plan.ts';

const EPOCH = Date.parse('2026-01-01T00:00:00Z');
const at = (day: number): Date => new Date(EPOCH + days(day));
const coverageOf = (key: string, [start = 0, end = 0]: number[], grace?: number): Coverage => ({
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

describe('planAt', () => {
  it('S7 is free before anything is paid or granted', () => {
    expect(planAt(NO_PLAN, at(0))).toEqual({ plan: 'free', coverage: null, endsAt: null });
  });

  it.each([
    ['before the period, by a clock that is behind', -1, 'premium'],
    ['at its start', 0, 'premium'],
    ['inside it', 15, 'premium'],
    ['at its end', 30, 'free'],
    ['after it', 31, 'free'],
  ] as const)('S7 is, %s (day %i), %s', (_, day, plan) => {
    expect(planAt(state(coverageOf('in_1', [0, 30])), at(day)).plan).toBe(plan);
  });

  it('F10 stays premium while a renewal is being collected, until the end of the grace', () => {
    const paid = state(coverageOf('in_1', [0, 30], 37));
    expect(planAt(paid, at(29)).endsAt).toBe(at(30).toISOString());
    expect(planAt(paid, at(33))).toMatchObject({ plan: 'premium', endsAt: at(37).toISOString() });
    expect(planAt(paid, at(37)).plan).toBe('free');
  });

  it('F11 prefers the paid period, and continues with the grant after it', () => {
    const both = state(coverageOf('in_1', [0, 10]), coverageOf('grant:1', [0, 30]));
    expect(planAt(both, at(5)).coverage?.key).toBe('in_1');
    expect(planAt(both, at(15))).toMatchObject({ plan: 'premium', endsAt: at(30).toISOString() });
  });

  it('returns the latest period after all have ended', () => {
    const both = state(coverageOf('in_1', [0, 10]), coverageOf('grant:1', [0, 30]));
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
    coverageOf('in_1', [start, start + length], grace === null ? undefined : start + length + grace),
  );
const anyState = fc.record({ version: fc.nat(), paid: fc.option(coverage), granted: fc.option(coverage) });
const isInForce = (one: Coverage | null, now: Date): boolean =>
  one !== null && now < new Date(one.graceUntil ?? one.end);

describe('planAt for any paid and granted period', () => {
  it('V1 is premium exactly during a paid or granted period', () => {
    fc.assert(
      fc.property(anyState, day, (plans, today) => {
        const now = at(today);
        const isPremium = isInForce(plans.paid, now) || isInForce(plans.granted, now);
        expect(planAt(plans, now).plan).toBe(isPremium ? 'premium' : 'free');
      }),
    );
  });

  it('V1 returns one of the two coverages, and an end after now for premium', () => {
    fc.assert(
      fc.property(anyState, day, (plans, today) => {
        const { plan, coverage: current, endsAt } = planAt(plans, at(today));
        expect([plans.paid, plans.granted]).toContain(current);
        if (plan === 'premium') expect(new Date(endsAt ?? 0).getTime()).toBeGreaterThan(at(today).getTime());
      }),
    );
  });

  it('F11 stays premium when a grant or a payment is added', () => {
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
