import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { Factor } from '@shortlist/contracts/api/factors';
import { factorAdded, factorRemoved } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { beginGeneration } from '../accounts/queries.ts';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';

type Change = { accountId: string; factor: Factor; caller: Caller; clock: Clock };

/** The operator's command acts as the product itself. */
const byWhom = (caller: Caller, accountId: string) =>
  actorOf(caller, caller.role === 'service' ? SYSTEM_ACTOR_ID : accountId);

const entryOf = ({ accountId, factor, caller, clock }: Change) => ({
  targetId: accountId,
  ...byWhom(caller, accountId),
  clock,
  state: { factor },
});

/** Emits and records a new factor. Changes of factors by users are in the audit log too: support has to explain them. */
export const recordAddedFactor = async (tx: Tx, change: Change): Promise<void> => {
  const { state, ...entry } = entryOf(change);
  const data = { factor: change.factor, by: entry.actorId };
  await emit(tx, factorAdded, { subject: change.accountId, data, clock: change.clock });
  await recordAction(tx, { ...entry, action: 'factor.add', after: state });
};

export const recordRemovedFactor = async (tx: Tx, change: Change & { reason?: string }): Promise<void> => {
  const { state, ...entry } = entryOf(change);
  const { reason = '' } = change;
  const isOwn = entry.actorId === change.accountId;
  // Removed for a user who has lost a device, which may still be logged in.
  const generation = isOwn ? 0 : await beginGeneration(tx, change.accountId);
  const data = { factor: change.factor, by: entry.actorId, reason, generation };
  await emit(tx, factorRemoved, { subject: change.accountId, data, clock: change.clock });
  const after = reason === '' ? null : { reason };
  await recordAction(tx, { ...entry, action: 'factor.remove', before: state, after });
};
