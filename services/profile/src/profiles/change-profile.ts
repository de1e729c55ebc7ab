import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { NewProfile, ProfileChange } from '@shortlist/contracts/api/profile';
import type { WithPlanState } from '@shortlist/contracts/events/billing';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { premiumUntil } from '@shortlist/contracts/plan';
import { type AdminFieldName, mapFields, profileFields } from '@shortlist/contracts/profile-fields';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { attachPicture, deletePicture } from '../pictures/queries.ts';
import {
  deleteEarlyPlan,
  deleteTerms,
  findProfile,
  insertProfileIfAbsent,
  insertTerms,
  isDeleted,
  lockEarlyPlan,
  lockProfile,
  presentProfile,
  type ProfileRow,
  updateEmailCopy,
  updateOlderPlanCopy,
  updatePlanCopy,
  updatePlanOfTerms,
  updateProfileRow,
  upsertOlderEarlyPlan,
} from './queries.ts';
import { termsOf } from './terms.rules.ts';

const EMPTY_ADMIN_FIELDS = mapFields(
  profileFields.filter(({ adminOnly }) => adminOnly),
  () => '',
) as Record<AdminFieldName, string>;

/** Creates the profile of a new user, with a plan that arrived earlier. Does nothing for an existing or a deleted user. */
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
    paymentProblem: null,
    terms: termsOf(profile),
  };
  if (!(await insertProfileIfAbsent(tx, row))) return;
  if (picture !== null) await attachPicture(tx, picture, id);
  // After the insert, so that a concurrent plan event either finds the new row or has its early plan read here.
  const early = await lockEarlyPlan(tx, id);
  if (early) {
    await updatePlanCopy(tx, id, early);
    await deleteEarlyPlan(tx, id);
  }
  const { premiumUntil: until = null, paymentProblem = null } = early ?? {};
  await insertTerms(tx, { ...row, premiumUntil: until, paymentProblem });
};

// The old picture is deleted in the transaction that stores the new name, or none, so that a rollback restores both.
const replacePicture = async (tx: Tx, current: ProfileRow, picture: string | null): Promise<void> => {
  if (picture !== null) await attachPicture(tx, picture, current.id);
  if (current.picture !== null && current.picture !== picture) await deletePicture(tx, current.picture);
};

const emitProfile = async (tx: Tx, row: ProfileRow, clock: Clock): Promise<void> => {
  const { id: subject, version, email, firstName, lastName, organizationName } = row;
  const data = { version, email, firstName, lastName, organizationName };
  await emit(tx, profileUpdated, { subject, data, clock });
};

/** Emits a profile again as it is, for services that have lost its user. Does nothing without one. */
export const stateProfile = async (tx: Tx, id: string, clock: Clock): Promise<void> => {
  const row = await lockProfile(tx, id);
  if (row !== null) await emitProfile(tx, row, clock);
};

/** Edits a profile. Throws `profile.version_conflict` if `version` is given and the profile has been edited since. */
export const updateProfile = async (
  tx: Tx,
  change: ProfileChange,
  { caller, clock }: { caller: Caller; clock: Clock },
): Promise<ProfileRow> => {
  const { id, version, ...fields } = change;
  const current = await lockProfile(tx, id);
  if (current === null) throw createError('profile.not_found');
  if (version !== undefined && version !== current.version) throw createError('profile.version_conflict');
  const terms = termsOf({ ...current, ...fields });
  await updateProfileRow(tx, id, { ...fields, terms });
  if (fields.picture !== undefined) await replacePicture(tx, current, fields.picture);
  const updated: ProfileRow = { ...current, ...fields, terms, version: current.version + 1 };
  await deleteTerms(tx, current);
  await insertTerms(tx, updated);
  await emitProfile(tx, updated, clock);
  await recordAdminChange(tx, {
    action: 'profile.update',
    targetId: id,
    before: presentProfile(current),
    after: presentProfile(updated),
    caller,
    clock,
  });
  return updated;
};

// The profile's copies of data that other services own: identity's email and billing's plan.

/**
 * Stores the copy of a new email and its search terms unless a newer one is stored. Does nothing without a profile: admins have none, and the
 * registration of a user always comes first.
 */
export const storeEmail = async (
  tx: Tx,
  id: string,
  { email, version }: { email: string; version: number },
): Promise<void> => {
  const current = await lockProfile(tx, id);
  if (current === null || current.emailVersion >= version) return;
  const terms = termsOf({ ...current, email });
  await updateEmailCopy(tx, id, { email, emailVersion: version, terms });
  await deleteTerms(tx, current);
  await insertTerms(tx, { ...current, email, terms });
};

/** Stores the directory's copy of a plan, with the end of premium and the payment's problem, unless a newer one is stored. */
export const storePlan = async (
  tx: Tx,
  userId: string,
  { planState, problem = null }: WithPlanState,
): Promise<void> => {
  const until = premiumUntil(planState);
  const copy = {
    planVersion: planState.version,
    premiumUntil: until === null ? null : new Date(until),
    paymentProblem: problem,
  };
  // The UPDATE locks the row, so the profile that is read afterwards has the newest copy.
  const profile = (await updateOlderPlanCopy(tx, userId, copy)) ? await findProfile(tx, userId) : null;
  if (profile) await updatePlanOfTerms(tx, profile);
  else if (!(await isDeleted(tx, userId))) await upsertOlderEarlyPlan(tx, { userId, ...copy });
};
