import { recordAction } from '@shortlist/audit/audit-log';
import type { ChangedEmail } from '@shortlist/contracts/api/email';
import { days, hours } from '@shortlist/contracts/durations';
import {
  emailChanged,
  emailChangeRequested,
  emailChangeStarted,
  takenEmailRequested,
} from '@shortlist/contracts/events/identity';
import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type SharedClock, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import {
  confirmChange,
  type EmailChangeRow,
  endOpenChanges,
  findOpenChange,
  findStoppableChange,
  insertChange,
  lockOpenChange,
} from '../accounts/email-change-queries.ts';
import { beginGeneration } from '../accounts/end-right.ts';
import { type CodeKeys, endTokens, isRightCode, useToken } from '../accounts/mailed-token-queries.ts';
import { type AccountRow, findAccountOfAnyRole, lockAccount, updateEmail } from '../accounts/queries.ts';
import { releasesEmail, takeProvenEmail } from '../accounts/take-email.ts';

type Change = Pick<EmailChangeRow, 'id' | 'accountId' | 'newEmail'>;

/**
 * Causes the email to the new address. If the address has an account, its owner is notified instead, with the same amount of work, so that the
 * response and its time do not reveal which addresses have accounts.
 */
const causeMail = async (tx: Tx, { id, accountId, newEmail }: Change, clock: Clock): Promise<void> => {
  const owner = await findAccountOfAnyRole(tx, newEmail);
  if (owner === null || releasesEmail(owner))
    await emit(tx, emailChangeRequested, { subject: accountId, data: { changeId: id }, clock });
  else await emit(tx, takenEmailRequested, { subject: owner.id, data: {}, clock });
};

const endRequest = async (tx: Tx, accountId: string, now: Date): Promise<void> => {
  // The row before the token: issuing a token for it locks the row, so that a concurrent token is ended here as well.
  await endOpenChanges(tx, accountId, now);
  await endTokens(tx, { accountId, purpose: 'email_change' }, now);
};

/** An unconfirmed address may belong to another person, who must not get the account by an undo: it is neither reserved nor notified. */
const undoUntilOf = (emailVerifiedAt: Date | null, now: Date): Date | null =>
  emailVerifiedAt === null ? null : new Date(now.getTime() + days(EMAIL_UNDO_DAYS));

/** Stores the request in place of an open one. The account keeps its address until the new one is confirmed. */
export const requestEmailChange = async (
  tx: Tx,
  {
    id: accountId,
    email,
    clock,
    sharedClock,
  }: { id: string; email: string; clock: Clock; sharedClock: SharedClock },
): Promise<void> => {
  const account = await lockAccount(tx, accountId);
  if (account === null) throw createError('identity.user_not_found');
  if (account.email === email) {
    throw createFieldError('identity.email_unchanged', 'email');
  }
  const now = clock();
  const former = await findStoppableChange(tx, account, now);
  await endRequest(tx, accountId, now);
  const change = {
    id: uuidv7(),
    accountId,
    oldEmail: account.email,
    newEmail: email,
    requestedAt: now,
    // The shared clock, because it is compared with times of factors that other processes added.
    firstRequestedAt: former?.firstRequestedAt ?? (await sharedClock(tx)),
    expiresAt: new Date(now.getTime() + hours(EMAIL_CHANGE_HOURS)),
    confirmedAt: null,
    undoUntil: undoUntilOf(account.emailVerifiedAt, now),
    ownedBefore: account.ownedSince,
    endedAt: null,
  };
  await insertChange(tx, change);
  await causeMail(tx, change, clock);
  // An unconfirmed address may belong to another person, who must not get the account by the link in this email.
  if (account.emailVerifiedAt !== null)
    await emit(tx, emailChangeStarted, { subject: accountId, data: { changeId: change.id }, clock });
};

/** Causes another email about the open request; does nothing without one. */
export const resendEmailChange = async (
  tx: Tx,
  { id, clock }: { id: string; clock: Clock },
): Promise<void> => {
  const change = await findOpenChange(tx, id, clock());
  if (change !== null) await causeMail(tx, change, clock);
};

export const cancelEmailChange = (tx: Tx, { id, clock }: { id: string; clock: Clock }): Promise<void> =>
  endRequest(tx, id, clock());

