import { recordChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { beginGeneration } from './queries.ts';

/** Ends all sessions of an account, which bff has, and records it when an admin does so. Returns the generation that begins. */
export const endSessions = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<{ generation: number }> => {
  const generation = await beginGeneration(tx, id);
  const change = { action: 'account.end_sessions', targetId: id, before: null, after: null };
  await recordChange(tx, { ...change, caller, clock });
  return { generation };
};
