import { ERRORS } from '@shortlist/contracts/errors';
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '@shortlist/contracts/limits';
import { LOCALE } from '@shortlist/contracts/messages';
import { accountFormText } from '../../messages/account-form.ts';

const MEGABYTE = 1024 * 1024;

const formats = new Intl.ListFormat(LOCALE, { type: 'disjunction' }).format(
  PICTURE_TYPES.map((type) => type.replace('image/', '').toUpperCase()),
);

/** The accepted formats and size: "PNG, JPEG, or GIF, up to 5 MB". */
export const PICTURE_LIMITS = accountFormText('pictureLimits', {
  formats,
  size: PICTURE_MAX_BYTES / MEGABYTE,
});

/** The message for a file that cannot be the picture, or null. */
export const pictureProblem = (file: File): string | null => {
  if (!PICTURE_TYPES.some((type) => type === file.type)) return ERRORS['profile.picture_type'][1];
  return file.size > PICTURE_MAX_BYTES ? ERRORS['profile.picture_size'][1] : null;
};
