import { randomUUID } from 'node:crypto';
import type { Reservation } from '@shortlist/contracts/api/public';
import type { ReserveInput } from '@shortlist/contracts/schemas/credits';
import { createError } from '@shortlist/kit/process/errors';
import { findReservationOfOperation } from '../reservations/queries.ts';
import { isDeleted } from '../users/queries.ts';
import { chargeCredit, type ChargeParts } from './charge-credit.ts';

type ReserveRequest = ReserveInput & { userId: string; operationId: string };

/** Long enough for a slow lookup, and short enough that the credit of a client that failed is available again soon. */
const HOLD_SECONDS = 300;

/**
 * Charges a credit for a client that pays only on success, once per operation id. The credit counts as used at once, so
 * reservations cannot exceed the limit. A release or the expiry of the reservation returns it.
 */
export const reserveCredit = async (
  parts: ChargeParts,
  { holdSeconds = HOLD_SECONDS, ...request }: ReserveRequest,
): Promise<Reservation> => {
  const { userId, operationId } = request;
  const tx = parts.db.manager;
  const amounts = await chargeCredit(parts, { ...request, reservation: { id: randomUUID(), holdSeconds } });
  const reservation = await findReservationOfOperation(tx, userId, operationId);
  if (reservation === null) {
    // Without a reservation the operation is a plain charge, unless the user was deleted after the charge.
    throw createError((await isDeleted(tx, userId)) ? 'credits.user_not_found' : 'credits.key_reused');
  }
  const { id, state, expiresAt } = reservation;
  return { id, state, expiresAt: expiresAt.toISOString(), ...amounts };
};
