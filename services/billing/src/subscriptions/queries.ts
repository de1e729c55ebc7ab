import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import { subscriberEntity, type SubscriberRow } from './subscriber.entity.ts';

export const findSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOneBy({ userId });

/** Locks the row until the transaction ends: two changes of one plan come one after the other. */
export const lockSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } });

/** The people behind these customers; who has none of ours is left out. */
export const listByCustomers = (tx: Tx, customerIds: string[]): Promise<SubscriberRow[]> =>
  tx.getRepository(subscriberEntity).findBy({ customerId: In(customerIds) });

export const findUserIdByCustomer = async (tx: Tx, customerId: string): Promise<string | null> => {
  const rows: { user_id: string }[] = await tx.query(
    'SELECT user_id FROM subscribers WHERE customer_id = ?',
    [customerId],
  );
  return rows[0]?.user_id ?? null;
};

export const insertSubscriberIfAbsent = async (
  tx: Tx,
  row: { userId: string; email: string; name: string },
): Promise<void> => {
  // Not INSERT IGNORE: that takes a shared lock on a row that is there, and whoever locks the row next would deadlock.
  await tx.query(
    'INSERT INTO subscribers (user_id, email, name) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE user_id = user_id',
    [row.userId, row.email, row.name],
  );
};

export const updateSubscriber = async (
  tx: Tx,
  userId: string,
  change: Partial<SubscriberRow>,
): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId }, change);
};

export const renameSubscriber = async (tx: Tx, userId: string, name: string): Promise<void> => {
  await tx.query('UPDATE subscribers SET name = ? WHERE user_id = ? AND deleted_at IS NULL', [name, userId]);
};

/** Who holds the lease on whom. */
export type Holding = { userId: string; holder: string };
export type CustomerColumns = Pick<SubscriberRow, 'customerKey' | 'customerId'>;

/** Answers false, and writes nothing, when the person's lease has passed to another. */
export const writeCustomer = async (
  tx: Tx,
  { userId, holder }: Holding,
  { customerKey, customerId }: CustomerColumns,
): Promise<boolean> => {
  const result: unknown = await tx.query(
    'UPDATE subscribers SET customer_key = ?, customer_id = ? WHERE user_id = ? AND lease_owner = ?',
    [customerKey, customerId, userId, holder],
  );
  return affectedRows(result) === 1;
};

type Lease = { holder: string; seconds: number };

/** Takes the lease when it is free or has run out. */
export const takeLease = async (tx: Tx, userId: string, { holder, seconds }: Lease): Promise<boolean> => {
  const result: unknown = await tx.query(
    `UPDATE subscribers SET lease_owner = ?, lease_until = NOW(3) + INTERVAL ? SECOND
     WHERE user_id = ? AND (lease_until IS NULL OR lease_until <= NOW(3))`,
    [holder, seconds, userId],
  );
  return affectedRows(result) === 1;
};

export const renewLease = async (tx: Tx, userId: string, { holder, seconds }: Lease): Promise<void> => {
  await tx.query(
    'UPDATE subscribers SET lease_until = NOW(3) + INTERVAL ? SECOND WHERE user_id = ? AND lease_owner = ?',
    [seconds, userId, holder],
  );
};

export const releaseLease = async (tx: Tx, userId: string, holder: string): Promise<void> => {
  await tx.query(
    'UPDATE subscribers SET lease_owner = NULL, lease_until = NULL WHERE user_id = ? AND lease_owner = ?',
    [userId, holder],
  );
};

export const ownsLease = async (tx: Tx, userId: string, holder: string): Promise<boolean> => {
  const rows: unknown[] = await tx.query(
    'SELECT 1 FROM subscribers WHERE user_id = ? AND lease_owner = ? FOR UPDATE',
    [userId, holder],
  );
  return rows.length > 0;
};

/** Deleted people whose subscription the provider has not ended yet. */
export const listUncanceledDeleted = async (tx: Tx): Promise<string[]> => {
  const rows: { user_id: string }[] = await tx.query(
    `SELECT user_id FROM subscribers WHERE deleted_at IS NOT NULL AND subscription_status NOT IN ('canceled', 'incomplete_expired')
     LIMIT 100`,
  );
  return rows.map((row) => row.user_id);
};
