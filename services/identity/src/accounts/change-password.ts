import { passwordChanged } from '@shortlist/contracts/events/identity';
import { recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { Clock } from '@shortlist/kit/process/clock';
import { databaseNow, type Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import { endTokens } from '../tokens/mailed-tokens.ts';
import { updatePasswordHash } from './queries.ts';

type Change = { id: string; passwordHash: string; caller: Caller; clock: Clock };

/** Stores a new password. The sessions that began before end, and the change is mailed and recorded. */
export const changePassword = async (
  tx: Tx,
  { id, passwordHash, caller, clock }: Change,
): Promise<{ at: string }> => {
  if (!(await updatePasswordHash(tx, id, passwordHash))) throw createError('identity.user_not_found');
  // bff compares the start of sessions with this time, so it is the database's and not this process's.
  const at = await databaseNow(tx);
  const data = { by: caller.userId ?? id };
  const { time } = await emit(tx, passwordChanged, { subject: id, data, clock: () => at });
  await endTokens(tx, { accountId: id, purpose: 'password_reset' }, at);
  const actor = { actorId: caller.userId ?? SYSTEM_ACTOR_ID, address: caller.address ?? '' };
  const change = { action: 'account.set_password', targetId: id, before: null, after: null };
  await recordAction(tx, { ...change, ...actor, clock });
  return { at: time };
};
