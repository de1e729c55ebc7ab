import { passwordChanged } from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { emit } from '@shortlist/kit/outbox';
import { updatePasswordHash } from './queries.ts';

type Change = { id: string; passwordHash: string; by: string; clock: Clock };

export const changePassword = async (
  tx: Tx,
  { id, passwordHash, by, clock }: Change,
): Promise<{ at: string }> => {
  if (!(await updatePasswordHash(tx, id, passwordHash))) throw coded('identity.user_not_found');
  const { time } = await emit(tx, passwordChanged, { subject: id, data: { by }, clock });
  return { at: time };
};
