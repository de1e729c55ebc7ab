import type { ProfileChange } from '@shortlist/contracts/api/profile';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { recordChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import { replaceTerms } from '../directory/terms.ts';
import { attachPicture, deletePicture } from '../pictures/queries.ts';
import type { ProfileRow } from './profile.entity.ts';
import { lockProfile, updateProfileRow } from './queries.ts';

// The old picture goes in the same transaction as the new name comes: a rollback keeps both as they were.
const replacePicture = async (tx: Tx, current: ProfileRow, picture: string): Promise<void> => {
  await attachPicture(tx, picture, current.id);
  if (current.picture !== null && current.picture !== picture) await deletePicture(tx, current.picture);
};

const shown = ({ planVersion: _version, premiumUntil: _until, ...row }: ProfileRow): object => row;

/** An edit. With a `version` it is refused when somebody else's came in between. */
type By = { caller: Caller; clock: Clock };

export const updateProfile = async (
  tx: Tx,
  change: ProfileChange,
  { caller, clock }: By,
): Promise<ProfileRow> => {
  const { id, version, ...fields } = change;
  const current = await lockProfile(tx, id);
  if (current === null) throw createError('profile.not_found');
  if (version !== undefined && version !== current.version) throw createError('profile.version_conflict');
  await updateProfileRow(tx, id, fields);
  if (fields.picture !== undefined) await replacePicture(tx, current, fields.picture);
  const updated: ProfileRow = { ...current, ...fields, version: current.version + 1 };
  await replaceTerms(tx, id, updated);
  const { email, firstName, lastName, organizationName } = updated;
  await emit(tx, profileUpdated, {
    subject: id,
    data: { version: updated.version, email, firstName, lastName, organizationName },
    clock,
  });
  const note = { action: 'profile.update', targetId: id, before: shown(current), after: shown(updated) };
  await recordChange(tx, { ...note, caller, clock });
  return updated;
};
