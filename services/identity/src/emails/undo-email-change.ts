import type { UndoableEmail, UndoneEmail } from '@shortlist/contracts/api/email';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { readAccess } from '../access/read-access.ts';
import { takeBack } from '../access/take-back.ts';
import { findDeletion } from '../accounts/deletion-queries.ts';
import { type EmailChangeRow, endChangesFrom, lockUndoableChange } from '../accounts/email-change-queries.ts';
import { getToken, useToken } from '../accounts/mailed-token-queries.ts';
import { type AccountRow, lockAccount } from '../accounts/queries.ts';
import { changePassword } from '../credentials/change-password.ts';
import { setEmail } from './change-email.ts';

const purpose = 'email_undo';

type Undoable = { account: AccountRow; change: EmailChangeRow };

/** The change of an open token. Throws `identity.link_ended`, including after the undo of an earlier change. */
const getUndoable = async (tx: Tx, token: string, clock: Clock): Promise<Undoable> => {
  const { accountId, reference } = await getToken(tx, { token, purpose }, clock());
  const account = await lockAccount(tx, accountId);
  const change = await lockUndoableChange(tx, { id: reference ?? '', accountId }, clock());
  if (account === null || change === null) throw createError('identity.link_ended');
  return { account, change };
};

/** The email that the link restores, or keeps if the change was not confirmed, and what ends with that. */
export const checkEmailUndo = async (
  tx: Tx,
  { token, clock }: { token: string; clock: Clock },
): Promise<UndoableEmail & { userId: string }> => {
  const { account, change } = await getUndoable(tx, token, clock);
  return {
    userId: account.id,
    email: change.oldEmail,
    isConfirmed: change.confirmedAt !== null,
    access: await readAccess(tx, account.id, clock()),
    deletion: (await findDeletion(tx, account.id)) !== null,
  };
};

type Undo = { token: string; passwordHash: string; address: string; clock: Clock };

/**
 * Takes the account back in one step, because another person may know the current password: restores the old email, or keeps it if the change
 * was not confirmed, sets a new password, and removes what the other person may have left. Later changes end with this one; links of earlier
 * changes still work.
 */
export const undoEmailChange = async (
  tx: Tx,
  { token, passwordHash, address, clock }: Undo,
): Promise<UndoneEmail> => {
  const { account, change } = await getUndoable(tx, token, clock);
  const { id } = account;
  await useToken(tx, { token, purpose }, clock());
  await endChangesFrom(tx, change, clock());
  const changed = await setEmail(tx, account, {
    email: change.oldEmail,
    ownedSince: change.ownedBefore,
    changeId: change.id,
    action: 'account.undo_email_change',
    address,
    clock,
  });
  const caller: Caller = { role: 'user', userId: id, address };
  // Another person created the account with this email, so none of its factors is the owner's.
  const factorsSince = change.ownedBefore === null ? new Date(0) : change.firstRequestedAt;
  const removed = await takeBack(tx, { accountId: id, factorsSince, caller, clock });
  const { generation } = await changePassword(tx, { id, passwordHash, caller, clock });
  return { ...changed, generation, removed };
};
