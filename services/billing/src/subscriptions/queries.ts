import type { PaymentProblem } from '@shortlist/contracts/api/billing';
import type { EventType } from '@shortlist/contracts/events/define';
import type { WithPlanState } from '@shortlist/contracts/events/billing';
import type { Coverage, PaymentProblemKind, PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { insertOrLock } from '@shortlist/kit/data/insert';
import { change } from '@shortlist/kit/data/sql';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { CardSnapshot } from '../stripe/snapshot.ts';
import {
  EntitySchema,
  In,
  IsNull,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  type ValueTransformer,
} from 'typeorm';

export type SubscriberRow = {
  userId: string;
  email: string;
  /** The version of the email: an older event changes nothing. */
  emailVersion: number;
  /** Whether the customer at Stripe may still have an older email. */
  emailDue: boolean;
  name: string;
  customerId: string | null;
  customerKey: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  renews: boolean;
  /** The end date of a renewing subscription; null if it renews without end, or not at all. */
  renewsUntil: Date | null;
  priceAmount: number | null;
  priceCurrency: string | null;
  /** What the subscription is charged to; null for another method of payment. */
  card: CardSnapshot | null;
  version: number;
  paid: Coverage | null;
  granted: Coverage | null;
  /** Why a payment has not gone through, as last read from Stripe. */
  problem: PaymentProblem | null;
  /** The end of premium whose event is not emitted yet. */
  planEndsAt: Date | null;
  /** When to email the user about the expiring card; null if not needed or already done. */
  cardWarningAt: Date | null;
  /** The cards that were emailed about, by Stripe's id and month of expiry. */
  cardsWarned: string[] | null;
  deletedAt: Date | null;
  /** When everything paid until then was ended at once. */
  revokedAt: Date | null;
  /** Whether Stripe may still charge a deleted user, by an open checkout or an ongoing subscription. */
  closing: boolean;
};

/** Read and written only by the lease's statements. */
type LeaseColumns = { leaseOwner: string | null; leaseUntil: Date | null };

const json: ValueTransformer = {
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
  from: (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown)),
};

export const subscriberEntity = new EntitySchema<SubscriberRow & LeaseColumns>({
  name: 'subscriber',
  tableName: 'subscribers',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    emailVersion: { name: 'email_version', type: 'int', unsigned: true, default: 1 },
    emailDue: { name: 'email_due', type: 'boolean', default: false },
    name: { type: 'varchar', length: 210 },
    customerId: { name: 'customer_id', type: 'varchar', length: 64, nullable: true },
    customerKey: { name: 'customer_key', type: 'char', length: 36, nullable: true },
    subscriptionId: { name: 'subscription_id', type: 'varchar', length: 64, nullable: true },
    subscriptionStatus: { name: 'subscription_status', type: 'varchar', length: 30, nullable: true },
    renews: { type: 'boolean', default: false },
    renewsUntil: { name: 'renews_until', type: 'datetime', precision: 3, nullable: true },
    priceAmount: { name: 'price_amount', type: 'int', nullable: true },
    priceCurrency: { name: 'price_currency', type: 'char', length: 3, nullable: true },
    card: { type: 'text', nullable: true, transformer: json },
    version: { type: 'int', default: 0 },
    paid: { type: 'text', nullable: true, transformer: json },
    granted: { type: 'text', nullable: true, transformer: json },
    problem: { type: 'text', nullable: true, transformer: json },
    planEndsAt: { name: 'plan_ends_at', type: 'datetime', precision: 3, nullable: true },
    cardWarningAt: { name: 'card_warning_at', type: 'datetime', precision: 3, nullable: true },
    cardsWarned: { name: 'cards_warned', type: 'text', nullable: true, transformer: json },
    leaseOwner: { name: 'lease_owner', type: 'char', length: 36, nullable: true, select: false },
    leaseUntil: { name: 'lease_until', type: 'datetime', precision: 3, nullable: true, select: false },
    deletedAt: { name: 'deleted_at', type: 'datetime', precision: 3, nullable: true },
    revokedAt: { name: 'revoked_at', type: 'datetime', precision: 3, nullable: true },
    closing: { type: 'boolean', default: false },
  },
});

export const findSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOneBy({ userId });

/** Locks the row until the transaction ends, to serialize changes of a plan. */
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

/** Locks the subscriber, which is created if missing. */
export const insertSubscriberIfAbsent = (
  tx: Tx,
  { userId, email, name }: Pick<SubscriberRow, 'userId' | 'email' | 'name'>,
): Promise<void> => insertOrLock(tx, subscriberEntity, { userId, email, name });

