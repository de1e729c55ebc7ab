// What a subscription is, as the user and support read it: one state for each combination of the plan, how it goes on, and what keeps
// a payment from going through. A granted plan is never called paid, a plan whose payment is in trouble never active, and a premium user
// never un-subscribed. A first payment that failed is no trouble of a user who has Premium. One table says what each screen shows of
// each state, so that a state without a text for a screen does not compile.
import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { Plan } from '@shortlist/contracts/plan';
import type { stateText } from '../messages/subscription.ts';

/** `paused_until`: it resumes by itself. */
type Kind = PaymentProblem['kind'] | 'paused_until';

const kindOf = ({ kind, resumesAt }: PaymentProblem): Kind =>
  kind === 'paused' && resumesAt !== null ? 'paused_until' : kind;
export type StateKey = keyof typeof stateText.entries;

/** `ending`: free, and the subscription does not renew. */
type PlanPhase = 'free' | 'ending' | 'paid' | 'granted';

const phaseOf = ({ plan, continuation, renews }: SubscriptionView): PlanPhase => {
  if (plan === 'premium') return continuation === 'granted' ? 'granted' : 'paid';
  return renews ? 'free' : 'ending';
};

/** The states of a payment in trouble; null where the trouble does not concern the plan. */
const IN_TROUBLE = {
  past_due: {
    free: 'past_due_free',
    ending: 'past_due_ending',
    paid: 'past_due_paid',
    granted: 'past_due_granted',
  },
  authentication: {
    free: 'authentication_free',
    ending: 'authentication_ending',
    paid: 'authentication_paid',
    granted: 'authentication_granted',
  },
  processing: {
    free: 'processing_free',
    ending: 'processing_free',
    paid: 'processing_paid',
    granted: 'processing_granted',
  },
  incomplete: { free: 'incomplete_free', ending: 'incomplete_free', paid: null, granted: null },
  paused: { free: 'paused_free', ending: 'paused_free', paid: 'paused_paid', granted: 'paused_granted' },
  paused_until: {
    free: 'paused_until_free',
    ending: 'paused_until_free',
    paid: 'paused_until_paid',
    granted: 'paused_until_granted',
  },
  disputed: {
    free: 'disputed_free',
    ending: 'disputed_free',
    paid: 'disputed_paid',
    granted: 'disputed_granted',
  },
  other_subscription: {
    free: 'other_subscription_free',
    ending: 'other_subscription_free',
    paid: 'other_subscription_paid',
    granted: 'other_subscription_granted',
  },
} as const satisfies Record<Kind, Record<PlanPhase, string | null>>;

type Trouble = { [Of in Kind]: (typeof IN_TROUBLE)[Of][PlanPhase] }[Kind];

export type SubscriptionState =
  'free' | 'active' | 'active_until' | 'ending' | 'renewing' | 'granted' | Exclude<Trouble, null>;

/** Also what a page shows until the subscription is known: `premium` when only the plan is. */
export type DisplayedState = SubscriptionState | 'unknown' | 'confirming' | 'premium';

const OF_PREMIUM = { renews: 'active', ends: 'ending', collecting: 'renewing', granted: 'granted' } as const;

export const subscriptionState = (view: SubscriptionView): SubscriptionState => {
  const { plan, problem, renews, renewsUntil, continuation } = view;
  const trouble = problem && IN_TROUBLE[kindOf(problem)][phaseOf(view)];
  if (trouble !== null) return trouble;
  if (plan === 'free') return 'free';
  const state = OF_PREMIUM[continuation ?? (renews ? 'renews' : 'ends')];
  return state === 'active' && renewsUntil !== null ? 'active_until' : state;
};

export type DateName = 'lastPayment' | 'start' | 'nextInstallment' | 'planEnds';

/** `pay`: the page of the open invoice, or the portal without one. */
type Action = 'pay' | 'portal' | 'buy' | null;

/** What the user can do with the renewal. `cancelNow`: nothing is paid that could run out. */
export type RenewalChange = 'cancel' | 'cancelNow' | 'resume' | null;

