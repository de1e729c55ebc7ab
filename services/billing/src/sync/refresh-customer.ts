import { chargeOfEvent } from '../stripe/event-object.ts';
import { findUserIdByCustomer } from '../subscriptions/queries.ts';
import type { EventAction, SyncParts } from './event-action.ts';
import { findEventPayload, setEventCustomer, type StoredEvent } from './queries.ts';
import { refreshSubscriber } from './refresh-subscriber.ts';

const WAIT_MS = 2_000;

/**
 * The customer of an event whose object names only a charge, as a dispute does, and a refund may. It is stored with the event, so
 * that deleting the user redacts the event too.
 */
const findCustomer = async ({ db, stripe }: SyncParts, { eventId }: StoredEvent): Promise<string | null> => {
  const chargeId = chargeOfEvent(await findEventPayload(db.manager, eventId));
  const charge = chargeId === null ? null : await stripe.findCharge(chargeId);
  if (charge?.customerId) await setEventCustomer(db.manager, eventId, charge.customerId);
  return charge?.customerId ?? null;
};

/** Reads the customer of an event from Stripe and writes what changed. Of the event itself only its customer is used. */
export const refreshCustomer: EventAction = async (parts, event) => {
  const customerId = event.customerId ?? (await findCustomer(parts, event));
  if (customerId === null) return { ignored: 'names no customer' };
  const userId = await findUserIdByCustomer(parts.db.manager, customerId);
  if (userId === null) return { ignored: 'unknown customer' };
  await refreshSubscriber(parts, userId, { by: 'stripe', reason: event.type, waitMs: WAIT_MS });
};
