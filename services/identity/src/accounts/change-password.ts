import { passwordChanged } from '@shortlist/contracts/events/identity';
import { noteChange } from '@shortlist/kit/audit';
import type { Clock } from '@shortlist/kit/clock';
import { databaseNow, type Tx } from '@shortlist/kit/db';
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
  // Sessions are held against this moment, wherever they were begun.
  const at = await databaseNow(tx);
  const data = { by: caller.userId ?? id };
  const { time } = await emit(tx, passwordChanged, { subject: id, data, clock: () => at });
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
