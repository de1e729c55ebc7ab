import { randomUUID } from 'node:crypto';
import type { Reservation } from '@shortlist/contracts/api/public';
import { createError } from '@shortlist/kit/process/errors';
import { type Spend } from '../charges/spend-credit.ts';
import { chargeOnce, type ChargeParts } from '../charges/spend-once.ts';
import { findReservationOf, insertReservation } from './queries.ts';

type Asked = { userId: string; spend: Spend; holdSeconds: number };

/**
 * Takes a credit for a caller who pays only on success. It counts as spent at once, so nobody can overspend by holding; it comes
 * back by a release, or by itself when the hold runs out. Once per operation id.
 */
export const reserveCredit = async (
  parts: ChargeParts,
  { userId, spend, holdSeconds }: Asked,
): Promise<Reservation> => {
  const { operationId } = spend;
  const amounts = await chargeOnce(parts, {
    userId,
    spend,
    hold: (tx) => insertReservation(tx, { id: randomUUID(), userId, operationId, holdSeconds }),
  });
  const held = await findReservationOf(parts.db.manager, userId, operationId);
  if (held === null) throw createError('credits.key_reused'); // a spend went by this key
  return { id: held.id, state: held.state, expiresAt: held.expiresAt.toISOString(), ...amounts };
};