export const updateSubscriber = async (
  tx: Tx,
  userId: string,
  columns: Partial<SubscriberRow>,
): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId }, columns);
};

/** An event of a plan, without the resulting plan state, which all events carry. */
export type PlanEvent = { type: EventType<WithPlanState>; data: object };

/** The next state of a plan (`nextPlan`), to be written and emitted. */
export type NextPlan = {
  userId: string;
  planState: PlanState;
  problem: PaymentProblemKind | null;
  columns: Partial<SubscriberRow>;
  events: PlanEvent[];
};

/** Writes the next state of a plan, emits its events, and returns the state. The caller has locked the subscriber's row. */
export const writePlan = async (
  tx: Tx,
  { userId: subject, planState, problem, columns, events }: NextPlan,
  clock: Clock,
): Promise<PlanState> => {
  await updateSubscriber(tx, subject, columns);
  for (const { type, data } of events)
    await emit(tx, type, { subject, data: { ...data, planState, problem }, clock });
  return planState;
};

export const renameSubscriber = async (tx: Tx, userId: string, name: string): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId, deletedAt: IsNull() }, { name });
};

/** Stores an email if it is newer than the stored one. The customer at Stripe is due for an update. */
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

/** Does nothing if the email has changed again. */
export const settleEmail = async (
  tx: Tx,
  { userId, emailVersion }: Pick<SubscriberRow, 'userId' | 'emailVersion'>,
): Promise<void> => {
  await tx.getRepository(subscriberEntity).update({ userId, emailVersion }, { emailDue: false });
};

/** Users whose customer at Stripe may still have an older email. */
export const listDueEmails = async (tx: Tx): Promise<string[]> => {
  const rows = await tx
    .getRepository(subscriberEntity)
    .find({ select: { userId: true }, where: { emailDue: true, deletedAt: IsNull() }, take: 100 });
  return rows.map(({ userId }) => userId);
};

/** A page of the users for whom something is due at `now`, by id from `afterUserId` on. */
export type DuePage = { now: Date; afterUserId: string; limit: number };

const listDue = async (
  tx: Tx,
  column: 'planEndsAt' | 'cardWarningAt',
  { now, afterUserId, limit }: DuePage,
): Promise<string[]> => {
  const rows = await tx.getRepository(subscriberEntity).find({
    select: { userId: true },
    where: { [column]: LessThanOrEqual(now), deletedAt: IsNull(), userId: MoreThan(afterUserId) },
    order: { userId: 'ASC' },
    take: limit,
  });
  return rows.map(({ userId }) => userId);
};

/** Users whose plan ended by `now` and whose PlanRevoked is not emitted yet. */
export const listDuePlanEnds = (tx: Tx, page: DuePage): Promise<string[]> => listDue(tx, 'planEndsAt', page);

/** Users who are due for an email about their expiring card. */
export const listDueCardWarnings = (tx: Tx, page: DuePage): Promise<string[]> =>
  listDue(tx, 'cardWarningAt', page);

/** Deleted users whom Stripe may still charge. */
export const listClosing = async (tx: Tx): Promise<string[]> => {
  const rows = await tx
    .getRepository(subscriberEntity)
    .find({ select: { userId: true }, where: { closing: true }, take: 100 });
  return rows.map(({ userId }) => userId);
};

/** One owner's lease on one user. */
export type Lease = { userId: string; owner: string };
export type CustomerColumns = Pick<SubscriberRow, 'customerKey' | 'customerId'>;

/** Returns false without writing if the lease has passed to another owner. */
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

/** Takes the lease if it is free or has expired. Raw SQL, because condition and value use the database's time. */
export const takeLease = async (tx: Tx, { userId, owner }: Lease, seconds: number): Promise<boolean> => {
  const { affectedRows } = await change(tx, {
    sql: `UPDATE subscribers SET lease_owner = ?, lease_until = NOW(3) + INTERVAL ? SECOND
          WHERE user_id = ? AND (lease_until IS NULL OR lease_until <= NOW(3))`,
    values: [owner, seconds, userId],
  });
  return affectedRows === 1;
};

/** Raw SQL, because the value uses the database's time. */
export const renewLease = async (tx: Tx, { userId, owner }: Lease, seconds: number): Promise<void> => {
  await change(tx, {
    sql: 'UPDATE subscribers SET lease_until = NOW(3) + INTERVAL ? SECOND WHERE user_id = ? AND lease_owner = ?',
    values: [seconds, userId, owner],
  });
};
