import { redactEntries } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteEarlyPlan } from '../early-plans/queries.ts';
import { deletePicturesOf } from '../pictures/queries.ts';
import { deleteTerms } from '../terms/queries.ts';
import { insertDeletedUserIfAbsent } from '../users/queries.ts';
import { deleteProfileRow, lockProfile } from './queries.ts';

/** Deletes everything about a user. The row of deleted_users prevents that a later event creates the profile again. */
export const deleteProfile = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await insertDeletedUserIfAbsent(tx, id, at);
  const profile = await lockProfile(tx, id);
  if (profile) await deleteTerms(tx, profile);
  await deletePicturesOf(tx, id);
  await deleteEarlyPlan(tx, id);
  await deleteProfileRow(tx, id);
  await redactEntries(tx, id);
};
