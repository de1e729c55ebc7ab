import { redactEntries } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { deleteTerms, insertDeletedUserIfAbsent, lockProfile } from './profiles/queries.ts';

const TABLES = ['pictures', 'early_plans', 'user_notes', 'profiles'] as const;

/** Deletes everything about a user. The row in deleted_users prevents a later event from creating the profile again. */
export const eraseUser = async (tx: Tx, userId: string, at: Date): Promise<void> => {
  await insertDeletedUserIfAbsent(tx, userId, at);
  const profile = await lockProfile(tx, userId);
  if (profile) await deleteTerms(tx, profile);
  for (const table of TABLES)
    await change(tx, { sql: `DELETE FROM ${table} WHERE user_id = ?`, values: [userId] });
  await redactEntries(tx, userId);
};
