import type { NewProfile } from '@shortlist/contracts/api/profile';
import { type AdminFieldName, mapFields, profileFields } from '@shortlist/contracts/profile-fields';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteEarlyPlan, lockEarlyPlan } from '../early-plans/queries.ts';
import { attachPicture } from '../pictures/queries.ts';
import { insertTerms } from '../terms/queries.ts';
import { joinTerms, termsOf } from '../terms/terms.rules.ts';
import { isDeleted } from '../users/queries.ts';
import { insertProfileIfAbsent, updatePlanCopy } from './queries.ts';

const EMPTY_ADMIN_FIELDS = mapFields(
  profileFields.filter(({ adminOnly }) => adminOnly),
  () => '',
) as Record<AdminFieldName, string>;

/** Creates the profile of a new user, with the plan that arrived before it. Does nothing for an existing or a deleted user. */
export const createProfile = async (tx: Tx, profile: NewProfile): Promise<void> => {
  const { id, picture } = profile;
  if (await isDeleted(tx, id)) return;
  const row = {
    ...EMPTY_ADMIN_FIELDS,
    ...profile,
    createdAt: new Date(profile.createdAt),
    version: 1,
    emailVersion: 1,
    planVersion: 0,
    premiumUntil: null,
    terms: joinTerms(termsOf(profile)),
  };
  if (!(await insertProfileIfAbsent(tx, row))) return;
  if (picture !== null) await attachPicture(tx, picture, id);
  // After the insert: a concurrent plan event finds the new row, or has its early plan read here.
  const early = await lockEarlyPlan(tx, id);
  if (early) {
    await updatePlanCopy(tx, id, early);
    await deleteEarlyPlan(tx, id);
  }
  await insertTerms(tx, { ...row, premiumUntil: early?.premiumUntil ?? null });
};
