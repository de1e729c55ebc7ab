import { userDeleted } from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { emit } from '@shortlist/kit/outbox';
import { deleteUser } from './queries.ts';

/** Frees the address at once; what others keep of the person goes when they hear of it. */
export const deleteAccount = async (
  tx: Tx,
  { id, by, clock }: { id: string; by: string; clock: Clock },
): Promise<{ at: string }> => {
  if (!(await deleteUser(tx, id))) throw coded('identity.user_not_found');
  const { time } = await emit(tx, userDeleted, { subject: id, data: { by }, clock });
  return { at: time };
};
