import { isDeepStrictEqual } from 'node:util';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { BucketRecord, CreditGrantInput } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import type { CreditPackChanged } from '@shortlist/contracts/events/billing';
import { balanceChanged, creditBucketChanged, creditsGranted } from '@shortlist/contracts/events/credits';
import { CREDIT_GRANT_DAYS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { lockAccount, lockExistingAccount, raiseBucketVersion } from '../accounts/queries.ts';
import {
  availableIn,
  balanceReasonOf,
  dataOf,
  type NewBucket,
  newBucket,
  sumAvailable,
} from '../buckets/bucket.rules.ts';
import { findBucket, findCurrentBuckets, insertBuckets, updateBucket } from '../buckets/queries.ts';
import { insertLedgerEntry, internalOperationId, OF_NO_CHARGE } from '../ledger/queries.ts';
import { recordOf } from './present.ts';

/** Makes charges see a new or changed bucket, records its effect on the balance, and emits its events. The caller has locked the account. */
const recordChange = async (
  tx: Tx,
  before: NewBucket | null,
  after: NewBucket,
  clock: Clock,
): Promise<void> => {
  const { userId, source, version } = after;
  await raiseBucketVersion(tx, userId);
  const now = clock();
  const added = availableIn(after, now) - (before === null ? 0 : availableIn(before, now));
  const data = dataOf(after);
  if (added !== 0) {
    const reason = balanceReasonOf(after.kind, added, before === null);
    const operationId = internalOperationId(`${reason}:${source}:${version}`);
    const requestedAmount = Math.abs(added);
    const entry = { ...OF_NO_CHARGE, userId, operationId, added, requestedAmount, reason, createdAt: now };
    await insertLedgerEntry(tx, entry);
    const { plan, others } = await findCurrentBuckets(tx, userId, now);
    const { bucketId, kind, endsAt } = data;
    const balance = { bucketId, kind, endsAt, added, available: sumAvailable([plan, ...others], now) };
    await emit(tx, balanceChanged, { subject: userId, data: balance, clock });
  }
  const isGranted = before === null && after.kind === 'grant';
  await emit(tx, isGranted ? creditsGranted : creditBucketChanged, { subject: userId, data, clock });
};

type GrantKey = { userId: string; grantId: string };
type By = { caller: Caller; clock: Clock };

const endOf = (lastDay: string, now: Date): Date => {
  const refuse = (message: string) => createFieldError('request.invalid', 'lastDay', { message });
  const end = new Date(Date.parse(lastDay) + days(1));
  if (end <= now) throw refuse('Please choose today or a later day');
  if (end.getTime() > now.getTime() + days(CREDIT_GRANT_DAYS_MAX + 1))
    throw refuse(`Please choose a day within ${CREDIT_GRANT_DAYS_MAX} days`);
  return end;
};

const termsOf = ({ kind, credits, reason, endsAt }: NewBucket) => ({ kind, credits, reason, endsAt });

/** For the audit log. */
const stateOf = (grant: NewBucket): object => {
  const { bucketId, credits, used, endsAt } = dataOf(grant);
  return { grant: bucketId, credits, used, endsAt, reason: grant.reason };
};

/** Gives a user credits that end after `lastDay` in UTC, once for each grant id. */
export const grantCredits = async (
  tx: Tx,
  { userId, grantId, lastDay, ...terms }: GrantKey & CreditGrantInput,
  { caller, clock }: By,
): Promise<BucketRecord> => {
  const now = clock();
  const endsAt = endOf(lastDay, now);
  if (!(await lockAccount(tx, userId))) throw createError('credits.user_not_found');
  const grantedBy = caller.userId ?? null;
  const given = { kind: 'grant', source: grantId, startsAt: now, endsAt, grantedBy } as const;
  const grant = newBucket({ userId, ...given, ...terms });
  if ((await insertBuckets(tx, grant)) === 0) {
    const stored = await findBucket(tx, userId, grantId);
    if (!stored || !isDeepStrictEqual(termsOf(stored), termsOf(grant)))
      throw createError('credits.grant_changed');
    return recordOf(stored, now);
  }
  await recordChange(tx, null, grant, clock);
  const after = stateOf(grant);
  await recordAdminChange(tx, { action: 'credits.grant', targetId: userId, after, caller, clock });
  return recordOf(grant, now);
};

/** Takes back what is left of a grant, unless it was revoked before or has ended; what was charged of it stays charged. */
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
  await updateBucket(tx, grant, { usable: 0 });
  await recordChange(tx, grant, revoked, clock);
  const before = stateOf(grant);
  const after = { ...before, takenBack: grant.credits - grant.used };
  await recordAdminChange(tx, { action: 'credits.revoke', targetId: userId, before, after, caller, clock });
  return recordOf(revoked, clock());
};

/**
 * Stores how many credits of a pack are paid for. States arrive in any order: an older version changes nothing. Throws if a grant has the id,
 * so that the event is dead-lettered, not lost.
 */
export const applyPack = async (
  tx: Tx,
  userId: string,
  { packId: source, credits, paidCredits: usable, paidAt, version }: CreditPackChanged,
  clock: Clock,
): Promise<void> => {
  if (!(await lockAccount(tx, userId))) return;
  const startsAt = new Date(paidAt);
  const pack = newBucket({ userId, kind: 'pack', source, credits, usable, startsAt, version });
  const isNew = (await insertBuckets(tx, pack)) === 1;
  const before = isNew ? null : await findBucket(tx, userId, source);
  if (!isNew && before?.kind !== 'pack') throw new Error(`pack ${source} has the id of a grant`);
  if (before !== null && before.version >= version) return;
  if (before !== null) await updateBucket(tx, before, { usable, version });
  const after = before === null ? pack : { ...before, usable, version };
  await recordChange(tx, before, after, clock);
};
