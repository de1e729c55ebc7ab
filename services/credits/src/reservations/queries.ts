import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { change, sql } from '@shortlist/kit/data/sql';
import { LessThan, Raw } from 'typeorm';

/**
 * Credits that are charged but not settled. The ledger has the charge under the same operation id. Of a settled reservation,
 * `committedAmount` is the number that its commit named, and `usedAfter` and `othersAfter` are the balance of its response as in the ledger.
 */
export const reservationEntity = defineEntity('reservation', 'reservations', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  operationId: column.varchar(100),
  state: column.enumOf(['held', 'committed', 'released']),
  expiresAt: column.dateTime,
  holdSeconds: column.unsigned,
  committedAmount: column.nullable(column.unsigned),
  usedAfter: { ...column.unsigned, default: 0 },
  othersAfter: { ...column.unsigned, name: 'buckets_after', default: 0 },
});
export type ReservationRow = RowOf<typeof reservationEntity>;
export type NewReservation = { id: string; holdSeconds: number };

/** The expiry is written and compared in the database's time, so a process whose clock is ahead expires no reservation early. */
export const insertReservation = (
  tx: Tx,
  { userId, operationId }: Pick<ReservationRow, 'userId' | 'operationId'>,
  { id, holdSeconds }: NewReservation,
): Promise<unknown> => {
  const row = sql`INSERT INTO reservations (id, user_id, operation_id, state, hold_seconds, expires_at)
    VALUES (${id}, ${userId}, ${operationId}, 'held', ${holdSeconds}, NOW(3) + INTERVAL ${holdSeconds} SECOND)`;
  return change(tx, row);
};

/** Adds a reservation again that the database has lost, with its former expiry. */
export const reinsertReservation = async (
  tx: Tx,
  { userId, operationId, expiresAt }: Pick<ReservationRow, 'userId' | 'operationId' | 'expiresAt'>,
  { id, holdSeconds }: NewReservation,
): Promise<void> => {
  const row = {
    id,
    userId,
    operationId,
    state: 'held',
    holdSeconds,
    expiresAt,
    committedAmount: null,
  } as const;
  await insertRows(tx, reservationEntity, row);
};

/** The reservations that had expired by `before` and are not settled. */
export const listHeldSince = (tx: Tx, before: Date): Promise<ReservationRow[]> =>
  tx.find(reservationEntity, {
    where: { state: 'held', expiresAt: LessThan(before) },
    order: { expiresAt: 'ASC' },
  });

/** Postpones the expiry of an unsettled reservation, so that others are released before it. */
export const postponeExpiry = (tx: Tx, id: string, seconds: number): Promise<unknown> =>
  change(tx, sql`UPDATE reservations SET expires_at = NOW(3) + INTERVAL ${seconds} SECOND WHERE id = ${id}`);

/** Locks a reservation until commit, so that of two settlements at once the second finds the first. */
export const lockReservation = (tx: Tx, userId: string, id: string): Promise<ReservationRow | null> =>
  tx.findOne(reservationEntity, { where: { id, userId }, lock: { mode: 'pessimistic_write' } });

export const findReservationOfOperation = (
  tx: Tx,
  userId: string,
  operationId: string,
): Promise<ReservationRow | null> => tx.findOneBy(reservationEntity, { userId, operationId });

/** Changes a reservation that the caller has locked. */
export const updateReservation = (tx: Tx, id: string, values: Partial<ReservationRow>): Promise<unknown> =>
  tx.update(reservationEntity, { id }, values);

const EXPIRED = { state: 'held', expiresAt: Raw((column) => `${column} <= NOW(3)`) } as const;

export const listExpired = (tx: Tx, limit: number): Promise<ReservationRow[]> =>
  tx.find(reservationEntity, { where: EXPIRED, order: { expiresAt: 'ASC' }, take: limit });

export const listExpiredOf = (tx: Tx, userId: string): Promise<ReservationRow[]> =>
  tx.findBy(reservationEntity, { ...EXPIRED, userId });
