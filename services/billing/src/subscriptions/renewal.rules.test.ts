import { days } from '@shortlist/contracts/durations';
import type { PlanState } from '@shortlist/contracts/plan';
import { describe, expect, it } from 'vitest';
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { cardWarning, renewalEvents } from './renewal.rules.ts';

const NOW = new Date('2026-11-18T09:12:00.000Z');
const at = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();
const state = (end: string): PlanState => ({
  version: 1,
  paid: { key: 'in_1', start: at(-days(31)), end, graceUntil: null },
  granted: null,
});
const PREMIUM = { planState: state(at(days(9))), now: NOW };
const FREE = { planState: state(at(-days(1))), now: NOW };

const subscription = (columns: Partial<SubscriptionSnapshot>) => ({
  subscriptions: [
    {
      id: 'sub_1',
      status: 'active',
      sellsPlan: true,
      interval: 'month' as const,
      currency: 'usd',
      nextInterval: null,
      scheduleId: null,
      isScheduledElsewhere: false,
      discount: null,
      endsAt: null,
      renews: true,
      startedAt: NOW,
      canceledAt: null,
      endedAt: null,
      resumesAt: null,
      cancelReason: null,
      isCanceledForReturn: false,
      trial: null,
      isTrialRefused: false,
      price: null,
      card: { id: 'pm_1', brand: 'visa', last4: '4242', expires: '2026-11' },
      ...columns,
    },
  ],
  invoices: [],
  foreign: [],
  packs: [],
  disputes: [],
});

describe('a card that expires in twelve days', () => {
  it.each([
    ['of a plan that renews is mailed about', {}, PREMIUM, 1],
    ['of a plan that is free by now is not', { status: 'past_due' }, FREE, 0],
    ['of a subscription that does not renew is not', { renews: false }, PREMIUM, 0],
    ['of a subscription that has ended is not', { status: 'canceled' }, PREMIUM, 0],
    ['is another method of payment', { card: null }, PREMIUM, 0],
  ])('%s', (...[, columns, now, count]) => {
    const warning = cardWarning(subscription(columns), { cardsWarned: null }, now);
    expect(warning.events).toHaveLength(count);
    expect(warning.columns.cardWarningAt).toBeNull();
  });

  it('is not mailed about after that month', () => {
    const later = { ...PREMIUM, now: new Date('2026-12-01T00:00:00.000Z'), planState: state(at(days(40))) };
    expect(cardWarning(subscription({}), { cardsWarned: null }, later).events).toEqual([]);
  });
});

describe('a renewal', () => {
  const renewal = (renews: boolean, status = 'active', id = 'sub_1') => ({
    subscriptionId: id,
    subscriptionStatus: status,
    renews,
    renewsUntil: null,
  });
  it.each([
    ['that is stopped', renewal(true), renewal(false), PREMIUM, ['billing.RenewalStopped.v1']],
    ['that is resumed', renewal(false), renewal(true), PREMIUM, ['billing.RenewalResumed.v1']],
    ['that is the same', renewal(true), renewal(true), PREMIUM, []],
    ['that is stopped when the plan is over', renewal(true, 'past_due'), renewal(false), FREE, []],
    ['that ended with its subscription', renewal(true), renewal(false, 'canceled'), PREMIUM, []],
    ['of a new subscription', renewal(false), renewal(true, 'active', 'sub_2'), PREMIUM, []],
  ])('%s', (...[, before, after, now, types]) => {
    const events = renewalEvents(before, after, { by: 'stripe', ...now });
    expect(events.map(({ type }) => type.type)).toEqual(types);
  });
});
