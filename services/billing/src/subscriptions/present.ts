import type {
  InvoiceView,
  PaymentProblem,
  PlanDiscount,
  Price,
  SubscriptionReply,
  SubscriptionView,
} from '@shortlist/contracts/api/billing';
import { type Coverage, NO_PLAN, planAt, type PlanState } from '@shortlist/contracts/plan';
import type { Db, Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { findLastPayment, type InvoiceRow, listNewestInvoices } from '../records/invoice-queries.ts';
import type { Log } from '@shortlist/kit/process/log';
import { findTrialDays, type TrialPolicy } from '../trials/offered-trial.ts';
import type { CardSnapshot } from '../stripe/snapshot.ts';
import type { Offer } from './offer.ts';
import { continuationOf, stateOf } from './plan.rules.ts';
import { findSubscriber, type SubscriberRow } from './queries.ts';
import { isOngoing } from './subscription.rules.ts';

type Payment = Pick<InvoiceRow, 'amount' | 'currency' | 'paidAt'>;

const presentPayment = (payment: Payment | null): SubscriptionView['lastPayment'] =>
  payment?.paidAt
    ? { amount: payment.amount, currency: payment.currency, paidAt: payment.paidAt.toISOString() }
    : null;

/** Only an open invoice can be paid on its page. */
const presentInvoice = (row: InvoiceRow): InvoiceView => ({
  invoiceId: row.invoiceId,
  number: row.number,
  credits: row.credits,
  status: row.status,
  isProcessing: Boolean(row.isProcessing),
  amount: row.amount,
  refunded: row.refunded,
  currency: row.currency,
  periodStart: row.periodStart?.toISOString() ?? null,
  periodEnd: row.periodEnd?.toISOString() ?? null,
  paidAt: row.paidAt?.toISOString() ?? null,
  payUrl: row.status === 'open' && !row.isProcessing ? row.hostedUrl : null,
});

export const readInvoices = async (tx: Tx, userId: string): Promise<InvoiceView[]> =>
  (await listNewestInvoices(tx, userId)).map(presentInvoice);

/** One that has ended may not have been read again since. */
const presentDiscount = (discount: PlanDiscount | null, now: Date): PlanDiscount | null =>
  discount === null || (discount.endsAt !== null && new Date(discount.endsAt) <= now) ? null : discount;

/** The id at Stripe is for warnings of its expiry. */
const presentCard = (card: CardSnapshot | null): NonNullable<SubscriptionView['card']> | null =>
  card && { brand: card.brand, last4: card.last4, expires: card.expires };

/** Null once it is over, although the first charge may still be collected. */
const presentTrial = (trialEndsAt: Date | null, now: Date): string | null =>
  trialEndsAt !== null && trialEndsAt > now ? trialEndsAt.toISOString() : null;

/** Problems from before these times were stored have none. */
const presentProblem = (problem: PaymentProblem | null): PaymentProblem | null =>
  problem && { ...problem, since: problem.since ?? null, resumesAt: problem.resumesAt ?? null };

const graceOf = (coverage: Coverage | null): string | null => coverage && coverage.graceUntil;

const NO_CONTINUATION = { continuation: null, premiumUntil: null };
const NO_SUBSCRIBER = {
  renews: false,
  renewsUntil: null,
  customerId: null,
  subscriptionStatus: null,
  priceInterval: null,
  nextInterval: null,
  discount: null,
  card: null,
  problem: null,
  trialEndsAt: null,
  isTrialRefused: false,
};

/**
 * The price that the user pays: that of an ongoing subscription, or of a new one. If the price is offered in several currencies, the last
 * payment has the amount in the payer's own.
 */
const priceOf = (
  subscriber: SubscriberRow | null,
  { lastPayment, offered }: { lastPayment: Payment | null; offered: Price },
): Price => {
  if (subscriber === null || !isOngoing(subscriber.subscriptionStatus)) return offered;
  const { priceAmount: amount, priceCurrency: currency } = subscriber;
  if (amount === null || currency === null) return offered;
  if (lastPayment === null || lastPayment.currency === currency) return { amount, currency };
  return { amount: lastPayment.amount, currency: lastPayment.currency };
};

/** A user without a subscriber row has no plan. */
const planStateOf = (subscriber: SubscriberRow | null): PlanState =>
  subscriber === null ? NO_PLAN : stateOf(subscriber);

export const readPlanState = async (tx: Tx, userId: string): Promise<PlanState> =>
  planStateOf(await findSubscriber(tx, userId));

type Present = { lastPayment: Payment | null; offered: Price; trialDays: number; now: Date };

/** A user's plan as the user sees it. */
const presentSubscription = (
  subscriber: SubscriberRow | null,
  { lastPayment, offered, trialDays, now }: Present,
): SubscriptionReply => {
  const planState = planStateOf(subscriber);
  const { plan, coverage, endsAt } = planAt(planState, now);
  const { renews, renewsUntil, customerId, card, problem } = subscriber ?? NO_SUBSCRIBER;
  const { subscriptionStatus, priceInterval, nextInterval, discount, trialEndsAt, isTrialRefused } =
    subscriber ?? NO_SUBSCRIBER;
  const continuation = continuationOf(planState, now);
  return {
    planState,
    outlook: continuation,
    data: {
      plan,
      periodStart: coverage?.start ?? null,
      periodEnd: endsAt,
      renews,
      canResume: !renews && isOngoing(subscriptionStatus),
      renewsUntil: renewsUntil?.toISOString() ?? null,
      ...(continuation ?? NO_CONTINUATION),
      graceUntil: subscriptionStatus === 'past_due' ? graceOf(coverage) : null,
      customerId,
      price: priceOf(subscriber, { lastPayment, offered }),
      nextInterval: nextInterval ?? null,
      interval: (isOngoing(subscriptionStatus) && priceInterval) || 'month',
      discount: presentDiscount(discount, now),
      trialDays,
      trialEndsAt: presentTrial(trialEndsAt, now),
      isTrialRefused: Boolean(isTrialRefused) && plan === 'free',
      lastPayment: presentPayment(lastPayment),
      problem: presentProblem(problem),
      card: presentCard(card),
    },
  };
};

export type ReadParts = {
  db: Db;
  clock: Clock;
  log: Log;
  trials: TrialPolicy;
  offer: Pick<Offer, 'currentPrice'>;
};

/** The trial that a free user may have; none is offered to a user whose registration has not arrived yet. */
const findOfferedTrial = async (
  { db, clock, ...parts }: ReadParts,
  subscriber: SubscriberRow | null,
): Promise<number> => {
  if (subscriber === null || subscriber.deletedAt !== null || subscriber.subscriptionId !== null) return 0;
  const isFree = planAt(stateOf(subscriber), clock()).plan === 'free';
  return isFree ? findTrialDays(db.manager, subscriber, parts) : 0;
};

export const readSubscription = async (parts: ReadParts, userId: string): Promise<SubscriptionReply> => {
  const { db, clock, offer } = parts;
  const [subscriber, lastPayment] = await Promise.all([
    findSubscriber(db.manager, userId),
    findLastPayment(db.manager, userId),
  ]);
  const trialDays = await findOfferedTrial(parts, subscriber);
  const offered = offer.currentPrice();
  return presentSubscription(subscriber, { lastPayment, offered, trialDays, now: clock() });
};
