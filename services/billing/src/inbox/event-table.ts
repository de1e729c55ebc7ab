import { inTransaction } from '@shortlist/kit/data/db';
import { raiseAlerts } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import { upsertPayouts } from '../records/payout-queries.ts';
import { adoptCustomer } from '../refresh/adopt-customer.ts';
import {
  LEASE_WAIT_MS,
  type RefreshParts,
  refreshWithLease,
  withReadLease,
} from '../refresh/refresh-subscriber.ts';
import {
  chargeOfEvent,
  describesOtherPrice,
  finalizationFailureOfEvent,
  idOfEventObject,
  warningOfEvent,
} from '../stripe/stripe-event.ts';
import { isBefore } from '../stripe/stripe-time.ts';
import {
  findCustomerOfCharge,
  findSubscriber,
  findUserIdByCustomer,
  type SubscriberRow,
} from '../subscriptions/queries.ts';
import { REFRESHING } from '../records/event-types.ts';
import {
  findEventPayload,
  listAwaitingRefresh,
  setEventCustomer,
  settleEvents,
  type StoredEvent,
} from '../records/event-queries.ts';

/** The reason why an event has no effect. */
type Ignored = { ignored: string };

/** The effect of a type of event. It may run at any time and repeatedly; if it throws, the event is retried later. */
export type EventAction = (parts: RefreshParts, event: StoredEvent) => Promise<Ignored | void>;

/** Raises an alert for an invoice that Stripe could not finalize: it stays a draft, and nothing is collected. */
const raiseFinalizationFailure: EventAction = async (parts, { eventId, customerId }) => {
  const { db } = parts;
  const userId = customerId === null ? null : await findUserIdByCustomer(db.manager, customerId);
  if (userId === null) return { ignored: 'unknown customer' };
  const failure = finalizationFailureOfEvent(await findEventPayload(db.manager, eventId));
  if (failure === null) return { ignored: 'names no invoice' };
  const { id: objectId, amount, currency, message: detail } = failure;
  const alert = { kind: 'invoice_finalization_failed', objectId, userId, amount, currency, detail } as const;
  await inTransaction(db, (tx) => raiseAlerts(tx, [alert], parts));
};

/** Raises an alert for a card issuer's fraud warning about a payment of one of our customers, without changing the plan. */
const raiseFraudWarning: EventAction = async (parts, { eventId }) => {
  const { db, stripe } = parts;
  const warning = warningOfEvent(await findEventPayload(db.manager, eventId));
  if (warning === null) return { ignored: 'names no charge' };
  const charge = await stripe.findCharge(warning.chargeId);
  if (!charge?.customerId) return { ignored: 'names no customer' };
  await setEventCustomer(db.manager, eventId, charge.customerId);
  const userId = await findUserIdByCustomer(db.manager, charge.customerId);
  if (userId === null) return { ignored: 'unknown customer' };
  const { amount, currency } = charge;
  const detail = alertText('fraudReason', { reason: warning.fraudType.replaceAll('_', ' ') });
  const alert = {
    kind: 'early_fraud_warning',
    objectId: warning.id,
    userId,
    amount,
    currency,
    detail,
  } as const;
  await inTransaction(db, (tx) => raiseAlerts(tx, [alert], parts));
};

/**
 * Stores the payout of an event as Stripe states it now. Of two concurrent events, the older state may be stored last; reconciliation corrects it.
 */
const recordPayout: EventAction = async ({ db, stripe }, { eventId }) => {
  const id = idOfEventObject(await findEventPayload(db.manager, eventId));
  const payout = id === null ? null : await stripe.findPayout(id);
  if (payout === null) return { ignored: 'unknown payout' };
  await upsertPayouts(db.manager, [payout]);
};

/**
 * The customer of an event whose object names only a charge, as disputes and some refunds do. It is stored with the event, so that deleting the
 * user redacts the event too.
 */
const findCustomer = async (
  { db, stripe }: RefreshParts,
  { eventId }: StoredEvent,
): Promise<string | null> => {
  const chargeId = chargeOfEvent(await findEventPayload(db.manager, eventId));
  if (chargeId === null) return null;
  const customerId =
    (await findCustomerOfCharge(db.manager, chargeId)) ??
    (await stripe.findCharge(chargeId))?.customerId ??
    null;
  if (customerId !== null) await setEventCustomer(db.manager, eventId, customerId);
  return customerId;
};

/** The user of an unknown customer with a subscription at our price. */
const adopt = async (
  parts: RefreshParts,
  { eventId, type, customerId }: StoredEvent & { customerId: string },
): Promise<string | null> => {
  if (type !== 'customer.subscription.created' && type !== 'customer.subscription.updated') return null;
  const payload = await findEventPayload(parts.db.manager, eventId);
  const subscriptionId = idOfEventObject(payload);
  return subscriptionId === null || describesOtherPrice(payload)
    ? null
    : adoptCustomer(parts, { customerId, objectId: subscriptionId, kind: 'subscription_without_user' });
};

/** Whether the stored state includes the change that an event is about. The state of a deleted user is always read again. */
const isIncluded = (
  { createdAt, requestId }: StoredEvent,
  { deletedAt, readAt, ownRequests }: SubscriberRow,
): boolean => {
  if (deletedAt !== null) return false;
  if (requestId !== null && ownRequests?.includes(requestId)) return true;
  return createdAt !== null && readAt !== null && isBefore(createdAt, readAt);
};

/** Settles a customer's events that tell nothing new. Returns whether others are left. */
const settleIncluded = async ({ db }: RefreshParts, userId: string, customerId: string): Promise<boolean> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null) return true;
  const events = await listAwaitingRefresh(db.manager, customerId);
  const included = events.filter((event) => isIncluded(event, subscriber));
  await settleEvents(
    db.manager,
    included.map(({ eventId }) => eventId),
    { status: 'done' },
  );
  return included.length < events.length;
};

/** Reads the customer of an event from Stripe and writes changes, unless the stored state includes them. Uses nothing else of the event. */
const refreshCustomer: EventAction = async (parts, event) => {
  const customerId = event.customerId ?? (await findCustomer(parts, event));
  if (customerId === null) return { ignored: 'names no customer' };
  const known = await findUserIdByCustomer(parts.db.manager, customerId);
  const userId = known ?? (await adopt(parts, { ...event, customerId }));
  if (userId === null) return { ignored: 'unknown customer' };
  if (!(await settleIncluded(parts, userId, customerId))) return;
  await withReadLease(parts, { userId, waitMs: LEASE_WAIT_MS.background }, async (lease) => {
    // After the waits: another refresh may have settled the event meanwhile.
    if (await settleIncluded(parts, userId, customerId))
      await refreshWithLease(parts, lease, { by: 'stripe', reason: event.type });
  });
};

/** Stripe's event types and what each causes. The table is the allow list: an event of any other type is stored and ignored. */
export const EVENT_TABLE: Readonly<Record<string, EventAction>> = {
  ...Object.fromEntries(REFRESHING.map((type) => [type, refreshCustomer])),
  'invoice.finalization_failed': raiseFinalizationFailure,
  'radar.early_fraud_warning.created': raiseFraudWarning,
  'radar.early_fraud_warning.updated': raiseFraudWarning,
  'payout.created': recordPayout,
  'payout.updated': recordPayout,
  'payout.paid': recordPayout,
  'payout.failed': recordPayout,
  'payout.canceled': recordPayout,
};

export const isHandled = (type: string): boolean => Object.hasOwn(EVENT_TABLE, type);
