import { inTransaction } from '@shortlist/kit/data/db';
import { setResolved } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import { findSubscriber, writeCustomer } from '../subscriptions/queries.ts';
import { LEASE_WAIT_MS, type RefreshParts, withLease } from './refresh-subscriber.ts';

/** A subscription, or the invoice of a pack, whose customer is unknown. */
type Charged = {
  customerId: string;
  objectId: string;
  kind: 'subscription_without_user' | 'pack_without_user';
};

/** Assigns the customer to a user without one. Returns false if the user has another customer or is unknown. */
const giveTo = (parts: RefreshParts, userId: string, customerId: string): Promise<boolean> =>
  withLease(parts, { userId, waitMs: LEASE_WAIT_MS.background }, async (lease) => {
    const subscriber = await findSubscriber(parts.db.manager, userId);
    if (subscriber === null) return false;
    if (subscriber.customerId !== null) return subscriber.customerId === customerId;
    const { customerKey } = subscriber;
    return writeCustomer(parts.db.manager, lease, { customerKey, customerId });
  });

/**
 * Finds the user of a subscription or a pack whose customer is unknown here, as after restoring the database, by the user id in the customer's
 * metadata. Raises an alert and returns null if there is no such user or the user has another customer.
 */
export const adoptCustomer = async (
  parts: RefreshParts,
  { customerId, objectId, kind }: Charged,
): Promise<string | null> => {
  const { db, stripe, clock, log } = parts;
  const userId = await stripe.findUserOfCustomer(customerId);
  const subscriber = userId === null ? null : await findSubscriber(db.manager, userId);
  if (userId !== null && subscriber !== null && (await giveTo(parts, userId, customerId))) {
    await setResolved(db.manager, alertIdOf(kind, objectId), clock());
    log.warn({ userId, customerId }, 'customer of a lost payment adopted');
    return userId;
  }
  const detail = alertText(subscriber === null ? 'userUnknown' : 'userHasOther', { customer: customerId });
  const alert = { kind, objectId, userId: subscriber?.userId ?? null, detail } as const;
  await inTransaction(db, (tx) => raiseAlerts(tx, [alert], { clock, log }));
  return null;
};