type Row = {
  /** The label of the plan: the top bar, and badges; null while it is not known. */
  plan: Plan | null;
  /** Subscription Status, and the page of the portal. */
  headline: StateKey;
  /** The trouble, and what happens next: a notice on Subscription Status, and the bar on every other page. */
  trouble: StateKey | null;
  next: StateKey | null;
  /** The cards of the subscription and of the last invoice on Home. */
  home: StateKey;
  invoice: StateKey;
  /** When the credits of Premium come back that are used up. */
  credits: StateKey | null;
  /** The dates of a premium plan. */
  dates: readonly DateName[];
  action: Action;
  renewal: RenewalChange;
};

const FREE = {
  plan: 'free',
  headline: 'unsubscribed',
  dates: [],
  invoice: 'lastInvoice',
  credits: null,
  renewal: null,
} as const;
const PREMIUM = {
  plan: 'premium',
  invoice: 'lastInvoice',
  credits: 'creditsWithPayment',
  action: null,
  renewal: null,
} as const;
const CALM = { trouble: null, next: null } as const;
const PAID_DATES = ['lastPayment', 'start'] as const;
const ENDING_DATES = [...PAID_DATES, 'planEnds'] as const;
const GRANTED = {
  ...PREMIUM,
  headline: 'granted',
  home: 'grantedUntil',
  dates: ['start', 'planEnds'],
  credits: 'creditsAfterEnd',
} as const;

/** What is the same whichever plan the user has. */
const PAST_DUE = { trouble: 'past_due', invoice: 'openInvoice', action: 'pay' } as const;
const AUTHENTICATION = { trouble: 'authentication', invoice: 'openInvoice', action: 'pay' } as const;
const PROCESSING = { trouble: 'processing', invoice: 'processingInvoice', action: null } as const;
const PAUSED = { trouble: 'paused', action: 'portal' } as const;
const DISPUTED = { trouble: 'disputed', invoice: 'disputedInvoice' } as const;
const OTHER = { trouble: 'other_subscription', action: 'portal' } as const;

/** A trouble that is all that the screens say. */
const AS_PAST_DUE = { ...PAST_DUE, headline: 'past_due', home: 'past_due' } as const;
const AS_AUTHENTICATION = { ...AUTHENTICATION, headline: 'authentication', home: 'authentication' } as const;
const AS_PROCESSING = { ...PROCESSING, headline: 'processing', home: 'processing' } as const;
const AS_PAUSED = { ...PAUSED, headline: 'paused', home: 'paused' } as const;
const AS_DISPUTED = { ...DISPUTED, headline: 'disputed', home: 'disputed' } as const;

const UNKNOWN = {
  ...CALM,
  plan: null,
  dates: [],
  invoice: 'lastInvoice',
  credits: null,
  action: null,
  renewal: null,
} as const;

