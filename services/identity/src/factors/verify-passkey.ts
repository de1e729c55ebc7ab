import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { PasskeyCeremony } from '@shortlist/contracts/schemas/factors';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { verifyAssertion } from './passkey-ceremony.ts';
import { advanceCounter, findPasskeyByCredential } from './queries.ts';

type Use = {
  ceremony: PasskeyCeremony;
  /** The account that must own the passkey. */
  accountId: string;
  /** Whether the authenticator must have verified its user, by a PIN or a biometric. */
  requireUserVerification: boolean;
};

/** The account that a discoverable passkey names: registrations store its id as the user handle. */
export const userHandleOf = ({ response: { response } }: PasskeyCeremony): string =>
  Buffer.from(response.userHandle ?? '', 'base64url').toString();

/**
 * Verifies that a passkey of the account has signed the challenge. Throws `identity.passkey_refused`; a counter that has not grown
 * is recorded, because it is the sign of a copied authenticator.
 */
export const verifyPasskey = async (
  { db, clock }: { db: Db; clock: Clock },
  { ceremony, accountId, requireUserVerification }: Use,
): Promise<void> => {
  const passkey = await findPasskeyByCredential(db.manager, ceremony.response.id);
  if (passkey?.accountId !== accountId) throw createError('identity.passkey_refused');
  const signCount = await verifyAssertion({ ...ceremony, passkey, requireUserVerification });
  if (await advanceCounter(db.manager, passkey.id, { signCount, at: clock() })) return;
  const counters = { before: { signCount: passkey.signCount }, after: { signCount } };
  const entry = { action: 'factor.refuse_passkey', targetId: passkey.accountId, ...counters, clock };
  await inTransaction(db, (tx) => recordSystemChange(tx, entry));
  throw createError('identity.passkey_refused');
};
