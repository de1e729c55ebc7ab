import { nextVersion } from '@shortlist/kit/data/version.rules';
import { paymentSucceeded, planRevoked, subscriptionChanged } from '@shortlist/contracts/events/billing';
import { describe, expect, it } from 'vitest';
import { endReason, nextPlan, continuationOf, type PlanChange, planEvent } from './plan.rules.ts';
import type { SubscriberRow } from './queries.ts';

describe('the reason why a plan ended is', () => {
  const NOW = new Date('2026-04-08T12:00:00.000Z');
  const start = '2026-03-01T12:00:00.000Z';
  const before = '2026-04-01T12:00:00.000Z';
  const later = '2026-05-01T12:00:00.000Z';
  const paid = (end: string, graceUntil: string | null = null) => ({ key: 'in_1', start, end, graceUntil });
  const granted = (end: string) => ({ key: 'grant:1', start, end, graceUntil: null });

  it.each([
    ['the period end after a paid period', paid(before), null, 'period_end'],
    ['the grace end at the last moment of a grace', paid(before, NOW.toISOString()), null, 'grace_end'],
    ['the grant end after a grant', null, granted(before), 'grant_end'],
    ['the grant end after a grant that outlasted a paid period', paid(start), granted(before), 'grant_end'],
    ['the early reason within a paid period', paid(later), null, 'canceled'],
    ['the early reason within a grace', paid(before, later), null, 'canceled'],
    ['the early reason within a grant', paid(before), granted(later), 'canceled'],
    ['the early reason without any period', null, null, 'canceled'],
  ])('%s', (...[, paidPeriod, grant, reason]) => {
    const state = { version: 1, paid: paidPeriod, granted: grant };
    expect(endReason(state, 'canceled', NOW)).toBe(reason);
  });
});

const NOW = new Date('2026-03-10T12:00:00.000Z');
const start = '2026-03-01T12:00:00.000Z';
const past = '2026-03-09T12:00:00.000Z';
const soon = '2026-03-12T12:00:00.000Z';
const later = '2026-04-01T12:00:00.000Z';
const latest = '2026-04-08T12:00:00.000Z';
const paid = (end: string, graceUntil: string | null) => ({ key: 'in_1', start, end, graceUntil });
const granted = (end: string) => ({ key: 'grant:1', start, end, graceUntil: null });

describe('a plan', () => {
  it.each([
    ['without a period does not continue', null, null, null],
    ['that is over does not continue', paid(past, null), granted(past), null],
    ['that is paid renews after its period', paid(later, latest), null, ['renews', later]],
    ['that is set to end ends with its period', paid(later, null), null, ['ends', later]],
    [
      'whose renewal is not paid is collected until its grace ends',
      paid(past, soon),
      null,
      ['collecting', soon],
    ],
    ['that an admin granted ends by itself', null, granted(later), ['granted', later]],
    [
      'without its renewal lasts as long as a concurrent grant',
      paid(soon, later),
      granted(latest),
      ['renews', latest],
    ],
    ['that is over leaves the grant', paid(past, null), granted(later), ['granted', later]],
  ])('%s', (...[, paidPeriod, grant, expected]) => {
    const actual = continuationOf({ version: 1, paid: paidPeriod, granted: grant }, NOW);
    expect(actual && [actual.continuation, actual.premiumUntil]).toEqual(expected);
  });
});

describe('the next plan', () => {
  const problem = {
    kind: 'past_due',
    amount: 5_900,
    currency: 'usd',
    payUrl: 'https://stripe.test/i/in_1',
    resumesAt: null,
    since: '2026-03-01T00:00:00.000Z',
  } as const;
  const subscriber = (columns: Partial<SubscriberRow>): SubscriberRow => ({
    userId: 'user',
    readAt: null,
    ownRequests: null,
    email: '',
    emailVersion: 1,
    emailDue: false,
    name: '',
    customerId: null,
    customerKey: null,
    subscriptionId: null,
    subscriptionStatus: null,
    renews: false,
    renewsUntil: null,
    priceAmount: null,
    priceCurrency: null,
    priceInterval: null,
    nextInterval: null,
    discount: null,
    card: null,
    trialEndsAt: null,
    isTrialRefused: false,
    trialNoticeAt: null,
    trialNoticed: null,
    version: 7,
    paid: null,
    granted: null,
    problem: null,
    planEndsAt: null,
    cardWarningAt: null,
    cardsWarned: null,
    deletedAt: null,
    revokedAt: null,
    closing: false,
    ...columns,
  });
  const payment = planEvent(paymentSucceeded, {
    invoiceId: 'in_1',
    amount: 5_900,
    currency: 'usd',
    paidAt: start,
    invoice: null,
  });
  const plan = (
    current: Partial<SubscriberRow>,
    columns: Partial<SubscriberRow>,
    events: PlanChange['events'] = [],
  ) => {
    const row = subscriber(current);
    const change = {
      columns: { paid: row.paid, granted: row.granted, ...columns },
      by: 'stripe',
      reason: 'invoice.paid',
      events,
      earlyEnd: 'canceled',
    } as const;
    return nextPlan(row, change, NOW);
  };
  const revoked = (reason: string) => ({ type: planRevoked, data: { by: 'stripe', reason } });
  const LATER = nextVersion(7, NOW);
  const changed = { type: subscriptionChanged, data: { reason: 'invoice.paid' } };

  it('of a first payment has the next version and lasts until its grace ends', () => {
    const next = plan({}, { paid: paid(later, latest) }, [payment]);
    expect(next.planState).toEqual({ version: LATER, paid: paid(later, latest), granted: null });
    expect(next.columns).toMatchObject({ version: LATER, planEndsAt: new Date(latest) });
    expect(next.events).toEqual([payment]);
  });

  it('of a change without an event says that the plan changed', () => {
    const next = plan({}, { granted: granted(later) });
    expect(next.planState).toEqual({ version: LATER, paid: null, granted: granted(later) });
    expect(next.events).toEqual([changed]);
  });

  it('keeps its version without a change, but is still written', () => {
    const renewed = { ...problem, payUrl: 'https://stripe.test/i/in_1?s=2' };
    const next = plan({ paid: paid(later, latest), problem }, { problem: renewed, renews: true });
    expect(next.planState.version).toBe(7);
    expect(next.columns).toMatchObject({ problem: renewed, renews: true, planEndsAt: new Date(latest) });
    expect(next.events).toEqual([]);
  });

  it.each([
    ['the page', { ...problem, payUrl: null }],
    ['the amount', { ...problem, amount: 100 }],
    ['the kind', { ...problem, kind: 'authentication' as const }],
    ['the time, which older ones have not', { ...problem, since: null }],
    ['everything', null],
  ])('has a new version when problems differ by %s', (_, other) => {
    expect(plan({ problem }, { problem: other }).events).toEqual([changed]);
    expect(plan({ problem: other }, { problem }).events).toEqual([changed]);
  });

  it.each([
    ['before its time', { paid: paid(later, latest), planEndsAt: new Date(latest) }, 'canceled'],
    ['by time, while its end is not emitted', { paid: paid(past, null), planEndsAt: NOW }, 'period_end'],
  ])('that ends %s is revoked once, after the events of the change', (_, before, reason) => {
    const { columns, events, planState } = plan(before, { paid: paid(past, null) }, [payment]);
    expect(events).toEqual([payment, revoked(reason)]);
    expect(columns.planEndsAt).toBeNull();
    const again = plan({ ...before, ...columns, version: planState.version }, {});
    expect(again.events).toEqual([]);
    expect(again.planState).toEqual(planState);
  });
});
