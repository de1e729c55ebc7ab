import type { ChangedEmail } from '@shortlist/contracts/api/email-changes';
import { RESET_MINUTES } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { AccountRow } from '../accounts/account.entity.ts';
import { lockAccount } from '../accounts/queries.ts';
import type { EmailChangeRow } from '../email-changes/email-change.entity.ts';
import { endChangesFrom, lockUndoableChange } from '../email-changes/queries.ts';
import { getToken, reuseToken, useToken } from '../tokens/mailed-tokens.ts';
import { setEmail } from './set-email.ts';

const purpose = 'email_undo';

type Undoable = { account: AccountRow; change: EmailChangeRow };

/** The change of an open token. Throws `identity.link_ended`, also after an earlier change was undone. */
const getUndoable = async (tx: Tx, token: string, clock: Clock): Promise<Undoable> => {
  const { accountId, reference } = await getToken(tx, { token, purpose }, clock());
  const account = await lockAccount(tx, accountId);
  const change = await lockUndoableChange(tx, { id: reference ?? '', accountId }, clock());
  if (account === null || change === null) throw createError('identity.link_ended');
  return { account, change };
};

/** The address that the link brings back. */
export const checkEmailUndo = async (
  tx: Tx,
  { token, clock }: { token: string; clock: Clock },
): Promise<{ userId: string; email: string }> => {
  const { account, change } = await getUndoable(tx, token, clock);
  return { userId: account.id, email: change.oldEmail };
};

/**
 * Brings the old address back. Later changes end with this one, so that the person who made them keeps no way into the account; links of
 * earlier changes still work. The token then sets a new password, because another person may know the current one.
 */
export const undoEmailChange = async (
  tx: Tx,
  { token, address, clock }: { token: string; address: string; clock: Clock },
): Promise<ChangedEmail> => {
  const { account, change } = await getUndoable(tx, token, clock);
  await useToken(tx, { token, purpose }, clock());
  await endChangesFrom(tx, change, clock());
  const { oldEmail: email, id: changeId } = change;
  const changed = await setEmail(tx, account, {
    ...{ email, changeId, action: 'account.undo_email_change', address, clock },
  });
  await reuseToken(tx, { token, purpose: 'password_reset', minutes: RESET_MINUTES }, clock());
  return changed;
};
