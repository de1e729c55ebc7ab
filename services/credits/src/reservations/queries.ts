import { affectedRows, type Tx } from '@shortlist/kit/data/db';

type State = 'held' | 'committed' | 'released';
export type ReservationRow = {
  id: string;
  userId: string;
  operationId: string;
  state: State;
  expiresAt: Date;
};
type NewReservation = { id: string; userId: string; operationId: string; holdSeconds: number };

const COLUMNS = 'id, user_id AS userId, operation_id AS operationId, state, expires_at AS expiresAt';

/** Its end is written and compared in the database's time, so that a process whose clock is ahead ends nobody's hold. */
export const insertReservation = async (tx: Tx, row: NewReservation): Promise<void> => {
  await tx.query(
    `INSERT INTO reservations (id, user_id, operation_id, state, expires_at)
     VALUES (?, ?, ?, 'held', NOW(3) + INTERVAL ? SECOND)`,
    [row.id, row.userId, row.operationId, row.holdSeconds],
  );
};

export const findReservation = async (tx: Tx, userId: string, id: string): Promise<ReservationRow | null> => {
  const rows: ReservationRow[] = await tx.query(
    `SELECT ${COLUMNS} FROM reservations WHERE id = ? AND user_id = ?`,
    [id, userId],
  );
  return rows[0] ?? null;
};

export const findReservationOf = async (
  tx: Tx,
  userId: string,
  operationId: string,
): Promise<ReservationRow | null> => {
  const rows: ReservationRow[] = await tx.query(
    `SELECT ${COLUMNS} FROM reservations WHERE user_id = ? AND operation_id = ?`,
    [userId, operationId],
  );
  return rows[0] ?? null;
};

/** Settles a hold. Answers false when it is settled already: commit and release at one moment have one winner. */
export const settleReservation = async (
  tx: Tx,
  id: string,
  state: Exclude<State, 'held'>,
): Promise<boolean> => {
  const result: unknown = await tx.query(
    "UPDATE reservations SET state = ? WHERE id = ? AND state = 'held'",
    [state, id],
  );
  return affectedRows(result) === 1;
};

/** Lets an expired hold go to the back of the line. */
export const postponeExpiry = async (tx: Tx, id: string, seconds: number): Promise<void> => {
  await tx.query(
    "UPDATE reservations SET expires_at = NOW(3) + INTERVAL ? SECOND WHERE id = ? AND state = 'held'",
    [seconds, id],
  );
};

export const listExpired = (tx: Tx, limit: number): Promise<ReservationRow[]> =>
  tx.query(
    `SELECT ${COLUMNS} FROM reservations WHERE state = 'held' AND expires_at <= NOW(3) ORDER BY expires_at LIMIT ?`,
    [limit],
  );

export const listExpiredOf = (tx: Tx, userId: string): Promise<ReservationRow[]> =>
  tx.query(
    `SELECT ${COLUMNS} FROM reservations WHERE user_id = ? AND state = 'held' AND expires_at <= NOW(3)`,
    [userId],
  );

export const deleteReservationsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM reservations WHERE user_id = ?', [userId]);
};
