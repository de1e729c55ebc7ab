import { recordChange } from '@shortlist/audit/audit-log';
import { databaseNow, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { accountExists } from './queries.ts';

/** Records that an admin ends all sessions of an account, and returns the time before which they end. bff has the sessions. */
export const endSessions = async (
  tx: Tx,
  { id, caller, clock }: { id: string; caller: Caller; clock: Clock },
): Promise<{ at: string }> => {
  if (!(await accountExists(tx, id))) throw createError('identity.user_not_found');
  // bff compares the start of sessions with this time, so it is the database's and not this process's.
  const at = await databaseNow(tx);
  const change = { action: 'account.end_sessions', targetId: id, before: null, after: null };
  await recordChange(tx, { ...change, caller, clock });
  return { at: at.toISOString() };
};
