// The notifications about the next renewal: that it was stopped, has an end, or was resumed, and that its card expires. They concern a single
// ongoing subscription: the end of one, the start of another, and the end of the plan have their own events. The user is emailed about a card
// once per month of expiry, from thirty days before that month's end, while the subscription renews and the plan is premium. Before a trial ends,
// the user is emailed once what will be charged, unless nothing will.
import { days } from '@shortlist/contracts/durations';
import {
  cardExpiring,
  renewalResumed,
  renewalStopped,
  trialEnding,
} from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import type { CardSnapshot, CustomerSnapshot } from '../stripe/snapshot.ts';
import { isPremium, planEvent } from './plan.rules.ts';
import type { PlanEvent, SubscriberRow } from './queries.ts';
import { currentSubscription, isOngoing, renewsAgain, trialEndOf } from './subscription.rules.ts';

type Renewal = Pick<SubscriberRow, 'subscriptionId' | 'subscriptionStatus' | 'renews' | 'renewsUntil'>;

const isOngoingSame = (before: Renewal, after: Renewal): boolean =>
  before.subscriptionId === after.subscriptionId &&
  isOngoing(before.subscriptionStatus) &&
  isOngoing(after.subscriptionStatus);

const limitOf = ({ renews, renewsUntil }: Renewal): string =>
  renews ? (renewsUntil?.toISOString() ?? 'no limit') : 'stopped';

type Now = { planState: PlanState; now: Date };

/** The event if the renewal was stopped, limited or resumed since the subscriber was last written. */
export const renewalEvents = (
  before: Renewal,
  after: Renewal,
  { by, ...now }: Now & { by: string },
): PlanEvent[] => {
  const [from, to] = [before, after].map(limitOf);
  if (from === to || !isOngoingSame(before, after) || !isPremium(now.planState, now.now)) return [];
  if (to === 'no limit') return [planEvent(renewalResumed, { by })];
  const renewsUntil = after.renewsUntil?.toISOString() ?? null;
  return [planEvent(renewalStopped, { by, renewsUntil })];
};

const WARNING_DAYS = 30;

/** The first instant at which a card is no longer valid. UTC. */
const endOf = ({ expires }: CardSnapshot): Date => {
  const end = new Date(`${expires}-01`);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return end;
};

/** A card gets a new month of expiry when its bank renews it. */
const warningKey = ({ id, expires }: CardSnapshot): string => `${id} ${expires}`;

const renewalCardOf = (snapshot: CustomerSnapshot): CardSnapshot | null => {
  const subscription = currentSubscription(snapshot);
  const renews = subscription?.sellsPlan && subscription.renews && isOngoing(subscription.status);
  return renews ? subscription.card : null;
};

/** The card of the next renewal if the user should be emailed about it; otherwise null. */
const cardToWarnOf = (
  snapshot: CustomerSnapshot,
  warned: readonly string[],
  now: Now,
): CardSnapshot | null => {
  const card = renewalCardOf(snapshot);
  if (card === null || !isPremium(now.planState, now.now)) return null;
  return endOf(card) <= now.now || warned.includes(warningKey(card)) ? null : card;
};

type Warning = { columns: Pick<SubscriberRow, 'cardWarningAt' | 'cardsWarned'>; events: PlanEvent[] };

/** When to email the user about the card, and the event if that is now. */
export const cardWarning = (
  snapshot: CustomerSnapshot,
  { cardsWarned }: Pick<SubscriberRow, 'cardsWarned'>,
  now: Now,
): Warning => {
  const card = cardToWarnOf(snapshot, cardsWarned ?? [], now);
  if (card === null) return { columns: { cardWarningAt: null, cardsWarned }, events: [] };
  const dueAt = new Date(endOf(card).getTime() - days(WARNING_DAYS));
  if (dueAt > now.now) return { columns: { cardWarningAt: dueAt, cardsWarned }, events: [] };
  const { brand, last4, expires } = card;
  return {
    columns: { cardWarningAt: null, cardsWarned: [...(cardsWarned ?? []), warningKey(card)] },
    events: [planEvent(cardExpiring, { brand, last4, expires })],
  };
};

/** A trial of a week or more is announced more than three days before its end, whenever the job runs, and a shorter one a day before. */
const noticeDaysOf = (length: number): number => (length >= days(7) ? 4 : 1);

type Notice = { columns: Pick<SubscriberRow, 'trialNoticeAt' | 'trialNoticed'>; events: PlanEvent[] };

/** When to email the user about the end of the trial, and the event if that is now. */
export const trialNotice = (
  snapshot: CustomerSnapshot,
  { trialNoticed }: Pick<SubscriberRow, 'trialNoticed'>,
  { planState, now }: Now,
): Notice => {
  const none = { columns: { trialNoticeAt: null, trialNoticed }, events: [] };
  const subscription = currentSubscription(snapshot);
  const end = subscription && trialEndOf(snapshot, subscription);
  if (subscription === null || end === null || end <= now || trialNoticed === subscription.id) return none;
  if (!renewsAgain(snapshot, subscription) || !isPremium(planState, now)) return none;
  const { id, startedAt, price, currency, interval } = subscription;
  const dueAt = new Date(end.getTime() - days(noticeDaysOf(end.getTime() - startedAt.getTime())));
  if (dueAt > now) return { columns: { trialNoticeAt: dueAt, trialNoticed }, events: [] };
  // A price may be offered in several currencies, and states its amount in one.
  const amount = price?.currency === currency ? price.amount : null;
  const data = { endsAt: end.toISOString(), amount, currency, interval };
  return { columns: { trialNoticeAt: null, trialNoticed: id }, events: [planEvent(trialEnding, data)] };
};
