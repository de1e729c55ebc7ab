import type { IntervalPreview, PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { CreditsView } from '@shortlist/contracts/api/credits';
import { PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { Plan } from '@shortlist/contracts/plan';
import type { Continuation } from '@shortlist/contracts/api/profile';
import type { SubscriptionState } from '../src/lib/subscription.rules.ts';
import { creditsView } from './fixtures.ts';

const START = '2026-11-20T09:41:00.000Z';
/** The only end that any screen may name. */
const END = '2026-12-20T09:41:00.000Z';
const LAST_PAYMENT = { amount: 5_900, currency: 'usd', paidAt: START };

const problem = (
  kind: PaymentProblem['kind'],
  resumesAt: string | null = null,
): { problem: PaymentProblem } => ({
  problem: {
    kind,
    amount: 5_900,
    currency: 'usd',
    payUrl: 'https://invoice.test/i/in_1',
    since: START,
    resumesAt,
  },
});
/** The card on file of a user who pays. */
export const CARD = { brand: 'visa', last4: '4242', expires: '2028-08' };

export const paid = (continuation: Continuation): Partial<SubscriptionView> => ({
  plan: 'premium',
  canResume: continuation === 'ends',
  card: CARD,
  continuation,
  renews: continuation !== 'ends',
  premiumUntil: END,
  periodStart: START,
  periodEnd: END,
  lastPayment: LAST_PAYMENT,
});
/** Of a user who never paid. */
const granted = { ...paid('granted'), renews: false, lastPayment: null, card: null };
/** Of a user who paid before. */
const grantedToPayer = paid('granted');
const wasPaid = { renews: true, lastPayment: LAST_PAYMENT };

/** A view of each state. A state that is missing here does not compile. */
export const VIEWS: Record<SubscriptionState, Partial<SubscriptionView>> = {
  free: {},
  active: paid('renews'),
  active_until: { ...paid('renews'), renewsUntil: END },
  ending: paid('ends'),
  renewing: paid('collecting'),
  granted,
  past_due_free: { ...wasPaid, ...problem('past_due') },
  past_due_ending: { lastPayment: LAST_PAYMENT, ...problem('past_due') },
  past_due_paid: { ...paid('collecting'), ...problem('past_due') },
  past_due_granted: { ...grantedToPayer, ...problem('past_due') },
  authentication_free: { ...wasPaid, ...problem('authentication') },
  authentication_ending: { lastPayment: LAST_PAYMENT, ...problem('authentication') },
  authentication_paid: { ...paid('collecting'), ...problem('authentication') },
  authentication_granted: { ...grantedToPayer, ...problem('authentication') },
  processing_free: problem('processing'),
  processing_paid: { ...paid('collecting'), ...problem('processing') },
  processing_granted: { ...grantedToPayer, ...problem('processing') },
  incomplete_free: problem('incomplete'),
  paused_free: { ...wasPaid, ...problem('paused') },
  paused_paid: { ...paid('renews'), ...problem('paused') },
  paused_granted: { ...grantedToPayer, ...problem('paused') },
  paused_until_free: { ...wasPaid, ...problem('paused', END) },
  paused_until_paid: { ...paid('renews'), ...problem('paused', END) },
  paused_until_granted: { ...grantedToPayer, ...problem('paused', END) },
  disputed_free: { ...wasPaid, ...problem('disputed') },
  disputed_paid: { ...paid('renews'), ...problem('disputed') },
  disputed_granted: { ...grantedToPayer, ...problem('disputed') },
  other_subscription_free: problem('other_subscription'),
  other_subscription_paid: { ...paid('ends'), ...problem('other_subscription') },
  other_subscription_granted: { ...granted, ...problem('other_subscription') },
};

/** Of a user who has used them up. */
export const usedUpCredits = (plan: Plan): CreditsView =>
  plan === 'free'
    ? creditsView({ used: 20, available: 0, exhausted: true, windowEnd: END })
    : creditsView({
        plan,
        limit: PREMIUM_CREDITS,
        used: PREMIUM_CREDITS,
        available: 0,
        exhausted: true,
        windowStart: START,
        windowEnd: END,
      });

/** What a change from months to a year means, for a user whose month has 19 days left. */
export const YEAR_PREVIEW: IntervalPreview = {
  interval: 'year',
  amount: 55_263,
  credit: 3_737,
  tax: 0,
  currency: 'usd',
  price: 59_000,
  prorationAt: '2026-11-21T09:41:00.000Z',
  startsAt: '2026-11-21T09:41:00.000Z',
  nextChargeAt: '2027-11-21T09:41:00.000Z',
};
