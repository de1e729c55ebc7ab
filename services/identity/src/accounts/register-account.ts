import type { NewAccount } from '@shortlist/contracts/api/identity';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { recordAction, recordChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import { uuidv7 } from 'uuidv7';
import type { NewAccountRow } from './account.entity.ts';
import { insertAccount } from './queries.ts';
import { takeEmail } from './take-email.ts';

type Registration = { account: NewAccount; passwordHash: string; caller: Caller; clock: Clock };

/** The user's consent is in the audit log too, where an admin finds it. */
const recordConsent = async (tx: Tx, { id, termsVersion }: NewAccountRow, clock: Clock): Promise<void> => {
  if (termsVersion === null) return;
  const consent = { action: 'terms.accept', targetId: id, before: null, after: { termsVersion } };
  await recordAction(tx, { ...consent, actorId: id, address: '', clock });
};

/** Creates an account. Throws `identity.email_taken`; the unique key on the address decides between concurrent sign-ups. */
export const registerAccount = async (
  tx: Tx,
  { account, passwordHash, caller, clock }: Registration,
): Promise<NewAccountRow> => {
  const { password: _, termsVersion = null, ...profile } = account;
  const row: NewAccountRow = {
    id: uuidv7(),
    email: account.email,
    passwordHash,
    role: 'user',
    createdAt: clock(),
    termsVersion,
    termsAcceptedAt: termsVersion === null ? null : clock(),
    ...{ adminRole: null, adminVersion: 0, suspendedAt: null },
    // An admin vouches for the address.
    emailVerifiedAt: caller.role === 'admin' ? clock() : null,
    ownedSince: caller.role === 'admin' ? clock() : null,
  };
  await takeEmail(tx, row, { now: clock(), store: () => insertAccount(tx, row) });
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
  return row;
};
