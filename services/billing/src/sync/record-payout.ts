import { upsertPayouts } from '../payouts/queries.ts';
import { idOfEventObject } from '../stripe/event-object.ts';
import type { EventAction } from './event-action.ts';
import { findEventPayload } from './queries.ts';

/**
 * Stores the payout of an event as Stripe states it now. Two events at the same time may store the older state last; the walk over
 * Stripe's payouts corrects it.
 */
export const recordPayout: EventAction = async ({ db, stripe }, { eventId }) => {
  const id = idOfEventObject(await findEventPayload(db.manager, eventId));
  const payout = id === null ? null : await stripe.findPayout(id);
  if (payout === null) return { ignored: 'unknown payout' };
  await upsertPayouts(db.manager, [payout]);
};
