import { actorOf, recordAction, redactEntries } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { SubscriptionChoice } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import {
  confirmationReminded,
  deletionApproaching,
  deletionCancelled,
  deletionRequested,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import {
  DELETION_DAYS,
  DELETION_REMINDER_DAYS,
  UNCONFIRMED_REMINDER_DAYS,
} from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import {
  type DeletionRow,
  findDeletion,
  insertDeletion,
  listUnremindedDeletions,
  lockDueDeletion,
  lockGivenUp,
  markConfirmationReminded,
  markDeletionReminded,
  removeDeletion,
} from './deletion-queries.ts';
import { beginGeneration } from './end-right.ts';
import { type AccountRow, deleteUser, lockAccount } from './queries.ts';

/** The caller of a deletion that neither the user nor an admin caused. */
export const PRODUCT: Caller = { role: 'service', userId: SYSTEM_ACTOR_ID };

/** The tables with rows about an account but no foreign key to it. Rows of other tables are deleted with the account. */
const WITHOUT_KEY = ['mailed_tokens', 'sign_ins'] as const;

/** Deletes the rows about an account that no foreign key deletes. */
export const deleteTraces = async (tx: Tx, id: string): Promise<void> => {
  for (const table of WITHOUT_KEY)
    await change(tx, { sql: `DELETE FROM ${table} WHERE account_id = ?`, values: [id] });
};

/** Deletes a user's account, which frees its email. Other services delete their data when they consume UserDeleted. */
export const eraseUser = async (
  tx: Tx,
  { id, jobId, caller, clock }: { id: string; jobId?: string; caller: Caller; clock: Clock },
): Promise<{ generation: number }> => {
  const generation = await beginGeneration(tx, id, clock);
  if (!(await deleteUser(tx, id))) throw createError('identity.user_not_found');
  const data = { by: caller.userId ?? 'admin', generation };
  await emit(tx, userDeleted, { subject: id, data, clock });
  await deleteTraces(tx, id);
  await redactEntries(tx, id);
  const isAdmin = caller.role === 'admin';
  await recordAction(tx, {
    action: 'account.delete',
    targetId: id,
    after: jobId === undefined ? null : { job: jobId },
    clock,
    actorId: isAdmin ? (caller.userId ?? '') : SYSTEM_ACTOR_ID,
    address: isAdmin ? (caller.address ?? '') : '',
  });
  return { generation };
};

/**
 * Deletes a user again whom a restore has brought back. Of a user whom the restored database does not know the event is emitted again: another
 * database may know the user, and the topics may have lost the event before it was consumed.
 */
export const repeatDeletion = async (tx: Tx, { id, clock }: { id: string; clock: Clock }): Promise<void> => {
  const account = await lockAccount(tx, id);
  if (account?.role === 'user') await eraseUser(tx, { id, caller: PRODUCT, clock });
  if (account !== null) return;
  const data = { by: SYSTEM_ACTOR_ID, generation: nextVersion(0, clock()) };
  await emit(tx, userDeleted, { subject: id, data, clock });
};

const MAX_DAYS = 400;

/**
 * A requested deletion is due DELETION_DAYS after the request, but not before the end of a paid period that the user wants to keep. The end of
 * a period postpones it by MAX_DAYS at most.
 */
export const dueAtOf = (requestedAt: Date, keepUntil: Date | null): Date => {
  const after = (count: number): number => requestedAt.getTime() + days(count);
  const wanted = Math.max(after(DELETION_DAYS), keepUntil?.getTime() ?? 0);
  return new Date(Math.min(wanted, after(MAX_DAYS)));
};

type Request = {
  id: string;
  /** The account's email as typed by the user. */
  email: string;
  keepUntil: Date | null;
  subscription: SubscriptionChoice;
  reason: string;
  caller: Caller;
  clock: Clock;
};

const lockOwnAccount = async (tx: Tx, { id, email }: Request): Promise<AccountRow> => {
  const account = await lockAccount(tx, id);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
  if (account.email === email) return account;
  throw createFieldError('identity.email_mismatch', 'email');
};

/** Schedules the deletion of an account and ends its sessions. A repeated request returns the first. */
export const requestDeletion = async (
  tx: Tx,
  request: Request,
): Promise<{ deletion: DeletionRow; generation: number }> => {
  const { id: accountId, keepUntil, subscription, reason, caller, clock } = request;
  const account = await lockOwnAccount(tx, request);
  const existing = await findDeletion(tx, accountId);
  if (existing !== null) return { deletion: existing, generation: account.generation };
  const requestedAt = clock();
  const dueAt = dueAtOf(requestedAt, keepUntil);
  const deletion = { id: uuidv7(), accountId, requestedAt, dueAt, remindedAt: null };
  await insertDeletion(tx, deletion);
  const generation = await beginGeneration(tx, accountId, clock);
  const data = { deletionId: deletion.id, dueAt: dueAt.toISOString(), generation };
  await emit(tx, deletionRequested, { subject: accountId, data, clock });
  await recordAction(tx, {
    action: 'account.request_deletion',
    targetId: accountId,
    clock,
    after: { dueAt: data.dueAt, subscription, reason },
    ...actorOf(caller, accountId),
  });
  return { deletion, generation };
};

/** Keeps an account. Returns whether a deletion was requested; throws `identity.deletion_due` once it has begun. */
export const cancelDeletion = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<boolean> => {
  const deletion = await findDeletion(tx, id);
  if (deletion === null) return false;
  if (!(await removeDeletion(tx, id, clock()))) throw createError('identity.deletion_due');
  await emit(tx, deletionCancelled, { subject: id, data: { deletionId: deletion.id }, clock });
  await recordAction(tx, {
    action: 'account.keep',
    targetId: id,
    clock,
    ...actorOf(caller, id),
  });
  return true;
};

/** Deletes an account whose deletion is due. Returns false if it was already deleted or is kept. */
export const eraseDueUser = (
  db: Db,
  { deletionId, clock }: { deletionId: string; clock: Clock },
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const deletion = await lockDueDeletion(tx, deletionId, clock());
    if (deletion === null) return false;
    // The user requested it.
    const caller: Caller = { role: 'user', userId: deletion.accountId };
    await eraseUser(tx, { id: deletion.accountId, caller, clock });
    return true;
  });

