import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import { PAYMENT_PROBLEMS } from '@shortlist/contracts/plan';
import { describe, expect, test } from 'vitest';
import { type DisplayedState, STATES, subscriptionState } from './subscription.rules.ts';
import { textOf } from './subscription-text.ts';

const END = '2026-12-20T09:41:00.000Z';
const PREMIUM = ['renews', 'collecting', 'ends', 'granted'] as const;

const viewOf = (change: Partial<SubscriptionView>): SubscriptionView => ({
  plan: 'free',
  periodStart: null,
  periodEnd: null,
  renews: false,
  renewsUntil: null,
  continuation: null,
  premiumUntil: null,
  graceUntil: null,
  customerId: 'cus_1',
  price: { amount: 5_900, currency: 'usd' },
  lastPayment: null,
  problem: null,
  ...change,
});

const problemOf = (kind: PaymentProblem['kind']): PaymentProblem => ({
  kind,
  amount: 5_900,
  currency: 'usd',
  payUrl: 'https://invoice.test/i/in_1',
  resumesAt: null,
  since: null,
});

const problems = [null, ...PAYMENT_PROBLEMS.map(problemOf), { ...problemOf('paused'), resumesAt: END }];
const plans: Partial<SubscriptionView>[] = [
  { plan: 'free' },
  ...PREMIUM.map((continuation) => ({
    plan: 'premium' as const,
    continuation,
    premiumUntil: END,
    periodEnd: END,
  })),
];

/** Every view that billing can send, as far as its state depends on it. */
const VIEWS = problems.flatMap((problem) =>
  plans.flatMap((plan) =>
    [{ renews: true }, { renews: true, renewsUntil: END }, { renews: false }].map((renewal) =>
      viewOf({ ...plan, ...renewal, problem }),
    ),
  ),
);

describe('the state of a subscription', () => {
  test.each([
    ['free', {}],
    ['active', { plan: 'premium', continuation: 'renews', renews: true }],
    ['ending', { plan: 'premium', continuation: 'ends' }],
    ['renewing', { plan: 'premium', continuation: 'collecting', renews: true }],
    ['granted', { plan: 'premium', continuation: 'granted' }],
    ['past_due_granted', { plan: 'premium', continuation: 'granted', problem: problemOf('past_due') }],
    ['past_due_ending', { problem: problemOf('past_due') }],
    ['past_due_free', { renews: true, problem: problemOf('past_due') }],
    ['paused_granted', { plan: 'premium', continuation: 'granted', problem: problemOf('paused') }],
    ['disputed_paid', { plan: 'premium', continuation: 'renews', problem: problemOf('disputed') }],
    ['granted', { plan: 'premium', continuation: 'granted', problem: problemOf('incomplete') }],
  ] as const)('is %s', (state, change) => {
    expect(subscriptionState(viewOf(change))).toBe(state);
  });

  test('has the label of its plan, whatever the trouble', () => {
    for (const view of VIEWS) expect(STATES[subscriptionState(view)].plan).toBe(view.plan);
  });

  test('is reached by some view, or is one of a page that is loading', () => {
    const reached = new Set<DisplayedState>(VIEWS.map(subscriptionState));
    const others = Object.keys(STATES).filter((state) => !reached.has(state as DisplayedState));
    expect(others.toSorted()).toEqual(['confirming', 'premium', 'unknown']);
  });

  test('has an end in each text that names one', () => {
    for (const view of VIEWS) {
      const { headline, next, home } = STATES[subscriptionState(view)];
      for (const key of [headline, next, home]) {
        const text = key === null ? '' : textOf(key, view);
        expect(text).not.toMatch(/\b(until|on) *([.,]|$|unless\b|at\b)/);
      }
    }
  });
});
