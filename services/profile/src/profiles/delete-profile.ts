import { redactEntries } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteTerms } from '../directory/terms.ts';
import { deletePicturesOf } from '../pictures/queries.ts';
import { deleteEarlyPlan } from '../plans/queries.ts';
import { deleteProfileRow, rememberDeleted } from './queries.ts';

/** Forgets a person for good: what comes late about them finds the mark and brings nothing back. */
export const deleteProfile = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await rememberDeleted(tx, id, at);
  await deletePicturesOf(tx, id);
  await deleteTerms(tx, id);
  await deleteEarlyPlan(tx, id);
  await deleteProfileRow(tx, id);
  await redactEntries(tx, id);
};
