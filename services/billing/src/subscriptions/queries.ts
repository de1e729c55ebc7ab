import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { In, IsNull, LessThan, LessThanOrEqual, MoreThan } from 'typeorm';
import { subscriberEntity, type SubscriberRow } from './subscriber.entity.ts';

export const findSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOneBy({ userId });

/** Locks the row until the transaction ends, so that changes of one plan run one after the other. */
export const lockSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } });

/** The subscribers of these customers; unknown customers are left out. */
export const listByCustomers = (tx: Tx, customerIds: string[]): Promise<SubscriberRow[]> =>
  tx.getRepository(subscriberEntity).findBy({ customerId: In(customerIds) });

export const findUserIdByCustomer = async (tx: Tx, customerId: string): Promise<string | null> => {
  const row = await tx
    .getRepository(subscriberEntity)
    .findOne({ select: { userId: true }, where: { customerId } });
  return row?.userId ?? null;
};

export const insertSubscriberIfAbsent = async (
  tx: Tx,
  { userId, email, name }: Pick<SubscriberRow, 'userId' | 'email' | 'name'>,
): Promise<void> => {
  // Not INSERT IGNORE: it takes a shared lock on an existing row, and the next statement that locks the row would deadlock.
  await tx
    .createQueryBuilder()
    .insert()
    .into(subscriberEntity)
    .values({ userId, email, name })
    .orUpdate(['user_id'])
    .updateEntity(false)
    .execute();
};

export const updateSubscriber = async (
  tx: Tx,
  userId: string,
  columns: Partial<SubscriberRow>,
): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId }, columns);
};

export const renameSubscriber = async (tx: Tx, userId: string, name: string): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId, deletedAt: IsNull() }, { name });
};

/** Stores an address that is newer than the stored one. The customer at Stripe is due to get it. */
export const updateEmail = async (
  tx: Tx,
  userId: string,
  { email, emailVersion }: Pick<SubscriberRow, 'email' | 'emailVersion'>,
): Promise<void> => {
  await tx
    .getRepository(subscriberEntity)
    .update(
      { userId, emailVersion: LessThan(emailVersion), deletedAt: IsNull() },
      { email, emailVersion, emailDue: true },
    );
};

/** Does nothing when the address has changed again meanwhile. */
export const settleEmail = async (
  tx: Tx,
  { userId, emailVersion }: Pick<SubscriberRow, 'userId' | 'emailVersion'>,
): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId, emailVersion }, { emailDue: false });
};

/** Users whose customer at Stripe may still have an older address. */
export const listDueEmails = async (tx: Tx): Promise<string[]> => {
  const rows = await tx
    .getRepository(subscriberEntity)
    .find({ select: { userId: true }, where: { emailDue: true, deletedAt: IsNull() }, take: 100 });
  return rows.map(({ userId }) => userId);
};

/** Users whose plan ended at or before `now` and whose PlanRevoked is not emitted yet, by id from `afterUserId` on. */
export const listDuePlanEnds = async (
  tx: Tx,
  { now, afterUserId, limit }: { now: Date; afterUserId: string; limit: number },
): Promise<string[]> => {
  const rows = await tx.getRepository(subscriberEntity).find({
    select: { userId: true },
    where: { planEndsAt: LessThanOrEqual(now), deletedAt: IsNull(), userId: MoreThan(afterUserId) },
    order: { userId: 'ASC' },
    take: limit,
  });
  return rows.map(({ userId }) => userId);
};

/** Deleted users of whom Stripe may still take money. */
export const listClosing = async (tx: Tx): Promise<string[]> => {
  const rows = await tx
    .getRepository(subscriberEntity)
    .find({ select: { userId: true }, where: { closing: true }, take: 100 });
  return rows.map(({ userId }) => userId);
};

/** One owner's lease on one user. */
export type Lease = { userId: string; owner: string };
export type CustomerColumns = Pick<SubscriberRow, 'customerKey' | 'customerId'>;

/** Returns false, and writes nothing, when the lease has passed to another owner. */
export const writeCustomer = async (
  tx: Tx,
  { userId, owner }: Lease,
  { customerKey, customerId }: CustomerColumns,
): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(subscriberEntity)
    .update({ userId, leaseOwner: owner }, { customerKey, customerId });
  return affected === 1;
};

export const ownsLease = (tx: Tx, { userId, owner }: Lease): Promise<boolean> =>
  tx
    .getRepository(subscriberEntity)
    .findOne({
      select: { userId: true },
      where: { userId, leaseOwner: owner },
      lock: { mode: 'pessimistic_write' },
    })
    .then((row) => row !== null);

export const releaseLease = async (tx: Tx, { userId, owner }: Lease): Promise<void> => {
  await tx
    .getRepository(subscriberEntity)
    .update({ userId, leaseOwner: owner }, { leaseOwner: null, leaseUntil: null });
};

/** Takes the lease when it is free or has expired. Raw: the condition and the value use the database's time. */
export const takeLease = async (tx: Tx, { userId, owner }: Lease, seconds: number): Promise<boolean> => {
  const { affectedRows } = await change(tx, {
    sql: `UPDATE subscribers SET lease_owner = ?, lease_until = NOW(3) + INTERVAL ? SECOND
          WHERE user_id = ? AND (lease_until IS NULL OR lease_until <= NOW(3))`,
    values: [owner, seconds, userId],
  });
  return affectedRows === 1;
};

/** Raw: the value uses the database's time. */
export const renewLease = async (tx: Tx, { userId, owner }: Lease, seconds: number): Promise<void> => {
  await change(tx, {
    sql: 'UPDATE subscribers SET lease_until = NOW(3) + INTERVAL ? SECOND WHERE user_id = ? AND lease_owner = ?',
    values: [seconds, userId, owner],
  });
};