const CHUNK = 100;

/** Causes the reminders of deletions that are due soon, once each; if there are many, the next run continues. */
export const remindDeletions = async (db: Db, clock: Clock): Promise<void> => {
  const before = new Date(clock().getTime() + days(DELETION_REMINDER_DAYS));
  const due = await listUnremindedDeletions(db.manager, before, CHUNK);
  for (const { id, accountId, dueAt } of due)
    await inTransaction(db, async (tx) => {
      if (!(await markDeletionReminded(tx, id, clock()))) return;
      const data = { deletionId: id, dueAt: dueAt.toISOString() };
      await emit(tx, deletionApproaching, { subject: accountId, data, clock });
    });
};

/** Causes the reminder to confirm an email, once per account. */
export const remindUser = async (
  tx: Tx,
  { userId, clock }: { userId: string; clock: Clock },
): Promise<void> => {
  const now = clock();
  if (!(await markConfirmationReminded(tx, userId, now))) return;
  const dueAt = new Date(now.getTime() + days(UNCONFIRMED_REMINDER_DAYS)).toISOString();
  await emit(tx, confirmationReminded, { subject: userId, data: { dueAt }, clock });
};

/** Deletes an account whose email was never confirmed. Returns false if it has been confirmed, kept or deleted in the meantime. */
export const giveUpAccount = async (
  tx: Tx,
  { userId: id, clock }: { userId: string; clock: Clock },
): Promise<boolean> => {
  if ((await lockGivenUp(tx, id, clock())) === null) return false;
  await eraseUser(tx, { id, caller: PRODUCT, clock });
  return true;
};
