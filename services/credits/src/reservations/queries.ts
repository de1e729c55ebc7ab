import type { Tx } from '@shortlist/kit/data/db';
import { EntitySchema, Raw } from 'typeorm';

/**
 * Credits that are charged but not settled. The ledger has the charge under the same operation id. Of a settled reservation,
 * `committedAmount` is the number that its commit named, and `usedAfter` and `othersAfter` are the balance of its response as in the ledger;
 * the first two are null in one that an older version has settled. `holdSeconds`: null in one of an older version.
 */
export type ReservationRow = {
  id: string;
  userId: string;
  operationId: string;
  state: 'held' | 'committed' | 'released';
  expiresAt: Date;
  holdSeconds: number | null;
  committedAmount: number | null;
  usedAfter: number | null;
  othersAfter: number;
};

export const reservationEntity = new EntitySchema<ReservationRow>({
  name: 'reservation',
  tableName: 'reservations',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    state: { type: 'enum', enum: ['held', 'committed', 'released'] },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
    holdSeconds: { name: 'hold_seconds', type: 'int', unsigned: true, nullable: true },
    committedAmount: { name: 'committed_amount', type: 'int', unsigned: true, nullable: true },
    usedAfter: { name: 'used_after', type: 'int', unsigned: true, nullable: true },
    othersAfter: { name: 'buckets_after', type: 'int', unsigned: true, default: 0 },
  },
});

// The expiry is written and compared in the database's time, so a process whose clock is ahead expires no reservation early.

export type NewReservation = { id: string; holdSeconds: number };

const EXPIRY = 'NOW(3) + INTERVAL :seconds SECOND';

export const insertReservation = async (
  tx: Tx,
  { userId, operationId }: Pick<ReservationRow, 'userId' | 'operationId'>,
  { id, holdSeconds }: NewReservation,
): Promise<void> => {
  await tx
    .createQueryBuilder()
    .insert()
    .into(reservationEntity)
    .values({ id, userId, operationId, state: 'held', holdSeconds, expiresAt: () => EXPIRY })
    .setParameter('seconds', holdSeconds)
    .updateEntity(false)
    .execute();
};

/** Locks a reservation until commit, so that of two settlements at once the second finds the first. */
export const lockReservation = (tx: Tx, userId: string, id: string): Promise<ReservationRow | null> =>
  tx.getRepository(reservationEntity).findOne({ where: { id, userId }, lock: { mode: 'pessimistic_write' } });

export const findReservationOfOperation = (
  tx: Tx,
  userId: string,
  operationId: string,
): Promise<ReservationRow | null> => tx.getRepository(reservationEntity).findOneBy({ userId, operationId });

/** Changes a reservation that the caller has locked. */
export const updateReservation = async (
  tx: Tx,
  id: string,
  values: Partial<ReservationRow>,
): Promise<void> => {
  await tx.getRepository(reservationEntity).update({ id }, values);
};

/** Postpones the expiry of an unsettled reservation, so that others are released before it. */
export const postponeExpiry = async (tx: Tx, id: string, seconds: number): Promise<void> => {
  await tx
    .createQueryBuilder()
    .update(reservationEntity)
    .set({ expiresAt: () => EXPIRY })
    .where({ id })
    .setParameter('seconds', seconds)
    .updateEntity(false)
    .execute();
};

const EXPIRED = { state: 'held', expiresAt: Raw((column) => `${column} <= NOW(3)`) } as const;

export const listExpired = (tx: Tx, limit: number): Promise<ReservationRow[]> =>
  tx.getRepository(reservationEntity).find({ where: EXPIRED, order: { expiresAt: 'ASC' }, take: limit });

export const listExpiredOf = (tx: Tx, userId: string): Promise<ReservationRow[]> =>
  tx.getRepository(reservationEntity).findBy({ ...EXPIRED, userId });
