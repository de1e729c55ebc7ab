import { recordAction, recordAdminChange } from '@shortlist/audit/audit-log';
import type { NewAccount, RegisteredUser } from '@shortlist/contracts/api/authentication';
import { hours } from '@shortlist/contracts/durations';
import {
  emailVerificationRequested,
  emailVerified,
  registrationRequested,
  userRegistered,
} from '@shortlist/contracts/events/identity';
import { VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { type CodeKeys, endTokens, isRightCode, useToken } from './mailed-token-queries.ts';
import {
  type AccountRow,
  deleteRegistrations,
  findAccount,
  findAccountOfAnyRole,
  findRegistration,
  insertAccount,
  insertRegistration,
  lockAccount,
  markEmailVerified,
  markOwned,
  type NewAccountRow,
  type ProfileOfSignUp,
  type RegistrationRow,
} from './queries.ts';
import { releasesEmail, takeEmail, takeProvenEmail } from './take-email.ts';

type Request = Pick<RegistrationRow, 'id' | 'passwordHash' | 'termsVersion' | 'profile'> & { clock: Clock };

/**
 * Stores a sign-up until its email is confirmed, and causes the email for that. Leaves out the picture, which is deleted because no profile has
 * it.
 */
const requestRegistration = async (tx: Tx, { clock, profile, ...signUp }: Request): Promise<void> => {
  const createdAt = clock();
  await insertRegistration(tx, {
    ...signUp,
    email: profile.email,
    profile: { ...profile, picture: null },
    createdAt,
    expiresAt: new Date(createdAt.getTime() + hours(VERIFICATION_HOURS)),
  });
  await emit(tx, registrationRequested, { subject: signUp.id, data: {}, clock });
};

type By = { caller: Caller; clock: Clock };
type Registration = By & { account: NewAccount; passwordHash: string };
type SignUp = { profile: ProfileOfSignUp; passwordHash: string; termsVersion: string | null };

/** The row of a new user. `emailVerifiedAt`, `ownedSince`: null until the user confirms the email, and proves to read the mailbox. */
const newUser = (
  { profile, passwordHash, termsVersion }: SignUp,
  { now, emailVerifiedAt, ownedSince }: { now: Date } & Pick<NewAccountRow, 'emailVerifiedAt' | 'ownedSince'>,
): NewAccountRow => ({
  id: uuidv7(),
  email: profile.email,
  passwordHash,
  role: 'user',
  createdAt: now,
  termsVersion,
  termsAcceptedAt: termsVersion === null ? null : now,
  adminRole: null,
  adminName: null,
  adminVersion: 0,
  suspendedAt: null,
  emailVerifiedAt,
  ownedSince,
});

/** Records the user's consent in the audit log too, for admins. */
const recordConsent = async (tx: Tx, { id, termsVersion }: NewAccountRow, clock: Clock): Promise<void> => {
  if (termsVersion === null) return;
  const consent = { action: 'terms.accept', targetId: id, after: { termsVersion } } as const;
  await recordAction(tx, { ...consent, actorId: id, address: '', clock });
};

/** Emits and records a new account. */
const announceUser = async (
  tx: Tx,
  { row, profile }: { row: NewAccountRow; profile: ProfileOfSignUp },
  { caller, clock }: By,
): Promise<void> => {
  const data = { ...profile, createdAt: row.createdAt.toISOString() };
  await emit(tx, userRegistered, { subject: row.id, data, clock });
  await recordAdminChange(tx, {
    action: 'account.create',
    targetId: row.id,
    after: profile,
    caller,
    clock,
  });
  await recordConsent(tx, row, clock);
};

type Registered = { row: NewAccountRow; isPending: boolean };

/**
 * Creates an account. Throws `identity.email_taken`; the unique key on the email decides between concurrent sign-ups. A sign-up with the email
 * of an unconfirmed account is pending: whichever of the two confirms first gets the email.
 */
export const registerAccount = async (
  tx: Tx,
  { account, passwordHash, caller, clock }: Registration,
): Promise<Registered> => {
  const { password: _, termsVersion = null, ...profile } = account;
  const isAdmin = caller.role === 'admin';
  const now = clock();
  const signUp = { profile, passwordHash, termsVersion };
  // An admin vouches for the email and its owner.
  const proved = isAdmin ? now : null;
  const row = newUser(signUp, { now, emailVerifiedAt: proved, ownedSince: proved });
  const holder = await findAccountOfAnyRole(tx, row.email);
  if (holder !== null && releasesEmail(holder) && !isAdmin) {
    await requestRegistration(tx, { ...signUp, id: row.id, clock });
    return { row, isPending: true };
  }
  await takeEmail(tx, row, { now, store: () => insertAccount(tx, row) });
  await announceUser(tx, { row, profile }, { caller, clock });
  return { row, isPending: false };
};

const ANONYMOUS: Caller = { role: 'anonymous', userId: null };

/**
 * Turns a registration into an account once its link has proved the email. Deletes an unconfirmed account with the email and its other
 * registrations. Throws `identity.link_ended`, and `identity.email_taken` if another was first.
 */
const completeRegistration = async (tx: Tx, id: string, clock: Clock): Promise<RegisteredUser> => {
  const now = clock();
  const registration = await findRegistration(tx, id, now);
  if (registration === null) throw createError('identity.link_ended');
  const { profile } = registration;
  // The reader of the email may not be the person who signed up.
  const row = newUser(registration, { now, emailVerifiedAt: now, ownedSince: null });
  await takeProvenEmail(tx, row, { clock, store: () => insertAccount(tx, row) });
  await announceUser(tx, { row, profile }, { caller: ANONYMOUS, clock });
  await deleteRegistrations(tx, row.email);
  return { ...profile, id: row.id, createdAt: row.createdAt.toISOString() };
};

const purpose = 'email_verify';

type Verified = { userId: string; email: string; registered?: RegisteredUser };

/** Confirms the email of an account. Returns whether it was unconfirmed before. */
export const confirmEmail = async (tx: Tx, id: string, clock: Clock): Promise<boolean> => {
  const isNew = await markEmailVerified(tx, id, clock());
  if (isNew) await emit(tx, emailVerified, { subject: id, data: {}, clock });
  return isNew;
};

const verify = async (tx: Tx, { id, email }: AccountRow, clock: Clock): Promise<Verified> => {
  await confirmEmail(tx, id, clock);
  return { userId: id, email };
};

/** Confirms the email of the token's account. Throws `identity.link_ended`. */
export const verifyEmail = async (
  tx: Tx,
  { token, caller, clock }: { token: string; caller: Caller; clock: Clock },
): Promise<Verified> => {
  const { accountId } = await useToken(tx, { token, purpose }, clock());
  // The lock waits for a concurrent deletion of the unconfirmed account, and then finds none.
  const account = await lockAccount(tx, accountId);
  if (account === null) {
    const registered = await completeRegistration(tx, accountId, clock);
    return { userId: registered.id, email: registered.email, registered };
  }
  // Without a session of the account, the reader of the email may not be the person who signed up.
  if (caller.userId === accountId) await markOwned(tx, accountId, clock());
  return verify(tx, account, clock);
};

/**
 * Confirms the email by a code. Throws `identity.email_code_wrong`; a wrong code is counted even though the request fails. Succeeds if the link
 * has confirmed the email in the meantime.
 */
export const verifyEmailCode = async (
  db: Db,
  { id, code, clock, keys }: { id: string; code: string; clock: Clock; keys: CodeKeys },
): Promise<Verified> => {
  const known = await findAccount(db.manager, id);
  if (known !== null && known.emailVerifiedAt !== null) return { userId: id, email: known.email };
  if (!(await isRightCode(db.manager, { accountId: id, purpose, code }, { now: clock(), keys }))) {
    throw createFieldError('identity.email_code_wrong', 'code');
  }
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, id);
    if (account === null) throw createError('identity.user_not_found');
    await endTokens(tx, { accountId: id, purpose }, clock());
    await markOwned(tx, id, clock());
    return verify(tx, account, clock);
  });
};

/** Causes another email with a link and a code, unless the address is already confirmed. */
export const requestVerification = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<void> => {
  const account = await findAccount(tx, id);
  if (account === null) throw createError('identity.user_not_found');
  if (account.emailVerifiedAt !== null) return;
  const { actorId, address = '' } = caller;
  await emit(tx, emailVerificationRequested, { subject: id, data: { by: actorId ?? id }, clock });
  if (actorId === undefined) return;
  const entry = { action: 'email.request_verification', targetId: id } as const;
  await recordAction(tx, { ...entry, actorId, address, clock });
};
