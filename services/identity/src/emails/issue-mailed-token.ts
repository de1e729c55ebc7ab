import type { IssuedToken, TokenOrder, TokenPurpose } from '@shortlist/contracts/api/identity';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import {
  EMAIL_CHANGE_HOURS,
  EMAIL_UNDO_DAYS,
  INVITATION_DAYS,
  RESET_MINUTES,
  VERIFICATION_HOURS,
} from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { lockOpenChange, lockUndoableChange } from '../accounts/email-change-queries.ts';
import { type CodeKeys, issueToken } from '../accounts/mailed-token-queries.ts';
import { type AccountRow, findAccount, findRegistration } from '../accounts/queries.ts';
import { isEmailFree } from '../accounts/take-email.ts';
import { findOpenInvitation } from '../team/queries.ts';

type Purpose = {
  lifetimeMs: number;
  hasCode?: boolean;
  /** The recipient; null if the email is no longer needed. */
  addressOf: (
    tx: Tx,
    account: AccountRow,
    about: { reference: string | null; now: Date },
  ) => Promise<string | null>;
};

type Order = Omit<TokenOrder, 'reference'> & { reference?: string | null };

const ownAddress: Purpose['addressOf'] = (_tx, { email }) => Promise.resolve(email);

/** The new address of an unconfirmed change, unless another account has it by now. */
const newAddress: Purpose['addressOf'] = async (tx, { id: accountId }, { reference, now }) => {
  const change = await lockOpenChange(tx, { id: reference ?? '', accountId }, now);
  if (change === null) return null;
  const { newEmail: email } = change;
  return (await isEmailFree(tx, { email, accountId }, now)) ? email : null;
};

/** The address that a change replaces or would replace, unless it was never confirmed. */
const oldAddress: Purpose['addressOf'] = async (
  tx,
  { id: accountId, emailVerifiedAt },
  { reference, now },
) => {
  if (emailVerifiedAt === null) return null;
  return (await lockUndoableChange(tx, { id: reference ?? '', accountId }, now))?.oldEmail ?? null;
};

const PURPOSES: Record<TokenPurpose, Purpose> = {
  email_verify: {
    lifetimeMs: hours(VERIFICATION_HOURS),
    hasCode: true,
    addressOf: (_tx, { email, emailVerifiedAt }) => Promise.resolve(emailVerifiedAt === null ? email : null),
  },
  password_reset: { lifetimeMs: minutes(RESET_MINUTES), addressOf: ownAddress },
  email_change: { lifetimeMs: hours(EMAIL_CHANGE_HOURS), hasCode: true, addressOf: newAddress },
  email_undo: { lifetimeMs: days(EMAIL_UNDO_DAYS), addressOf: oldAddress },
  admin_invite: { lifetimeMs: days(INVITATION_DAYS), addressOf: ownAddress },
};

/** Invitations and registrations have no account yet, so their own ids are used instead. */
const findAddress = async (
  tx: Tx,
  { purpose, userId, reference = null }: Order,
  now: Date,
): Promise<string | null> => {
  if (purpose === 'admin_invite') return (await findOpenInvitation(tx, userId, now))?.email ?? null;
  const account = await findAccount(tx, userId);
  if (account !== null) return PURPOSES[purpose].addressOf(tx, account, { reference, now });
  const registration = purpose === 'email_verify' ? await findRegistration(tx, userId, now) : null;
  return registration && registration.email;
};

/** Issues the token of an email. Throws `identity.user_not_found` if there is no account or no need to send it. */
export const issueMailedToken = async (
  tx: Tx,
  order: Order,
  { clock, keys }: { clock: Clock; keys: CodeKeys },
): Promise<IssuedToken> => {
  const { purpose, userId, reference = null } = order;
  const { lifetimeMs, hasCode = false } = PURPOSES[purpose];
  const now = clock();
  const email = await findAddress(tx, order, now);
  if (email === null) throw createError('identity.user_not_found');
  const secrets = await issueToken(tx, {
    accountId: userId,
    purpose,
    reference,
    lifetimeMs,
    codeKeys: hasCode ? keys : null,
    now,
  });
  return { ...secrets, email };
};
