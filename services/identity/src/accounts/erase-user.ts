import { recordAction, recordAdminChange, redactEntries } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { userDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { beginGeneration, deleteUser } from './queries.ts';
import { deleteSignIns } from './sign-in-queries.ts';
import { deleteTokens } from './mailed-token-queries.ts';

/** Ends all sessions of an account, which bff has, and records it when an admin does so. Returns the generation that begins. */
export const endSessions = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<{ generation: number }> => {
  const generation = await beginGeneration(tx, id);
  const change = { action: 'account.end_sessions', targetId: id } as const;
  await recordAdminChange(tx, { ...change, caller, clock });
  return { generation };
};

/** The caller of a deletion that neither the user nor an admin has caused. */
export const PRODUCT: Caller = { role: 'service', userId: SYSTEM_ACTOR_ID };

/** Deletes a user's account, which frees its address. Other services delete their data when they consume UserDeleted. */
export const eraseUser = async (
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
    action: 'account.delete',
    targetId: id,
    clock,
    actorId: isAdmin ? (caller.userId ?? '') : SYSTEM_ACTOR_ID,
    address: isAdmin ? (caller.address ?? '') : '',
  });
  return { generation };
};
