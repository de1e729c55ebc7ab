import { hours } from '@shortlist/contracts/durations';
import {
  emailChangeRequested,
  emailChangeStarted,
  takenEmailRequested,
} from '@shortlist/contracts/events/identity';
import { EMAIL_CHANGE_HOURS } from '@shortlist/contracts/limits';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import {
  type EmailChangeRow,
  endOpenChanges,
  findOpenChange,
  insertChange,
} from '../accounts/email-change-queries.ts';
import { endTokens, moveTokens } from '../accounts/mailed-token-queries.ts';
import { findAccountOfAnyRole, lockAccount } from '../accounts/queries.ts';
import { givesWay } from '../accounts/take-email.ts';

type Change = Pick<EmailChangeRow, 'id' | 'accountId' | 'newEmail'>;

/**
 * Causes the mail to the new address. The owner of an address that has an account is notified instead, with the same work, so that
 * the response and its time do not show which addresses have accounts.
 */
const causeMail = async (tx: Tx, { id, accountId, newEmail }: Change, clock: Clock): Promise<void> => {
  const owner = await findAccountOfAnyRole(tx, newEmail);
  if (owner === null || givesWay(owner))
    await emit(tx, emailChangeRequested, { subject: accountId, data: { changeId: id }, clock });
  else await emit(tx, takenEmailRequested, { subject: owner.id, data: {}, clock });
};

const endRequest = async (tx: Tx, accountId: string, now: Date): Promise<void> => {
  // The row before the token: a token that is being issued for it locks the row, so that it is ended here as well.
  await endOpenChanges(tx, accountId, now);
  await endTokens(tx, { accountId, purpose: 'email_change' }, now);
};

/** Stores the request, which replaces an open one. The address of the account stays until the new one is confirmed. */
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
  const replaced = await findOpenChange(tx, accountId, now);
  await endRequest(tx, accountId, now);
  const change = {
    id: uuidv7(),
    accountId,
    oldEmail: account.email,
    newEmail: email,
    requestedAt: now,
    // Compared with the times of factors that other processes have added.
    firstRequestedAt: replaced?.firstRequestedAt ?? (await sharedClock(tx)),
    expiresAt: new Date(now.getTime() + hours(EMAIL_CHANGE_HOURS)),
    confirmedAt: null,
    undoUntil: null,
    ownedBefore: account.ownedSince,
    endedAt: null,
  };
  await insertChange(tx, change);
  // A link that ends the replaced request ends this one: another request must not make the mails about the first one useless.
  if (replaced !== null)
    await moveTokens(tx, { accountId, purpose: 'email_undo', reference: replaced.id }, change.id);
  await causeMail(tx, change, clock);
  // An address that was never confirmed may be that of another person, who must not get the account by the link of this mail.
  if (account.emailVerifiedAt !== null)
    await emit(tx, emailChangeStarted, { subject: accountId, data: { changeId: change.id }, clock });
};

/** Causes another mail about the open request; does nothing without one. */
export const resendEmailChange = async (
  tx: Tx,
  { id, clock }: { id: string; clock: Clock },
): Promise<void> => {
  const change = await findOpenChange(tx, id, clock());
  if (change !== null) await causeMail(tx, change, clock);
};

export const cancelEmailChange = (tx: Tx, { id, clock }: { id: string; clock: Clock }): Promise<void> =>
  endRequest(tx, id, clock());
