import type { Profile } from '@shortlist/contracts/api/profile';
import { ERRORS, type FieldMessages } from '@shortlist/contracts/errors';
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '@shortlist/contracts/limits';
import { fullName, LOCALE } from '@shortlist/contracts/messages';
import {
  type PROFILE_FIELDS,
  type ProfileField,
  profileFields as FIELDS,
} from '@shortlist/contracts/profile-fields';
import { readableEmail } from '@shortlist/contracts/unicode';
import { tableDate } from '../../lib/dates.ts';
import type { Rules, useForm, Values } from '../../lib/form/use-form.ts';
import { accountFormText } from '../../messages/account-form.ts';
import { adminText } from '../../messages/admin.ts';
import { passwordText } from '../../messages/password.ts';

const MEGABYTE = 1024 * 1024;

const formats = new Intl.ListFormat(LOCALE, { type: 'disjunction' }).format(
  PICTURE_TYPES.map((type) => type.replace('image/', '').toUpperCase()),
);

/** The accepted formats and size: "PNG, JPEG, or GIF, up to 5 MB". */
export const PICTURE_LIMITS = accountFormText('pictureLimits', {
  formats,
  size: PICTURE_MAX_BYTES / MEGABYTE,
});

/** What systems say of a picture whose type they do not know, or call by an old name: profile decides by the content. */
const UNSURE_TYPES = new Set(['', 'application/octet-stream', 'image/jpg', 'image/pjpeg', 'image/x-png']);

/** The message for a file that cannot be the picture, or null. */
export const pictureProblem = (file: File): string | null => {
  const isPossible = UNSURE_TYPES.has(file.type) || PICTURE_TYPES.some((type) => type === file.type);
  if (!isPossible) return ERRORS['profile.picture_type'][1];
  return file.size > PICTURE_MAX_BYTES ? ERRORS['profile.picture_size'][1] : null;
};

type InputNameOf<Field> = Field extends { inputName: infer Name extends string }
  ? Name
  : Field extends { name: infer Name extends string }
    ? Name
    : never;

export type ProfileInputName = InputNameOf<(typeof PROFILE_FIELDS)[number]>;

/** The form's values by input name. `passwordRepeat` is never sent. */
export type AccountValues = {
  email: string;
  currentPassword: string;
  password: string;
  passwordRepeat: string;
} & Record<ProfileInputName, string>;

export type AccountFormState = ReturnType<typeof useForm<AccountValues>>;

/** The fields of a user's form, or of an admin's. */
export const profileFields = (isAdmin: boolean): ProfileField[] =>
  FIELDS.filter(({ adminOnly = false }) => isAdmin || !adminOnly);

export const inputNameOf = ({ name, inputName }: ProfileField): ProfileInputName =>
  (inputName ?? name) as ProfileInputName;

const profileValues = (valueOf: (field: ProfileField) => string): Record<ProfileInputName, string> =>
  Object.fromEntries(FIELDS.map((field) => [inputNameOf(field), valueOf(field)])) as Record<
    ProfileInputName,
    string
  >;

export const emptyAccount: AccountValues = {
  email: '',
  currentPassword: '',
  password: '',
  passwordRepeat: '',
  ...profileValues(() => ''),
};

export const accountValuesOf = (user: Profile): AccountValues => ({
  email: user.email,
  currentPassword: '',
  password: '',
  passwordRepeat: '',
  ...profileValues(({ name }) => user[name]),
});

/** The values by the names that requests use. An empty password is left out: the user keeps the current one. */
export const accountInputOf = (values: AccountValues, isAdmin = true): Values => ({
  email: values.email,
  ...(values.password === '' ? {} : { password: values.password }),
  ...(values.password === '' || values.currentPassword === ''
    ? {}
    : { currentPassword: values.currentPassword }),
  ...Object.fromEntries(profileFields(isAdmin).map((field) => [field.name, values[inputNameOf(field)]])),
});

/** Error messages keyed by input name instead of by the name that requests use. */
export const byInputName = (messages: FieldMessages): FieldMessages => {
  const inputNames = new Map<string, string>(FIELDS.map((field) => [field.name, inputNameOf(field)]));
  return Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [inputNames.get(name) ?? name, message]),
  );
};

/** What the form does with the picture: a new file, the removal of the saved one, or nothing. */
export type PictureChoice = File | 'removed' | null;

/** What an edit or a sign-up submits. */
export type Submission = { values: AccountValues; file: PictureChoice };

type AccountFormInput = Submission & { version?: number; isAdmin?: boolean; termsAccepted?: string | null };

/** The body of a sign-up, or with a `version` of an edit, which does not send the email. */
export const accountFormData = ({
  values,
  file,
  version,
  isAdmin = false,
  termsAccepted,
}: AccountFormInput): FormData => {
  const form = new FormData();
  const input = accountInputOf(values, isAdmin);
  const { email: _email, ...withoutEmail } = input;
  const signUp = { ...input, ...(termsAccepted ? { termsAccepted } : {}) };
  const edit = { ...withoutEmail, version, ...(file === 'removed' ? { removePicture: true } : {}) };
  form.append('userData', JSON.stringify(version === undefined ? signUp : edit));
  if (file instanceof File) form.append('file', file, file.name);
  return form;
};

/** The server never receives the repetition, so the form compares it even while the rules cannot be loaded. */
export const repeatRule: Rules<AccountValues> = ({ password, passwordRepeat }) =>
  password === passwordRepeat ? {} : { passwordRepeat: passwordText('differ') };

/** The profile fields besides the names, which share the first row. */
const DETAIL_FIELDS = profileFields(true).filter(({ isName }) => isName !== true);

/** The fields of a user with their labels. */
export const profileRows = (user: Profile): readonly (readonly [string, string])[] => [
  [adminText('fullName'), fullName(user)],
  [adminText('email'), readableEmail(user.email)],
  ...DETAIL_FIELDS.map(
    ({ name, label, shortLabel = label, optional, emptyOption = adminText('none') }) =>
      [shortLabel, optional && user[name] === '' ? emptyOption : user[name]] as const,
  ),
  [adminText('joinDate'), tableDate(user.createdAt)],
];
