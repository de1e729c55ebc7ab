import type { ChangedEmail } from '@shortlist/contracts/api/identity';
import { EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { lockAccount } from '../accounts/queries.ts';
import type { EmailChangeRow } from '../email-changes/email-change.entity.ts';
import { confirmChange, findOpenChange, lockOpenChange } from '../email-changes/queries.ts';
import { type CodeKeys, useToken } from '../tokens/mailed-tokens.ts';
import { isRightCode } from './is-right-code.ts';
import { setEmail } from './set-email.ts';

const purpose = 'email_change';
const DAY_MS = 86_400_000;

type Confirmation = Pick<EmailChangeRow, 'id' | 'accountId'> & {
  /** Whether a session of the account confirms: else the reader of the new address may be another person than the user. */
  isOwn: boolean;
  keptSessionId?: string;
  address: string;
  clock: Clock;
};

/**
 * An address that was never confirmed may be that of another person, who must not get the account by an undo: it is neither
 * reserved nor notified.
 */
const undoUntilOf = (emailVerifiedAt: Date | null, now: Date): Date | null =>
  emailVerifiedAt === null ? null : new Date(now.getTime() + EMAIL_UNDO_DAYS * DAY_MS);

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

/** Changes the address by the token of the mail. Throws `identity.link_ended`. */
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

/** Changes the address by the code of the mail. A wrong code is counted also when the request fails. */
export const confirmEmailChangeCode = async (
  db: Db,
  { id: accountId, code, keys, ...rest }: CodeConfirmation,
): Promise<ChangedEmail> => {
  const now = rest.clock();
  const change = await findOpenChange(db.manager, accountId, now);
  const isRight = await isRightCode(db.manager, { accountId, purpose, code }, { now, keys });
  if (change === null || !isRight) {
    const { message } = createError('identity.email_code_wrong');
    throw createError('identity.email_code_wrong', { fields: { code: message } });
  }
  return inTransaction(db, (tx) => confirm(tx, { id: change.id, accountId, isOwn: true, ...rest }));
};
