import type { UndoableEmail, UndoneEmail } from '@shortlist/contracts/api/email';
import { minutes } from '@shortlist/contracts/durations';
import { RESET_MINUTES } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type EmailChangeRow, endChangesFrom, lockUndoableChange } from '../accounts/email-change-queries.ts';
import { getToken, reuseToken, useToken } from '../accounts/mailed-token-queries.ts';
import { type AccountRow, lockAccount } from '../accounts/queries.ts';
import { revokeKeysSince } from '../api-keys/change-key.ts';
import { removeFactorsSince } from '../factors/change-factors.ts';
import { endConnectionsSince } from '../tools/change-connection.ts';
import { stopWebhooksSince } from '../webhooks/change-webhook.ts';
import { setEmail } from './change-email.ts';

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

/** The address that the link brings back, or keeps while the change is not confirmed. */
export const checkEmailUndo = async (
  tx: Tx,
  { token, clock }: { token: string; clock: Clock },
): Promise<UndoableEmail & { userId: string }> => {
  const { account, change } = await getUndoable(tx, token, clock);
  return { userId: account.id, email: change.oldEmail, isConfirmed: change.confirmedAt !== null };
};

/**
 * Brings the old address back, or keeps it where the change is still open. Later changes end with this one, and what was added to the
 * account since it was requested is removed, so that the person who made them keeps no way into the account; links of earlier changes
 * still work. The token then sets a new password, because another person may know the current one.
 */
export const undoEmailChange = async (
  tx: Tx,
  { token, address, clock }: { token: string; address: string; clock: Clock },
): Promise<UndoneEmail> => {
  const { account, change } = await getUndoable(tx, token, clock);
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
  const caller: Caller = { role: 'user', userId: account.id, address };
  const removal = { accountId: account.id, since: change.firstRequestedAt, caller, clock };
  const factors = await removeFactorsSince(tx, removal);
  const apiKeys = await revokeKeysSince(tx, removal);
  const connections = await endConnectionsSince(tx, removal);
  const webhooks = await stopWebhooksSince(tx, removal);
  await reuseToken(tx, { token, purpose: 'password_reset', lifetimeMs: minutes(RESET_MINUTES) }, clock());
  return { ...changed, removed: { ...factors, apiKeys, webhooks, connections } };
};