export const STATES: Record<DisplayedState, Row> = {
  unknown: { ...UNKNOWN, headline: 'planLoading', home: 'planLoading' },
  confirming: { ...UNKNOWN, headline: 'confirming', home: 'confirming' },
  premium: { ...PREMIUM, ...CALM, headline: 'premium', home: 'noRenewalDate', dates: [], credits: null },

  free: { ...FREE, ...CALM, home: 'upgrade', action: 'buy' },
  active: {
    ...PREMIUM,
    ...CALM,
    headline: 'active',
    home: 'renewsOn',
    dates: [...PAID_DATES, 'nextInstallment'],
    credits: 'creditsOnDay',
    renewal: 'cancel',
  },
  active_until: {
    ...PREMIUM,
    headline: 'active',
    home: 'renewsUntil',
    trouble: null,
    next: 'active_until',
    dates: [...PAID_DATES, 'nextInstallment'],
    credits: 'creditsOnDay',
    renewal: 'cancel',
  },
  ending: {
    ...PREMIUM,
    ...CALM,
    headline: 'canceled',
    home: 'endsOn',
    dates: ENDING_DATES,
    credits: 'creditsAfterEnd',
    renewal: 'resume',
  },
  renewing: {
    ...PREMIUM,
    headline: 'renewing',
    home: 'renewing',
    trouble: null,
    next: 'renewing_next',
    dates: PAID_DATES,
  },
  granted: { ...GRANTED, ...CALM },

  past_due_free: { ...FREE, ...AS_PAST_DUE, next: 'past_due_free', renewal: 'cancelNow' },
  past_due_ending: { ...FREE, ...AS_PAST_DUE, next: 'past_due_ending' },
  past_due_paid: {
    ...PREMIUM,
    ...AS_PAST_DUE,
    next: 'past_due_paid',
    dates: ENDING_DATES,
    renewal: 'cancelNow',
  },
  past_due_granted: { ...GRANTED, ...PAST_DUE, next: 'past_due_granted' },

  authentication_free: {
    ...FREE,
    ...AS_AUTHENTICATION,
    next: 'authentication_free',
    renewal: 'cancelNow',
  },
  authentication_ending: { ...FREE, ...AS_AUTHENTICATION, next: 'authentication_ending' },
  authentication_paid: {
    ...PREMIUM,
    ...AS_AUTHENTICATION,
    next: 'authentication_paid',
    dates: ENDING_DATES,
    renewal: 'cancelNow',
  },
  authentication_granted: { ...GRANTED, ...AUTHENTICATION, next: 'authentication_granted' },

  processing_free: { ...FREE, ...AS_PROCESSING, next: 'processing_free' },
  processing_paid: { ...PREMIUM, ...AS_PROCESSING, next: 'processing_paid', dates: PAID_DATES },
  processing_granted: { ...GRANTED, ...PROCESSING, next: 'processing_granted' },

  incomplete_free: {
    ...FREE,
    trouble: 'incomplete',
    next: 'incomplete_free',
    home: 'incomplete',
    action: 'buy',
  },

  paused_free: { ...FREE, ...AS_PAUSED, next: 'paused_free', renewal: 'cancelNow' },
  paused_paid: {
    ...PREMIUM,
    ...AS_PAUSED,
    next: 'paused_premium',
    dates: ENDING_DATES,
    credits: 'creditsAfterResume',
    renewal: 'cancel',
  },
  paused_granted: { ...GRANTED, ...PAUSED, next: 'paused_premium' },
  paused_until_free: { ...FREE, ...AS_PAUSED, next: 'paused_until_free', renewal: 'cancelNow' },
  paused_until_paid: {
    ...PREMIUM,
    ...AS_PAUSED,
    next: 'paused_until_premium',
    dates: ENDING_DATES,
    credits: 'creditsAfterResume',
    renewal: 'cancel',
  },
  paused_until_granted: { ...GRANTED, ...PAUSED, next: 'paused_until_premium' },

  disputed_free: { ...FREE, ...DISPUTED, next: 'disputed_free', home: 'upgrade', action: 'buy' },
  disputed_paid: { ...PREMIUM, ...AS_DISPUTED, next: 'disputed_paid', dates: PAID_DATES, renewal: 'cancel' },
  disputed_granted: { ...GRANTED, ...DISPUTED, next: 'disputed_granted' },

  other_subscription_free: {
    ...FREE,
    ...OTHER,
    headline: 'other_subscription',
    home: 'other_subscription',
    next: 'other_subscription_free',
  },
  other_subscription_paid: {
    ...PREMIUM,
    ...OTHER,
    headline: 'other_subscription',
    home: 'other_subscription',
    next: 'other_subscription_premium',
    dates: ENDING_DATES,
  },
  other_subscription_granted: { ...GRANTED, ...OTHER, next: 'other_subscription_premium' },
};

/** Whether the trouble needs the user, so that every page says it. */
export const needsUser = (state: DisplayedState): boolean => {
  const { trouble, action } = STATES[state];
  return trouble !== null && (action === 'pay' || action === 'portal');
};

/** Whether nothing has been charged yet, because the first period is free. */
export const isTrial = ({ trialEndsAt = null }: Pick<SubscriptionView, 'trialEndsAt'>): boolean =>
  trialEndsAt !== null;

/** Whether the plan was bought, be it with a trial, so that its price and payments are the user's own. */
export const isPaying = (
  state: DisplayedState,
  view: SubscriptionView | undefined,
): view is SubscriptionView =>
  view !== undefined &&
  (view.lastPayment !== null || isTrial(view)) &&
  STATES[state].dates.includes('lastPayment');
