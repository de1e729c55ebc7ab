import type { NewAccount } from '@shortlist/contracts/api/identity';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { recordAction, recordChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import { uuidv7 } from 'uuidv7';
import type { NewAccountRow } from './account.entity.ts';
import { givesWay } from './gives-way.rules.ts';
import { findAccountOfAnyRole, insertAccount } from './queries.ts';
import type { ProfileOfSignUp } from '../registrations/registration.entity.ts';
import { requestRegistration } from '../registrations/request-registration.ts';
import { takeEmail } from './take-email.ts';

type By = { caller: Caller; clock: Clock };
type Registration = By & { account: NewAccount; passwordHash: string };
type SignUp = { profile: ProfileOfSignUp; passwordHash: string; termsVersion: string | null };

/** The row of a new user. `emailVerifiedAt`, `ownedSince`: null until the user confirms the address, and proves to read its mail. */
export const newUser = (
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
  adminVersion: 0,
  suspendedAt: null,
  emailVerifiedAt,
  ownedSince,
});

/** The user's consent is in the audit log too, where an admin finds it. */
const recordConsent = async (tx: Tx, { id, termsVersion }: NewAccountRow, clock: Clock): Promise<void> => {
  if (termsVersion === null) return;
  const consent = { action: 'terms.accept', targetId: id, before: null, after: { termsVersion } };
  await recordAction(tx, { ...consent, actorId: id, address: '', clock });
};

/** Emits and records a new account. */
export const announceUser = async (
  tx: Tx,
  { row, profile }: { row: NewAccountRow; profile: ProfileOfSignUp },
  { caller, clock }: By,
): Promise<void> => {
  const data = { ...profile, createdAt: row.createdAt.toISOString() };
  await emit(tx, userRegistered, { subject: row.id, data, clock });
  await recordChange(tx, {
    action: 'account.create',
    targetId: row.id,
    before: null,
    after: profile,
    caller,
    clock,
  });
  await recordConsent(tx, row, clock);
};

export type Registered = { row: NewAccountRow; isPending: boolean };

/**
 * Creates an account. Throws `identity.email_taken`; the unique key on the address decides between concurrent sign-ups. A sign-up with the
 * address of an account that has not confirmed it is pending, whichever of the two is its owner's: the first to confirm gets the address.
 */
export const registerAccount = async (
  tx: Tx,
  { account, passwordHash, caller, clock }: Registration,
): Promise<Registered> => {
  const { password: _, termsVersion = null, ...profile } = account;
  const isAdmin = caller.role === 'admin';
  const now = clock();
  const signUp = { profile, passwordHash, termsVersion };
  // An admin vouches for the address and its owner.
  const proved = isAdmin ? now : null;
  const row = newUser(signUp, { now, emailVerifiedAt: proved, ownedSince: proved });
  const holder = await findAccountOfAnyRole(tx, row.email);
  if (holder !== null && givesWay(holder) && !isAdmin) {
    await requestRegistration(tx, { ...signUp, id: row.id, clock });
    return { row, isPending: true };
  }
  await takeEmail(tx, row, { now, store: () => insertAccount(tx, row) });
  await announceUser(tx, { row, profile }, { caller, clock });
  return { row, isPending: false };
};
