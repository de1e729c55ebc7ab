import { recordAction } from '@shortlist/audit/audit-log';
import { deletionCancelled } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findDeletion, removeDeletion } from './queries.ts';

/** Keeps an account. Changes nothing when no deletion is requested; throws `identity.deletion_due` once it has begun. */
export const cancelDeletion = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<void> => {
  const deletion = await findDeletion(tx, id);
  if (deletion === null) return;
  if (!(await removeDeletion(tx, id, clock()))) throw createError('identity.deletion_due');
  await emit(tx, deletionCancelled, { subject: id, data: { deletionId: deletion.id }, clock });
  await recordAction(tx, {
    ...{ action: 'account.keep', targetId: id, before: null, after: null, clock },
    ...{ actorId: caller.userId ?? id, address: caller.address ?? '' },
  });
};
