import type { UserView } from '@shortlist/contracts/api/public';
import type { ProfileField } from '@shortlist/contracts/profile-fields';
import { conflictText } from '../../messages/account-form.ts';
import {
  accountValuesOf,
  inputNameOf,
  profileFields,
  type ProfileInputName,
  type Submission,
} from './account-values.ts';

/** A field, or the picture, that was changed here and elsewhere in different ways. */
export type Collision = { name: ProfileInputName | 'picture'; label: string; mine: string; saved: string };

type MergeInput = {
  /** The user as loaded when the form was opened. */
  base: UserView;
  /** The user as another editor has saved it since. */
  saved: UserView;
  submission: Submission;
  isAdmin: boolean;
};

const isSame = (one: string, other: string): boolean => one.trim() === other.trim();

const textOf = (value: string): string => (value.trim() === '' ? conflictText('empty') : value);

/** Two new pictures always collide; the same removal on both sides does not. */
const pictureCollision = ({ base, saved, submission }: MergeInput): Collision[] =>
  submission.file === null ||
  saved.picture === base.picture ||
  (submission.file === 'removed' && saved.picture === null)
    ? []
    : [
        {
          name: 'picture',
          label: conflictText('picture'),
          mine: conflictText(submission.file === 'removed' ? 'noPicture' : 'newPicture'),
          saved: conflictText(saved.picture === null ? 'noPicture' : 'otherPicture'),
        },
      ];

/**
 * Merges two edits of one user: a field that was changed on one side has that side's value. A field that was changed on both
 * sides is a collision, and has the value of the submission until `withSaved` decides otherwise.
 */
export const mergeEdits = (
  input: MergeInput,
): { values: Record<ProfileInputName, string>; collisions: Collision[] } => {
  const { submission, isAdmin } = input;
  const base = accountValuesOf(input.base);
  const saved = accountValuesOf(input.saved);
  const mergeField = (field: ProfileField) => {
    const name = inputNameOf(field);
    const mine = submission.values[name];
    const isMine = !isSame(mine, base[name]);
    const isCollision = isMine && !isSame(saved[name], base[name]) && !isSame(mine, saved[name]);
    const collision = { name, label: field.label, mine: textOf(mine), saved: textOf(saved[name]) };
    return { name, value: isMine ? mine : saved[name], collisions: isCollision ? [collision] : [] };
  };
  const fields = profileFields(isAdmin).map(mergeField);
  return {
    values: Object.fromEntries(fields.map(({ name, value }) => [name, value])) as Record<
      ProfileInputName,
      string
    >,
    collisions: [...fields.flatMap(({ collisions }) => collisions), ...pictureCollision(input)],
  };
};

/** The submission with the saved values wherever the edits collide. */
export const withSaved = (submission: Submission, saved: UserView, collisions: Collision[]): Submission => {
  const savedValues = accountValuesOf(saved);
  const names = collisions.map(({ name }) => name).filter((name) => name !== 'picture');
  const values = Object.fromEntries(names.map((name) => [name, savedValues[name]]));
  const hasPicture = collisions.some(({ name }) => name === 'picture');
  return { values: { ...submission.values, ...values }, file: hasPicture ? null : submission.file };
};
