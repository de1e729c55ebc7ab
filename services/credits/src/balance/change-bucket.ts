import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { BucketRecord, CreditGrantInput } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import type { CreditPackChanged } from '@shortlist/contracts/events/billing';
import { balanceChanged, creditBucketChanged, creditsGranted } from '@shortlist/contracts/events/credits';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { CREDIT_GRANT_DAYS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import {
  deleteAccount,
  isDeleted,
  lockAccount,
  lockExistingAccount,
  raiseBucketVersion,
} from '../accounts/queries.ts';
import { insertBalanceEntry, internalOperationId } from '../ledger/queries.ts';
import {
  addedBy,
  balanceReasonOf,
  type BucketChange,
  dataOf,
  type NewBucket,
  newBucket,
  sumAvailable,
} from '../buckets/bucket.rules.ts';
import { findCurrentBuckets } from '../buckets/current-buckets.ts';
import { recordOf } from './present.ts';
import { findBucket, insertBucketIfAbsent, updateOlderPack, updateUsable } from '../buckets/queries.ts';

/**
 * Has charges see a bucket that changed. If it makes a difference to the balance, adds the change to the history and emits BalanceChanged,
 * once each. The caller has locked the account and stored the bucket.
 */
const recordChange = async (tx: Tx, change: BucketChange, clock: Clock): Promise<void> => {
  const { userId, source, version } = change.after;
  await raiseBucketVersion(tx, userId);
  const now = clock();
  const added = addedBy(change, now);
  if (added === 0) return;
  const reason = balanceReasonOf(change, added);
  const operationId = internalOperationId(`${reason}:${source}:${version}`);
  await insertBalanceEntry(tx, { userId, operationId, added, reason, createdAt: now });
  const { plan, others } = await findCurrentBuckets(tx, userId, now);
  const { bucketId, kind, endsAt } = dataOf(change.after);
  const data = { bucketId, kind, endsAt, added, available: sumAvailable([plan, ...others], now) };
  await emit(tx, balanceChanged, { subject: userId, data, clock });
};

type GrantKey = { userId: string; grantId: string };
type By = { caller: Caller; clock: Clock };

/** The end of the last day, in UTC. Throws `request.invalid` for a day that is over or too far away. */
const endOf = (lastDay: string, now: Date): Date => {
  const end = new Date(Date.parse(lastDay) + days(1));
  const message =
    end <= now
      ? 'Please choose today or a later day'
      : `Please choose a day within ${CREDIT_GRANT_DAYS_MAX} days`;
  const isTooFar = end.getTime() > now.getTime() + days(CREDIT_GRANT_DAYS_MAX + 1);
  if (end <= now || isTooFar) throw createFieldError('request.invalid', 'lastDay', { message });
  return end;
};

/** What the audit log says of a grant. */
const stateOf = ({ source, credits, used, endsAt, reason }: NewBucket): object => ({
  grant: source,
  credits,
  used,
  endsAt: endsAt?.toISOString() ?? null,
  reason,
});

const isSame = (stored: NewBucket, grant: NewBucket): boolean =>
  stored.kind === 'grant' &&
  stored.credits === grant.credits &&
  stored.reason === grant.reason &&
  stored.endsAt?.getTime() === grant.endsAt?.getTime();

/** The grant of an earlier request. Throws `credits.grant_changed` when that was another one. */
const repeatGrant = async (tx: Tx, grant: NewBucket): Promise<NewBucket> => {
  const stored = await findBucket(tx, grant.userId, grant.source);
  if (stored === null || !isSame(stored, grant)) throw createError('credits.grant_changed');
  return stored;
};

/**
 * Gives a user credits that end after `lastDay`, once for each grant id. Throws `credits.user_not_found` for a deleted user, and
 * `credits.grant_changed` for an id that was used for a different grant.
 */
export const grantCredits = async (
  tx: Tx,
  { userId, grantId, credits, lastDay, reason }: GrantKey & CreditGrantInput,
  { caller, clock }: By,
): Promise<BucketRecord> => {
  const now = clock();
  const endsAt = endOf(lastDay, now);
  await lockAccount(tx, userId);
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  const given = { credits, startsAt: now, endsAt, reason, grantedBy: caller.userId ?? null };
  const grant = newBucket({ userId, kind: 'grant', source: grantId, ...given });
  if (!(await insertBucketIfAbsent(tx, grant))) return recordOf(await repeatGrant(tx, grant), now);
  await recordChange(tx, { before: null, after: grant }, clock);
  await emit(tx, creditsGranted, { subject: userId, data: dataOf(grant), clock });
  const after = stateOf(grant);
  await recordAdminChange(tx, { action: 'credits.grant', targetId: userId, after, caller, clock });
  return recordOf(grant, now);
};

/**
 * Takes back what is left of a grant; what was charged of it stays charged. A grant that was revoked before or has ended stays as it is. Throws
 * `credits.grant_not_found`.
 */
export const revokeCredits = async (
  tx: Tx,
  { userId, grantId }: GrantKey,
  { caller, clock }: By,
): Promise<BucketRecord> => {
  const grant = (await lockExistingAccount(tx, userId)) ? await findBucket(tx, userId, grantId) : null;
  if (grant?.kind !== 'grant') throw createError('credits.grant_not_found');
  const record = recordOf(grant, clock());
  if (record.isOver) return record;
  const revoked = { ...grant, usable: 0 };
  await updateUsable(tx, revoked);
  await recordChange(tx, { before: grant, after: revoked }, clock);
  await emit(tx, creditBucketChanged, { subject: userId, data: dataOf(revoked), clock });
  const change = {
    before: stateOf(grant),
    after: { ...stateOf(grant), takenBack: grant.credits - grant.used },
  };
  await recordAdminChange(tx, { action: 'credits.revoke', targetId: userId, ...change, caller, clock });
  return recordOf(revoked, clock());
};

const bucketOf = (userId: string, pack: CreditPackChanged): NewBucket =>
  newBucket({
    userId,
    kind: 'pack',
    source: pack.packId,
    credits: pack.credits,
    usable: pack.paidCredits,
    startsAt: new Date(pack.paidAt),
    version: pack.version,
  });

/** Returns null for a state that is not newer. Throws for an id that a grant has: the event is dead-lettered, not lost. */
const storePack = async (tx: Tx, pack: NewBucket): Promise<BucketChange | null> => {
  if (await insertBucketIfAbsent(tx, pack)) return { before: null, after: pack };
  const before = await findBucket(tx, pack.userId, pack.source);
  if (before?.kind !== 'pack') throw new Error(`pack ${pack.source} has the id of a grant`);
  if (!(await updateOlderPack(tx, pack))) return null;
  return { before, after: { ...before, usable: pack.usable, version: pack.version } };
};

/**
 * Stores how many credits of a pack are paid for. States arrive in any order: an older version changes nothing, and one of a deleted user
 * creates nothing. What was charged stays charged, so a refund takes back what is left.
 */
export const applyPack = async (
  tx: Tx,
  userId: string,
  pack: CreditPackChanged,
  clock: Clock,
): Promise<void> => {
  await lockAccount(tx, userId);
  if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);
  const change = await storePack(tx, bucketOf(userId, pack));
  if (change === null) return;
  await recordChange(tx, change, clock);
  await emit(tx, creditBucketChanged, { subject: userId, data: dataOf(change.after), clock });
};

export const onPackChanged =
  (clock: Clock) =>
  (tx: Tx, { subject, data }: CloudEvent<CreditPackChanged>): Promise<void> =>
    applyPack(tx, subject, data, clock);
