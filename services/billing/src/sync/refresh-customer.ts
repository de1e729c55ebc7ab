import { findUserIdByCustomer } from '../subscriptions/queries.ts';
import type { EventAction } from './event-action.ts';
import { refreshSubscriber } from './refresh-subscriber.ts';

const WAIT_MS = 2_000;

/** Reads the customer of an event from Stripe and writes what changed. The content of the event itself is not used. */
export const refreshCustomer: EventAction = async (parts, { customerId, type }) => {
  if (customerId === null) return { ignored: 'names no customer' };
  const userId = await findUserIdByCustomer(parts.db.manager, customerId);
  if (userId === null) return { ignored: 'unknown customer' };
  await refreshSubscriber(parts, userId, { by: 'stripe', reason: type, waitMs: WAIT_MS });
};
