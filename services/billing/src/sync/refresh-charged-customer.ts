import { chargeOfEvent } from '../stripe/event-object.ts';
import type { EventAction, SyncParts } from './event-action.ts';
import { findEventPayload, setEventCustomer, type StoredEvent } from './queries.ts';
import { refreshCustomer } from './refresh-customer.ts';

/** The customer is stored with the event, so that deleting the user redacts the event too. */
const findCustomer = async ({ db, stripe }: SyncParts, { eventId }: StoredEvent): Promise<string | null> => {
  const chargeId = chargeOfEvent(await findEventPayload(db.manager, eventId));
  const charge = chargeId === null ? null : await stripe.findCharge(chargeId);
  if (charge?.customerId) await setEventCustomer(db.manager, eventId, charge.customerId);
  return charge?.customerId ?? null;
};

/** Refreshes the customer of an event about a charge: a dispute names its charge and not the customer. */
export const refreshChargedCustomer: EventAction = async (parts, event) =>
  refreshCustomer(parts, { ...event, customerId: event.customerId ?? (await findCustomer(parts, event)) });
