import type { NewProfile } from '@shortlist/contracts/api/profile';
import type { Tx } from '@shortlist/kit/data/db';
import { addTerms } from '../directory/terms.ts';
import { attachPicture } from '../pictures/queries.ts';
import { adoptEarlyPlan } from '../plans/queries.ts';
import { insertProfileIfAbsent, isDeleted } from './queries.ts';

/** Adds what a new person shows. A second call changes nothing; a deleted person is never brought back. */
export const createProfile = async (tx: Tx, profile: NewProfile): Promise<void> => {
  if (await isDeleted(tx, profile.id)) return;
  const added = await insertProfileIfAbsent(tx, {
    roleType: '',
    ...profile,
    createdAt: new Date(profile.createdAt),
  });
  if (!added) return;
  if (profile.picture !== null) await attachPicture(tx, profile.picture, profile.id);
  await adoptEarlyPlan(tx, profile.id);
  await addTerms(tx, profile.id, profile);
};