type NewEmail = {
  email: string;
  ownedSince: Date | null;
  keptSessionId?: string;
  /** The change that is confirmed or undone. */
  changeId: string;
  action: 'account.change_email' | 'account.undo_email_change';
  address: string;
  clock: Clock;
};

/** Links and codes that were sent to the old address must not work for the new one. */
const OF_THE_ADDRESS = ['email_verify', 'email_change', 'password_reset'] as const;

/**
 * Stores the new email of an account whose row the caller has locked. Ends everything that began before; emits and records the change. Throws
 * `identity.email_taken`.
 */
export const setEmail = async (
  tx: Tx,
  account: AccountRow,
  { email, ownedSince, keptSessionId = '', changeId, action, address, clock }: NewEmail,
): Promise<ChangedEmail> => {
  const { id } = account;
  const now = clock();
  const version = nextVersion(account.emailVersion, now);
  const stored = { email, emailVersion: version, emailVerifiedAt: now, ownedSince };
  const store = () => updateEmail(tx, id, stored);
  await takeProvenEmail(tx, { id, email }, { clock, store });
  for (const purpose of OF_THE_ADDRESS) await endTokens(tx, { accountId: id, purpose }, now);
  const generation = await beginGeneration(tx, id, clock);
  const data = { email, version, changeId, generation, keptSessionId };
  await emit(tx, emailChanged, { subject: id, data, clock });
  const states = { before: { email: account.email }, after: { email } };
  await recordAction(tx, { action, targetId: id, actorId: id, address, ...states, clock });
  return { userId: id, email, version, generation };
};

const purpose = 'email_change';

type Confirmation = Pick<EmailChangeRow, 'id' | 'accountId'> & {
  /** Whether a session of the account confirms; otherwise the reader of the new mailbox may not be the user. */
  isOwn: boolean;
  keptSessionId?: string;
  address: string;
  clock: Clock;
};

const confirm = async (
  tx: Tx,
  { id, accountId, isOwn, keptSessionId, address, clock }: Confirmation,
): Promise<ChangedEmail> => {
  const account = await lockAccount(tx, accountId);
  const change = await lockOpenChange(tx, { id, accountId }, clock());
  if (account === null || change === null) throw createError('identity.link_ended');
  const now = clock();
  const undoUntil = undoUntilOf(account.emailVerifiedAt, now);
  const { email: oldEmail, ownedSince: ownedBefore } = account;
  await confirmChange(tx, id, { oldEmail, confirmedAt: now, undoUntil, ownedBefore });
  return setEmail(tx, account, {
    email: change.newEmail,
    ownedSince: isOwn ? (ownedBefore ?? now) : null,
    ...(isOwn && keptSessionId !== undefined ? { keptSessionId } : {}),
    changeId: id,
    action: 'account.change_email',
    address,
    clock,
  });
};

type LinkConfirmation = { token: string; keptSessionId?: string; caller: Caller; clock: Clock };

/** Changes the email by an emailed token. Throws `identity.link_ended`. */
export const confirmEmailChange = async (
  tx: Tx,
  { token, keptSessionId, caller, clock }: LinkConfirmation,
): Promise<ChangedEmail> => {
  const { accountId, reference } = await useToken(tx, { token, purpose }, clock());
  const { userId, address = '' } = caller;
  return confirm(tx, {
    id: reference ?? '',
    accountId,
    isOwn: userId === accountId,
    address,
    clock,
    ...(keptSessionId === undefined ? {} : { keptSessionId }),
  });
};

type CodeConfirmation = {
  id: string;
  code: string;
  keptSessionId?: string;
  address: string;
  clock: Clock;
  keys: CodeKeys;
};

/** Changes the email by an emailed code. A wrong code is counted even though the request fails. */
export const confirmEmailChangeCode = async (
  db: Db,
  { id: accountId, code, keys, ...rest }: CodeConfirmation,
): Promise<ChangedEmail> => {
  const now = rest.clock();
  const change = await findOpenChange(db.manager, accountId, now);
  const isRight = await isRightCode(db.manager, { accountId, purpose, code }, { now, keys });
  if (change === null || !isRight) {
    throw createFieldError('identity.email_code_wrong', 'code');
  }
  return inTransaction(db, (tx) => confirm(tx, { id: change.id, accountId, isOwn: true, ...rest }));
};
