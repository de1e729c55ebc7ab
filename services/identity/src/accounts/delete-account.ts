import { userDeleted } from '@shortlist/contracts/events/identity';
import { recordAction, redactEntries } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import { deleteSignIns } from '../sign-ins/queries.ts';
import { deleteTokens } from '../tokens/queries.ts';
import { beginGeneration, deleteUser } from './queries.ts';

/** The caller of a deletion that neither the user nor an admin has caused. */
export const PRODUCT: Caller = { role: 'service', userId: SYSTEM_ACTOR_ID };

/** Deletes a user's account, which frees its address. Other services delete their data when they consume UserDeleted. */
export const deleteAccount = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<{ generation: number }> => {
  const generation = await beginGeneration(tx, id);
  if (!(await deleteUser(tx, id))) throw createError('identity.user_not_found');
  const data = { by: caller.userId ?? 'admin', generation };
  await emit(tx, userDeleted, { subject: id, data, clock });
  await deleteTokens(tx, id);
  await deleteSignIns(tx, id);
  await redactEntries(tx, id);
  const isAdmin = caller.role === 'admin';
  await recordAction(tx, {
    ...{ action: 'account.delete', targetId: id, before: null, after: null, clock },
    actorId: isAdmin ? (caller.userId ?? '') : SYSTEM_ACTOR_ID,
    address: isAdmin ? (caller.address ?? '') : '',
  });
  return { generation };
};
