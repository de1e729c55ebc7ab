// How a user changes the interval at which the plan is charged. A year begins at once: the user sees what is due after a credit for the unused time,
// and confirms that amount. A month follows the paid year, and can be taken back until then.
import type { ConfirmedChange, IntervalPreview } from '@shortlist/contracts/api/billing';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { Interval, PlanState } from '@shortlist/contracts/plan';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import {
  applyWithLease,
  type Reading,
  readWithLease,
  type RefreshParts,
  withChanges,
} from '../refresh/refresh-subscriber.ts';
import { wholeSeconds } from '../stripe/interval-changes.ts';
import type { SubscriptionSnapshot } from '../stripe/snapshot.ts';
import type { Offer } from '../subscriptions/offer.ts';
import { findSubscriber, type Lease, type SubscriberRow } from '../subscriptions/queries.ts';
import { currentSubscription } from '../subscriptions/subscription.rules.ts';
import { recordRenewal } from './end-renewal.ts';
import { originOf, withSubscriber } from './grant-plan.ts';

type Parts = RefreshParts & { offer: Offer };

const REASONS = { admin: 'interval changed by an admin', user: 'interval changed by the user' } as const;

/** How old a preview may be when it is confirmed: its credit is for the unused time from then on. */
const PREVIEW_MS = minutes(10);
/** How far the clock of another process may be ahead. */
const SKEW_MS = seconds(30);

/** A paid subscription that renews without a limit, by card, and whose period is known. */
type Changeable = { subscription: SubscriptionSnapshot; interval: Interval; periodEnd: Date };

const periodEndOf = ({ paid }: SubscriberRow, { id }: SubscriptionSnapshot, { snapshot }: Reading) => {
  const invoice = snapshot.invoices.find((one) => one.id === paid?.key && one.subscriptionId === id);
  return invoice ? invoice.period.end : null;
};

/** Null unless the interval of the subscription can be changed: see `billing.change_refused`. */
const changeableOf = (subscriber: SubscriberRow, reading: Reading, now: Date): Changeable | null => {
  const subscription = currentSubscription(reading.snapshot);
  if (subscription === null || subscriber.problem !== null) return null;
  const { status, sellsPlan, renews, endsAt, interval, card, isScheduledElsewhere } = subscription;
  const isPlain = status === 'active' && sellsPlan && renews && endsAt === null && card !== null;
  const periodEnd = periodEndOf(subscriber, subscription, reading);
  if (!isPlain || isScheduledElsewhere || interval === null || periodEnd === null || periodEnd <= now)
    return null;
  return { subscription, interval, periodEnd };
};

/** The user as read from Stripe now, whose subscription can be changed. Throws `billing.change_refused`. */
const readChangeable = async (
  parts: Parts,
  lease: Lease,
): Promise<Changeable & { reading: Reading; before: PlanState }> => {
  const { db, stripe, clock } = parts;
  const reading = await readWithLease(parts, lease);
  const before = await applyWithLease(parts, lease, { by: lease.userId, reason: REASONS.user, reading });
  const subscriber = await findSubscriber(db.manager, lease.userId);
  const changeable = subscriber && changeableOf(subscriber, reading, clock());
  if (!subscriber?.customerId || !changeable) throw createError('billing.change_refused');
  // A page on which the user could pay for a second subscription.
  const open = await stripe.listOpenCheckouts(subscriber.customerId);
  if (open.some(({ kind }) => kind === 'plan')) throw createError('billing.change_refused');
  return { ...changeable, reading, before };
};

/** The price to which a subscription changes. Throws `billing.change_refused` while it is not sold, or not in the currency of the subscription. */
const getPrice = async ({ offer }: Parts, interval: Interval) =>
  offer.getSellablePrice(interval).catch((error: unknown) => {
    const isNotSold = error instanceof AppError && error.code.startsWith('billing.price_');
    throw isNotSold ? createError('billing.change_refused', { cause: error }) : error;
  });

type Change = Changeable & { to: Interval; prorationAt: Date };

const preview = async (parts: Parts, change: Change): Promise<IntervalPreview & { priceId: string }> => {
  const { subscription, interval: from, periodEnd, to, prorationAt } = change;
  if (from === to) throw createError('billing.change_refused');
  const price = await getPrice(parts, to);
  const times = { interval: to, prorationAt: prorationAt.toISOString(), priceId: price.id };
  if (to === 'month') {
    if (price.currency !== subscription.currency) throw createError('billing.change_refused');
    const { amount, currency } = price;
    const due = { amount: 0, credit: 0, tax: 0, currency, price: amount };
    const start = periodEnd.toISOString();
    return { ...times, ...due, startsAt: start, nextChargeAt: start };
  }
  const order = { subscriptionId: subscription.id, priceId: price.id, prorationAt };
  const found = await parts.stripe.previewInterval(order);
  if (found === null) throw createError('billing.change_refused');
  const { nextChargeAt, ...due } = found;
  return {
    ...times,
    ...due,
    startsAt: parts.clock().toISOString(),
    nextChargeAt: nextChargeAt.toISOString(),
  };
};

