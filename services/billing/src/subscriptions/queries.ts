import type { PaymentProblem, PlanDiscount } from '@shortlist/contracts/api/billing';
import type { EventType } from '@shortlist/contracts/events/define';
import type { WithPlanState } from '@shortlist/contracts/events/billing';
import type { Coverage, Interval, PaymentProblemKind, PlanState } from '@shortlist/contracts/plan';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertOrLock } from '@shortlist/kit/data/insert';
import { change, nullable, selectRows, text } from '@shortlist/kit/data/sql';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { CardSnapshot } from '../stripe/snapshot.ts';
import { In, IsNull, LessThan, LessThanOrEqual, MoreThan, Not } from 'typeorm';

export const subscriberEntity = defineEntity('subscriber', 'subscribers', {
  userId: { ...column.uuid, primary: true },
  email: column.varchar(254),
  /** The version of the email: an older event changes nothing. */
  emailVersion: { ...column.unsigned, default: 1 },
  /** Whether the customer at Stripe may still have an older email. */
  emailDue: { ...column.boolean, default: false },
  name: column.varchar(210),
  customerId: column.nullable(column.varchar(64)),
  customerKey: column.nullable(column.uuid),
  subscriptionId: column.nullable(column.varchar(64)),
  subscriptionStatus: column.nullable(column.varchar(30)),
  renews: { ...column.boolean, default: false },
  /** The end date of a renewing subscription; null if it renews without end, or not at all. */
  renewsUntil: column.nullable(column.dateTime),
  priceAmount: column.nullable(column.int),
  priceCurrency: column.nullable(column.char(3)),
  /** How often the price is charged. */
  priceInterval: column.nullable(column.varchar<Interval>(5)),
  /** The interval that follows with the next period; null if it stays the same. */
  nextInterval: column.nullable(column.varchar<Interval>(5)),
  /** What is taken off its charges. */
  discount: column.nullable(column.json<PlanDiscount>()),
  /** What the subscription is charged to; null for another method of payment. */
  card: column.nullable(column.json<CardSnapshot>()),
  /** The end of the trial that the subscription began with; null once it has charged, and for any other. */
  trialEndsAt: column.nullable(column.dateTime),
  /** Whether the subscription was ended at its start, because the user had no right to its trial. */
  isTrialRefused: { ...column.boolean, default: false },
  /** When to email the user about the end of the trial; null if not needed or already done. */
  trialNoticeAt: column.nullable(column.dateTime),
  /** The subscription whose trial was emailed about. */
  trialNoticed: column.nullable(column.varchar(64)),
  version: { ...column.int, default: 0 },
  paid: column.nullable(column.json<Coverage>()),
  granted: column.nullable(column.json<Coverage>()),
  /** Why a payment has not gone through, as last read from Stripe. */
  problem: column.nullable(column.json<PaymentProblem>()),
  /** The end of premium whose event is not emitted yet. */
  planEndsAt: column.nullable(column.dateTime),
  /** When to email the user about the expiring card; null if not needed or already done. */
  cardWarningAt: column.nullable(column.dateTime),
  /** The cards that were emailed about, by Stripe's id and month of expiry. */
  cardsWarned: column.nullable(column.json<string[]>()),
  /** A time at Stripe: the stored state includes every change before it. */
  readAt: column.nullable(column.dateTime),
  /** The ids of the requests whose effects the stored state includes, of the action that wrote it. */
  ownRequests: column.nullable(column.json<string[]>()),
  /** The lease: read and written only by its statements. */
  leaseOwner: { ...column.nullable(column.uuid), select: false },
  leaseUntil: { ...column.nullable(column.dateTime), select: false },
  deletedAt: column.nullable(column.dateTime),
  /** When everything paid until then was ended at once. */
  revokedAt: column.nullable(column.dateTime),
  /** Whether Stripe may still charge a deleted user, by an open checkout or an ongoing subscription. */
  closing: { ...column.boolean, default: false },
});
export type SubscriberRow = Omit<RowOf<typeof subscriberEntity>, 'leaseOwner' | 'leaseUntil'>;

export const findSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOneBy({ userId });

/** Locks the row until the transaction ends, to serialize changes of a plan. */
export const lockSubscriber = (tx: Tx, userId: string): Promise<SubscriberRow | null> =>
  tx.getRepository(subscriberEntity).findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } });

/** The subscribers of these customers; unknown customers are left out. */
export const listByCustomers = (tx: Tx, customerIds: string[]): Promise<SubscriberRow[]> =>
  tx.getRepository(subscriberEntity).findBy({ customerId: In(customerIds) });

/** The next subscribers by id whose subscription may be ongoing. */
export const listSubscribed = (tx: Tx, after: string, limit: number): Promise<SubscriberRow[]> =>
  tx.getRepository(subscriberEntity).find({
    where: { userId: MoreThan(after), deletedAt: IsNull(), subscriptionStatus: Not('canceled') },
    order: { userId: 'ASC' },
    take: limit,
  });

/** The next users by id. */
export const listUsersFrom = async (tx: Tx, after: string, limit: number): Promise<string[]> => {
  const rows = await tx.getRepository(subscriberEntity).find({
    select: { userId: true },
    where: { userId: MoreThan(after) },
    order: { userId: 'ASC' },
    take: limit,
  });
  return rows.map(({ userId }) => userId);
};

export const findUserIdByCustomer = async (tx: Tx, customerId: string): Promise<string | null> => {
  const row = await tx
    .getRepository(subscriberEntity)
    .findOne({ select: { userId: true }, where: { customerId } });
  return row?.userId ?? null;
};

/** The customer whose recorded invoice was paid by a charge; null for another charge. Raw SQL for the join. */
export const findCustomerOfCharge = async (tx: Tx, chargeId: string): Promise<string | null> => {
  const [row] = await selectRows(
    tx,
    { customerId: nullable(text) },
    {
      sql: `SELECT s.customer_id AS customerId FROM invoices i JOIN subscribers s ON s.user_id = i.user_id
            WHERE i.charge_id = ? LIMIT 1`,
      values: [chargeId],
    },
  );
  return row?.customerId ?? null;
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
  column: 'planEndsAt' | 'cardWarningAt' | 'trialNoticeAt',
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

/** Users who are due for an email about the end of their trial. */
export const listDueTrialNotices = (tx: Tx, page: DuePage): Promise<string[]> =>
  listDue(tx, 'trialNoticeAt', page);

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
