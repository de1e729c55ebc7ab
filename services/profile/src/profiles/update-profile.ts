import type { ProfileChange } from '@shortlist/contracts/api/profile';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { recordChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import { attachPicture, deletePicture } from '../pictures/queries.ts';
import { replaceTerms } from '../terms/queries.ts';
import { joinTerms, termsOf } from '../terms/terms.rules.ts';
import { presentProfile } from './present.ts';
import type { ProfileRow } from './profile.entity.ts';
import { lockProfile, updateProfileRow } from './queries.ts';

// The old picture is deleted in the transaction that stores the new name, or none, so that a rollback restores both.
const replacePicture = async (tx: Tx, current: ProfileRow, picture: string | null): Promise<void> => {
  if (picture !== null) await attachPicture(tx, picture, current.id);
  if (current.picture !== null && current.picture !== picture) await deletePicture(tx, current.picture);
};

/** Edits a profile. Throws `profile.version_conflict` when `version` is given and the profile has been edited since. */
export const updateProfile = async (
  tx: Tx,
  change: ProfileChange,
  { caller, clock }: { caller: Caller; clock: Clock },
): Promise<ProfileRow> => {
  const { id, version, ...fields } = change;
  const current = await lockProfile(tx, id);
  if (current === null) throw createError('profile.not_found');
  if (version !== undefined && version !== current.version) throw createError('profile.version_conflict');
  const terms = joinTerms(termsOf({ ...current, ...fields }));
  await updateProfileRow(tx, id, { ...fields, terms });
  if (fields.picture !== undefined) await replacePicture(tx, current, fields.picture);
  const updated: ProfileRow = { ...current, ...fields, terms, version: current.version + 1 };
  await replaceTerms(tx, current, updated);
  const { email, firstName, lastName, organizationName } = updated;
  await emit(tx, profileUpdated, {
    subject: id,
    data: { version: updated.version, email, firstName, lastName, organizationName },
    clock,
  });
  await recordChange(tx, {
    action: 'profile.update',
    targetId: id,
    before: presentProfile(current),
    after: presentProfile(updated),
    caller,
    clock,
  });
  return updated;
};
