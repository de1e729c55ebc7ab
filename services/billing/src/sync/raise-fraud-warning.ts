import { inTransaction } from '@shortlist/kit/data/db';
import { raiseAlerts } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import { warningOfEvent } from '../stripe/event-object.ts';
import { findUserIdByCustomer } from '../subscriptions/queries.ts';
import type { EventAction } from './event-action.ts';
import { findEventPayload, setEventCustomer } from './queries.ts';

/** Raises an alert for a card issuer's warning about a payment of one of our customers. The plan is not changed. */
export const raiseFraudWarning: EventAction = async (parts, { eventId }) => {
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
