import { recordAction } from '@shortlist/audit/audit-log';
import { emailVerificationRequested } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount } from '../accounts/queries.ts';

/** Causes another mail with a link and a code, unless the address is confirmed already. */
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
  const entry = { action: 'email.request_verification', targetId: id, before: null, after: null };
  await recordAction(tx, { ...entry, actorId, address, clock });
};
