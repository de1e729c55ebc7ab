import { recordAction } from '@shortlist/audit/audit-log';
import type { ChangedEmail } from '@shortlist/contracts/api/identity';
import { emailChanged } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { AccountRow } from '../accounts/account.entity.ts';
import { beginGeneration, updateEmail } from '../accounts/queries.ts';
import { takeProvenEmail } from '../accounts/take-email.ts';
import { endTokens } from '../tokens/mailed-tokens.ts';

type NewEmail = {
  email: string;
  ownedSince: Date | null;
  keptSessionId?: string;
  /** The change that is confirmed or undone. */
  changeId: string;
  action: 'account.change_email' | 'account.undo_email_change';
  address: string;
  clock: Clock;
};

/** Links and codes that were sent to the address that the account has until now must not work for the next one. */
const OF_THE_ADDRESS = ['email_verify', 'email_change', 'password_reset'] as const;

/**
 * Stores the address of an account whose row the caller has locked. Everything that began before ends; the change is emitted and
 * recorded. Throws `identity.email_taken`.
 */
export const setEmail = async (
  tx: Tx,
  account: AccountRow,
  { email, ownedSince, keptSessionId = '', changeId, action, address, clock }: NewEmail,
): Promise<ChangedEmail> => {
  const { id } = account;
  const now = clock();
  const store = () => updateEmail(tx, id, { email, verifiedAt: now, ownedSince });
  await takeProvenEmail(tx, { id, email }, { clock, store });
  for (const purpose of OF_THE_ADDRESS) await endTokens(tx, { accountId: id, purpose }, now);
  const generation = await beginGeneration(tx, id);
  const version = account.emailVersion + 1;
  const data = { email, version, changeId, generation, keptSessionId };
  await emit(tx, emailChanged, { subject: id, data, clock });
  const states = { before: { email: account.email }, after: { email } };
  await recordAction(tx, { action, targetId: id, actorId: id, address, ...states, clock });
  return { userId: id, email, version, generation };
};
