import { passwordChanged } from '@shortlist/contracts/events/identity';
import { noteChange } from '@shortlist/kit/audit';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { emit } from '@shortlist/kit/outbox';
import type { Caller } from '@shortlist/kit/service-token';
import { updatePasswordHash } from './queries.ts';

type Change = { id: string; passwordHash: string; caller: Caller; clock: Clock };

export const changePassword = async (
  tx: Tx,
  { id, passwordHash, caller, clock }: Change,
): Promise<{ at: string }> => {
  if (!(await updatePasswordHash(tx, id, passwordHash))) throw coded('identity.user_not_found');
  const { time } = await emit(tx, passwordChanged, { subject: id, data: { by: caller.userId ?? id }, clock });
  await noteChange(tx, {
    action: 'account.set_password',
    targetId: id,
    before: null,
    after: null,
    caller,
    clock,
  });
  return { at: time };
};
