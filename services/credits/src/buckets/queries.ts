import { BUCKET_KINDS, type CreditsAmounts } from '@shortlist/contracts/api/credits';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { NO_PLAN, type Plan, PLANS, type PlanState } from '@shortlist/contracts/plan';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import {
  change,
  instant,
  integer,
  nullable,
  oneOf,
  selectRow,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import { createError } from '@shortlist/kit/process/errors';
import { In, MoreThan, Not } from 'typeorm';
import { type Bucket, bucketEntity } from './bucket.entity.ts';
import type { NewBucket } from './bucket.rules.ts';
import {
  EXHAUSTED_PERCENT,
  freeBucket,
  isPlanBucket,
  LOW_PERCENT,
  monthInForce,
  type NewPlanBucket,
  nextFreeBucket,
  type PlanBucket,
  planInForce,
  premiumBucket,
  type Threshold,
} from './plan-bucket.rules.ts';

/** A row without a bucket when there is none. */
const ACCOUNT_AND_BUCKET = {
  planState: nullable(text),
  bucketVersion: nullable(integer),
  id: nullable(integer),
  userId: nullable(text),
  kind: nullable(oneOf(...BUCKET_KINDS)),
  source: nullable(text),
  plan: nullable(oneOf(...PLANS)),
  credits: nullable(integer),
  usable: nullable(integer),
  used: nullable(integer),
  startsAt: nullable(instant),
  endsAt: nullable(instant),
  version: nullable(integer),
  reason: nullable(text),
  grantedBy: nullable(text),
};

const isBucket = <Row extends { [Name in keyof Bucket]: Bucket[Name] | null }>(
  row: Row,
): row is Row & Bucket => row.id !== null;

/** The buckets that count at a time, with what they were selected by: the plan state, and the version of grants and packs. */
type Selection = { userId: string; state: PlanState; bucketVersion: number; others: Bucket[] };
export type OpenBuckets = Selection & { isOpen: true; plan: PlanBucket };
/** `plan` is not stored yet unless `isOpen`: the next charge opens it. */
export type CurrentBuckets = OpenBuckets | (Selection & { isOpen: false; plan: NewPlanBucket });

const notOver = (now: Date) => sql`(b.ends_at IS NULL OR b.ends_at > ${now})`;

const findNextFree = async (tx: Tx, userId: string, now: Date): Promise<NewPlanBucket> => {
  const last = await tx.findOne(bucketEntity, {
    where: { userId, plan: 'free' },
    order: { startsAt: 'DESC', id: 'DESC' },
  });
  return last?.endsAt ? nextFreeBucket(userId, last.endsAt, now) : freeBucket(userId, now);
};

/** What a user can charge at `now`, in one read when the plan's bucket is open. `FOR UPDATE` locks the account, then the buckets. */
export const findCurrentBuckets = async (
  tx: Tx,
  userId: string,
  now: Date,
  lock: '' | 'FOR UPDATE' = '',
): Promise<CurrentBuckets> => {
  // Hot: the one read of a charge without cached buckets. The builder lacks a join on a constant row.
  const holdings = sql`SELECT a.plan_state AS planState, a.bucket_version AS bucketVersion, b.id, b.user_id AS userId, b.kind,
      b.source_key AS source, b.plan, b.credit_limit AS credits, b.usable, b.used, b.starts_at AS startsAt, b.ends_at AS endsAt, b.version,
      b.reason, b.granted_by AS grantedBy
    FROM (SELECT 1) AS always LEFT JOIN accounts a ON a.user_id = ${userId}
    LEFT JOIN credit_buckets b ON b.user_id = ${userId} AND ${notOver(now)} AND (b.kind = 'plan' OR b.usable > b.used)
    ${lock === '' ? sql`` : sql`FOR UPDATE`}`;
  const rows = await selectRows(tx, ACCOUNT_AND_BUCKET, holdings);
  const state = rows[0]?.planState ? (JSON.parse(rows[0].planState) as PlanState) : NO_PLAN;
  const buckets: Bucket[] = rows.filter(isBucket);
  const others = buckets.filter((bucket) => !isPlanBucket(bucket));
  const selection = { userId, state, bucketVersion: rows[0]?.bucketVersion ?? 0, others };
  const month = monthInForce(state, now);
  const open = planInForce(buckets.filter(isPlanBucket), month);
  if (open !== null) return { ...selection, plan: open, isOpen: true };
  const next = month ? premiumBucket(userId, month) : await findNextFree(tx, userId, now);
  return { ...selection, plan: next, isOpen: false };
};

export const isSameSelection = (one: CurrentBuckets, other: CurrentBuckets): boolean =>
  one.isOpen &&
  other.isOpen &&
  one.plan.id === other.plan.id &&
  one.state.version === other.state.version &&
  one.bucketVersion === other.bucketVersion;

export const findPlanBucket = async (tx: Tx, id: number): Promise<PlanBucket | null> => {
  const bucket = await tx.findOneBy(bucketEntity, { id });
  return bucket && isPlanBucket(bucket) ? bucket : null;
};

/** The use of the newest bucket of each plan; null without one, and of a free one that has ended. */
export const findNewestUse = async (
  tx: Tx,
  userId: string,
  now: Date,
): Promise<Record<Plan, number | null>> => {
  const newest = sql`FROM credit_buckets b WHERE b.user_id = ${userId} AND b.plan =`;
  const last = sql`ORDER BY b.starts_at DESC, b.id DESC LIMIT 1`;
  const uses = sql`SELECT (SELECT b.used ${newest} 'premium' ${last}) AS premium,
    (SELECT IF(${notOver(now)}, b.used, NULL) ${newest} 'free' ${last}) AS free`;
  const found = await selectRow(tx, { premium: nullable(integer), free: nullable(integer) }, uses);
  return found ?? { premium: null, free: null };
};

export const findBucket = (tx: Tx, userId: string, source: string): Promise<Bucket | null> =>
  tx.findOneBy(bucketEntity, { userId, source });

export const listPlanBuckets = (tx: Tx, userId: string): Promise<Bucket[]> =>
  tx.find(bucketEntity, { where: { userId, kind: 'plan' }, order: { id: 'ASC' } });

/** Every grant and pack, including ended ones: few, even after years. */
export const listOtherBuckets = (tx: Tx, userId: string): Promise<Bucket[]> =>
  tx.find(bucketEntity, {
    where: { userId, kind: Not('plan') },
    order: { startsAt: 'DESC', source: 'DESC' },
  });

/** The balance of a user with this bucket of the plan, ended or not. Throws `gone` if a deletion has removed the bucket. */
export const getBalance = async (
  tx: Tx,
  { id }: PlanBucket,
  now: Date,
  gone: ErrorCode,
): Promise<CreditsAmounts> => {
  const amounts = sql`SELECT p.used, CAST(GREATEST(p.usable, p.used) - p.used + COALESCE((SELECT SUM(b.usable - b.used) FROM credit_buckets b
        WHERE b.user_id = p.user_id AND b.kind <> 'plan' AND b.usable > b.used AND ${notOver(now)}), 0) AS SIGNED) AS available,
      GREATEST(p.usable, p.used) AS \`limit\` FROM credit_buckets p WHERE p.id = ${id}`;
  const balance = await selectRow(tx, { used: integer, available: integer, limit: integer }, amounts);
  if (balance === null) throw createError(gone);
  return balance;
};

/** Inserts the buckets whose sources have opened none before. Returns how many are new. */
export const insertBuckets = (tx: Tx, ...buckets: NewBucket[]): Promise<number> =>
  insertIfAbsent(tx, bucketEntity, buckets);

/** Changes a bucket. Of a grant or a pack, the caller has locked the account. */
export const updateBucket = (tx: Tx, { userId, source }: NewBucket, values: Partial<NewBucket>) =>
  tx.update(bucketEntity, { userId, source }, values);

/** Ends premium buckets whose coverages are not among `paidKeys`. */
export const endOtherPremium = async (
  tx: Tx,
  userId: string,
  paidKeys: readonly string[],
  now: Date,
): Promise<void> => {
  const open = await tx.findBy(bucketEntity, { userId, plan: 'premium', endsAt: MoreThan(now) });
  const unpaid = open.filter(({ source }) => !paidKeys.includes(source)).map(({ id }) => id);
  if (unpaid.length > 0) await tx.update(bucketEntity, { id: In(unpaid) }, { endsAt: now });
};

/** The end of each user's newest free bucket. */
export const listFreeEnds = async (tx: Tx, userIds: string[]): Promise<Map<string, Date>> => {
  if (userIds.length === 0) return new Map();
  // Raw SQL: rows of the builder with an aggregate have no type.
  const ends = sql`SELECT user_id AS userId, MAX(ends_at) AS endsAt FROM credit_buckets
    WHERE plan = 'free' AND user_id IN (${userIds}) GROUP BY user_id`;
  const rows = await selectRows(tx, { userId: text, endsAt: instant }, ends);
  return new Map(rows.map(({ userId, endsAt }) => [userId, endsAt]));
};

/**
 * Takes credits of the plan's bucket if it has as many left, has not ended, and was selected by the versions that are still stored. Returns
 * its use after it, or null. The condition is evaluated under the row's lock, so concurrent charges cannot exceed the limit.
 */
export const takeFromPlan = async (
  tx: Tx,
  { userId, plan, state, bucketVersion }: OpenBuckets,
  amount: number,
  now: Date,
): Promise<number | null> => {
  const withoutAccount = state.version === 0 && bucketVersion === 0;
  // Hot: part of every charge. LAST_INSERT_ID(expression) returns the new value without another statement. The subquery is evaluated first,
  // so the account is locked before the bucket, as everywhere.
  const taking = sql`UPDATE credit_buckets SET used = LAST_INSERT_ID(used + ${amount})
    WHERE COALESCE((SELECT plan_version = ${state.version} AND bucket_version = ${bucketVersion}
        FROM accounts WHERE user_id = ${userId} LOCK IN SHARE MODE), ${withoutAccount})
      AND id = ${plan.id} AND used + ${amount} <= usable AND ends_at > ${now}`;
  const { affectedRows, insertId } = await change(tx, taking);
  return affectedRows === 1 ? insertId : null;
};

/** Adds an amount, below 0 for a return, to the use of a bucket, ended or not. An amount of 0 locks the row. */
export const changeUse = async (tx: Tx, userId: string, source: string, amount: number): Promise<void> => {
  // Raw SQL: the condition keeps a defect from turning into credits, and the builder adds no expression to an unsigned column.
  const changing = sql`UPDATE credit_buckets SET used = used + ${amount}
    WHERE user_id = ${userId} AND source_key = ${source} AND CAST(used AS SIGNED) + ${amount} BETWEEN 0 AND credit_limit`;
  const { affectedRows } = await change(tx, changing);
  if (affectedRows === 1) return;
  if (!(await tx.existsBy(bucketEntity, { userId, source })))
    throw createError('credits.reservation_not_found');
  throw new Error(`the use of bucket ${source} of ${userId} cannot change by ${amount}`);
};

/** A threshold whose event was emitted or is not due any more. The table is named after the one threshold that it had at first. */
export const warningEntity = defineEntity('warning', 'exhausted_windows', {
  bucketId: { ...column.bigint, name: 'window_id', primary: true },
  threshold: { ...column.tinyint<Threshold>(), primary: true, default: EXHAUSTED_PERCENT },
  userId: column.uuid,
});
type Warning = RowOf<typeof warningEntity>;

/** Returns whether the bucket reaches the threshold for the first time. An exhausted one is not low again after a return. */
export const insertWarningIfAbsent = async (tx: Tx, warning: Warning): Promise<boolean> => {
  const isFirst = (await insertIfAbsent(tx, warningEntity, warning)) === 1;
  if (isFirst && warning.threshold === EXHAUSTED_PERCENT)
    await insertIfAbsent(tx, warningEntity, { ...warning, threshold: LOW_PERCENT });
  return isFirst;
};
