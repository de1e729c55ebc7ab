import { inTransaction } from '@shortlist/kit/data/db';
import { raiseAlerts } from '../alerts/raise-alert.ts';
import { finalizationFailureOfEvent } from '../stripe/event-object.ts';
import { findUserIdByCustomer } from '../subscriptions/queries.ts';
import type { EventAction } from './event-action.ts';
import { findEventPayload } from './queries.ts';

/** Raises an alert for an invoice that Stripe could not finalize: it stays a draft, and nothing is collected. */
export const raiseFinalizationFailure: EventAction = async (parts, { eventId, customerId }) => {
  const { db } = parts;
  const userId = customerId === null ? null : await findUserIdByCustomer(db.manager, customerId);
  if (userId === null) return { ignored: 'unknown customer' };
  const failure = finalizationFailureOfEvent(await findEventPayload(db.manager, eventId));
  if (failure === null) return { ignored: 'names no invoice' };
  const { id: objectId, amount, currency, message: detail } = failure;
  const alert = { kind: 'invoice_finalization_failed', objectId, userId, amount, currency, detail } as const;
  await inTransaction(db, (tx) => raiseAlerts(tx, [alert], parts));
};
