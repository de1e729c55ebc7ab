import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { BucketRecord, CreditGrantInput } from '@shortlist/contracts/api/credit-buckets';
import { days } from '@shortlist/contracts/durations';
import { creditBucketChanged, creditsGranted } from '@shortlist/contracts/events/credits';
import { CREDIT_GRANT_DAYS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { isDeleted, lockAccount, lockExistingAccount } from '../windows/queries.ts';
import { dataOf } from './bucket.rules.ts';
import { recordOf } from './present.ts';
import { type BucketRow, findBucket, insertBucketIfAbsent, updateUsable } from './queries.ts';
import { recordChange } from './record-change.ts';

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
const stateOf = ({ id, credits, used, endsAt, reason }: BucketRow): object => ({
  grant: id,
  credits,
  used,
  endsAt: endsAt?.toISOString() ?? null,
  reason,
});

const isSame = (stored: BucketRow, grant: BucketRow): boolean =>
  stored.kind === 'grant' &&
  stored.credits === grant.credits &&
  stored.reason === grant.reason &&
  stored.endsAt?.getTime() === grant.endsAt?.getTime();

/** The grant of an earlier request. Throws `credits.grant_changed` when that was another one. */
const repeatGrant = async (tx: Tx, grant: BucketRow): Promise<BucketRow> => {
  const stored = await findBucket(tx, grant.userId, grant.id);
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
  const grant: BucketRow = {
    userId,
    id: grantId,
    kind: 'grant',
    credits,
    usable: credits,
    used: 0,
    endsAt,
    version: 0,
    reason,
    grantedBy: caller.userId ?? null,
    createdAt: now,
  };
  if (!(await insertBucketIfAbsent(tx, grant))) return recordOf(await repeatGrant(tx, grant), now);
  await recordChange(tx, { before: null, after: grant }, clock);
  await emit(tx, creditsGranted, { subject: userId, data: dataOf(grant), clock });
  await recordAdminChange(tx, {
    action: 'credits.grant',
    targetId: userId,
    after: stateOf(grant),
    caller,
    clock,
  });
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
  const account = await lockExistingAccount(tx, userId);
  const grant = account && (await findBucket(tx, userId, grantId));
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