/** What a change to this interval means now. Throws `billing.change_refused`. */
export const previewInterval = (
  parts: Parts,
  { userId, interval: to }: { userId: string; interval: Interval },
): Promise<IntervalPreview> =>
  withSubscriber(parts, userId, async (_stored, lease) => {
    const changeable = await readChangeable(parts, lease);
    const prorationAt = wholeSeconds(parts.clock());
    const { priceId: _, ...shown } = await preview(parts, { ...changeable, to, prorationAt });
    return shown;
  });

/** Throws `billing.change_outdated` unless the preview is recent: an older one would credit time that was used since. */
const assertRecent = (prorationAt: Date, now: Date): void => {
  const age = now.getTime() - prorationAt.getTime();
  const isWhole = wholeSeconds(prorationAt).getTime() === prorationAt.getTime();
  if (!isWhole || age > PREVIEW_MS || age < -SKEW_MS) throw createError('billing.change_outdated');
};

const apply = async (
  parts: Parts,
  change: Change,
  { priceId, ...order }: { priceId: string; key: string },
): Promise<void> => {
  const { stripe } = parts;
  const { subscription, to, prorationAt } = change;
  const { id: subscriptionId, scheduleId } = subscription;
  if (to === 'month') {
    await stripe.scheduleInterval({ subscriptionId, priceId, interval: to }, order.key);
    return;
  }
  // What is left of an earlier change would take this one back.
  if (scheduleId !== null) await stripe.releaseSchedule(scheduleId);
  if (!(await stripe.changeInterval({ subscriptionId, priceId, prorationAt }, order.key)))
    throw createError('billing.change_unpaid');
};

type ByUser = { caller: Caller };

/** Records in the audit log what was changed, after writing what Stripe has made of it. */
const settle = async (
  parts: Parts,
  lease: Lease,
  {
    reading,
    before,
    ...entry
  }: ByUser & {
    reading: Reading;
    before: PlanState;
    action: 'plan.change_interval' | 'plan.keep_interval';
    interval: Interval;
  },
): Promise<void> => {
  const { caller, action, interval } = entry;
  const changed = await withChanges(parts, reading, [null]);
  const after = await applyWithLease(parts, lease, { ...originOf(caller, REASONS), reading: changed });
  const states = { before, after: { ...after, interval } };
  await recordRenewal(parts, { action, targetId: lease.userId, ...states, caller });
};

/**
 * Makes a change as the user has confirmed it. A repeated confirmation finds the interval changed and changes nothing. Throws
 * `billing.change_refused`, `billing.change_outdated`, and `billing.change_unpaid`.
 */
export const changeInterval = (
  parts: Parts,
  { userId, interval: to, ...confirmed }: ConfirmedChange & { userId: string },
  { caller }: ByUser,
): Promise<void> =>
  withSubscriber(parts, userId, async (_stored, lease) => {
    const { reading, before, ...changeable } = await readChangeable(parts, lease);
    const { subscription, interval: from } = changeable;
    if (subscription.nextInterval === to || (from === to && subscription.nextInterval === null)) return;
    const prorationAt = new Date(confirmed.prorationAt);
    assertRecent(prorationAt, parts.clock());
    const change = { ...changeable, to, prorationAt };
    const { amount, currency, priceId } = await preview(parts, change);
    if (amount !== confirmed.amount || currency !== confirmed.currency)
      throw createError('billing.change_outdated');
    const key = ['interval', subscription.id, to, prorationAt.getTime()].join(':');
    await apply(parts, change, { priceId, key });
    await settle(parts, lease, { reading, before, caller, action: 'plan.change_interval', interval: to });
  });

/** Takes back a change that was to follow with the next period. Throws `billing.change_refused` if there is none. */
export const keepInterval = (parts: Parts, userId: string, { caller }: ByUser): Promise<void> =>
  withSubscriber(parts, userId, async (_stored, lease) => {
    const reading = await readWithLease(parts, lease);
    const origin = originOf(caller, REASONS);
    const before = await applyWithLease(parts, lease, { ...origin, reading });
    const {
      scheduleId = null,
      nextInterval = null,
      interval = null,
    } = currentSubscription(reading.snapshot) ?? {};
    if (scheduleId === null || nextInterval === null || interval === null)
      throw createError('billing.change_refused');
    await parts.stripe.releaseSchedule(scheduleId);
    await settle(parts, lease, { reading, before, caller, action: 'plan.keep_interval', interval });
  });
