import { ERRORS } from '@shortlist/contracts/errors';
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '@shortlist/contracts/limits';

/** Why a file cannot be the picture, in the spec's words; null when it can. */
export const pictureProblem = (file: File): string | null => {
  if (!PICTURE_TYPES.some((type) => type === file.type)) return ERRORS['profile.picture_type'][1];
  return file.size > PICTURE_MAX_BYTES ? ERRORS['profile.picture_size'][1] : null;
};
