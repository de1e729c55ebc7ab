import Joi from 'joi';
import { asciiDomain } from '../unicode.ts';
import { EMAIL_MAX, EMAIL_MIN, NAME_MAX, NAME_MIN, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts';
import { OPTION_LISTS } from '../option-lists.ts';
import { normalPassword, passwordLength } from '../password.rules.ts';
import {
  type AdminFieldName,
  mapFields,
  type OptionalFieldName,
  type ProfileField,
  type ProfileFieldName,
  profileFields,
} from '../profile-fields.ts';
import * as rule from './validation.ts';

const lengthRule =
  (lengthsOf: (password: string) => number[]): Joi.CustomValidator<string> =>
  (password, helpers) => {
    const lengths = lengthsOf(password);
    if (lengths.every((length) => length < PASSWORD_MIN))
      return helpers.error('string.min', { limit: PASSWORD_MIN });
    if (lengths.every((length) => length > PASSWORD_MAX))
      return helpers.error('string.max', { limit: PASSWORD_MAX });
    return password;
  };

const password = (required: string, lengthsOf: (password: string) => number[]) =>
  Joi.string()
    .custom(lengthRule(lengthsOf))
    .pattern(/[\0\p{Cs}]/u, { invert: true })
    .required()
    .messages({
      ...rule.requiredMessages(required),
      'string.min': 'Password must contain at least six characters',
      'string.max': `Password must contain at most ${PASSWORD_MAX} characters`,
      'string.pattern.invert.base': 'Please use visible characters only',
    });

/** A new password. It is passed on unchanged; identity hashes its normal form. */
export const newPassword = password('You need to write the password.', (text) => [passwordLength(text)]);

/** The password of a log-in. Older passwords, whose length was counted in UTF-16 units, are valid as well. */
export const loginPassword = password('Please provide your login Password', (text) => [
  text.length,
  passwordLength(text),
]);

/** Words that the new password must not equal, besides the email: the user's names. */
export const passwordWords = rule.mayLack(
  rule.ofType<string[]>(Joi.array().items(Joi.string().allow('').max(NAME_MAX)).max(4)),
);

/** The token of an emailed link: 256 bits as base64url. */
export const mailedToken = rule
  .textLike(/^[A-Za-z0-9_-]{43}$/)
  .messages(rule.oneMessage('This link is incomplete'));

export const mailedCode = rule
  .typedCode(/^\d{6}$/)
  .messages(rule.oneMessage('Enter the six digits of the code'));

const equalsPassword: Joi.CustomValidator<string> = (repeated, helpers) => {
  const { password } = (helpers.state.ancestors as [{ password?: unknown }])[0];
  const isEqual = typeof password === 'string' && normalPassword(password) === normalPassword(repeated);
  return isEqual ? repeated : helpers.error('any.only');
};

/** The repeated password, validated only in the browser, against the field `password`. */
export const passwordRepeatSchema = newPassword
  .empty('')
  .custom(equalsPassword)
  .messages({
    ...rule.requiredMessages('You need to re-write the password here'),
    'any.only': 'Passwords do not match',
  });

export type ProfileFields = Record<Exclude<ProfileFieldName, AdminFieldName>, string>;

/** The fields of an edit. An omitted field does not change: a page that was opened before the field existed does not send it. */
export type EditedFields = Omit<ProfileFields, OptionalFieldName> &
  Partial<Pick<ProfileFields, OptionalFieldName>>;

/** The fields that only admins edit. Empty means not set. */
export type AdminFields = Partial<Record<AdminFieldName, string>>;
export type SignupInput = ProfileFields & { email: string; password: string };
export type ProfileInput = EditedFields & {
  password?: string;
  currentPassword?: string;
  version?: number;
  removePicture?: boolean;
};
export type LoginInput = { email: string; password: string };

/** One mailbox is one account: the domain has the form in which mail servers look it up. */
const withAsciiDomain: Joi.CustomValidator<string> = (address, helpers) => {
  const at = address.lastIndexOf('@') + 1;
  const ascii = asciiDomain(address.slice(at));
  return ascii === null || at + ascii.length > EMAIL_MAX
    ? helpers.error('string.email')
    : address.slice(0, at) + ascii;
};

/** An email as stored and compared: NFKC, lower case, trimmed, visible, its domain in ASCII; 64 characters before the @ (RFC 5321). */
const email = (required: string) =>
  Joi.string()
    .normalize('NFKC')
    .lowercase()
    .trim()
    .min(EMAIL_MIN)
    .pattern(/[\p{Cc}\p{Cf}\p{Cs}]/u, { invert: true })
    .email({ tlds: false })
    .pattern(/example/i, { invert: true, name: 'example' })
    .custom(withAsciiDomain)
    .required()
    .messages({
      ...rule.requiredMessages(required),
      'string.min': 'Email must contain at least four characters',
      'string.email': 'Please provide a valid email',
      'string.pattern.invert.base': 'Please provide a valid email',
      'string.pattern.invert.name': "Email should not contain the word 'example'",
    });

const choice = (values: readonly string[], { messages }: ProfileField): Joi.StringSchema =>
  Joi.string()
    .valid(...values)
    .required()
    .messages(rule.oneMessage(messages?.required ?? 'Please select an option from the list'));

const textField = ({
  min,
  max,
  messages = { required: 'Please enter a text' },
}: ProfileField): Joi.StringSchema => rule.line(messages, min === undefined ? { max } : { min, max });

/** The normal form of an https URL; '' if the text is not one. */
const httpsAddress = (text: string): string => {
  try {
    return /\s/.test(text) ? '' : new URL(`https://${text.replace(/^https?:\/\//i, '')}`).href;
  } catch {
    return '';
  }
};

/** Whether an address is a page of the site or of one of its subdomains, without a user or a port. */
const isOfSite = (address: string, site: string): boolean =>
  new RegExp(`^https://([a-z0-9-]+\\.)*${site.replaceAll('.', '\\.')}/`).test(address);

const addressField = (field: ProfileField, site: string): Joi.StringSchema =>
  textField({ ...field, max: rule.encodedLength(field.max) })
    .custom((text: string, helpers) => {
      const address = httpsAddress(text);
      return isOfSite(address, site) ? address : helpers.error('any.invalid');
    })
    .custom(rule.addressRule(field))
    .messages({
      'any.invalid': field.messages?.required ?? 'Please enter an address',
      'string.max': `Please use at most ${field.max} characters`,
    });

const lineField = (field: ProfileField): Joi.StringSchema =>
  field.site === undefined ? textField(field) : addressField(field, field.site);

/** The schema of a field. If a sign-up omits an optional field, it is stored as empty text; an admin field stays unset. */
const fieldSchema = (field: ProfileField): Joi.StringSchema => {
  const { control, options, optional, adminOnly } = field;
  const isChoice = options !== undefined && control !== 'suggestions';
  const rule = isChoice ? choice(OPTION_LISTS[options], field) : lineField(field);
  if (!optional) return rule;
  return adminOnly ? rule.optional().allow('') : rule.optional().allow('', null).empty(null).default('');
};

const editedSchema = (field: ProfileField): Joi.StringSchema =>
  field.optional
    ? fieldSchema(field).default((_parent: unknown, { original }: Joi.CustomHelpers) =>
        original === null ? '' : undefined,
      )
    : fieldSchema(field);

type FieldSchemas<Name extends string> = Record<Name, Joi.StringSchema<string>>;

const userFields = profileFields.filter(({ adminOnly }) => !adminOnly);
const adminFields = profileFields.filter(({ adminOnly }) => adminOnly);
const userSchemas = mapFields(userFields, fieldSchema) as FieldSchemas<keyof ProfileFields>;
const editedSchemas = mapFields(userFields, editedSchema) as typeof userSchemas;
const adminSchemas = mapFields(adminFields, fieldSchema) as FieldSchemas<AdminFieldName>;

export const emailSchema = email('You need to provide an email.');

/** A new email of an account. Email to a non-ASCII local part is silently dropped on its way. */
export const newEmailSchema = emailSchema.pattern(/^[\x21-\x7e]*@/, { name: 'ascii' }).messages({
  'string.pattern.name': 'The part before the @ can only have letters from a to z, digits, and symbols',
});

export const signupSchema = Joi.object<SignupInput, true>({
  ...userSchemas,
  email: newEmailSchema,
  password: newPassword,
});

/**
 * An empty password means no change. `currentPassword`: required from users, not from admins. `version` prevents overwriting a concurrent edit.
 */
export const profileSchema = Joi.object<ProfileInput, true>({
  ...editedSchemas,
  password: newPassword.optional().empty(''),
  currentPassword: loginPassword.optional().empty(''),
  version: Joi.number().integer().min(0),
  removePicture: Joi.boolean().strict(),
});

/** The forms of an admin, with the fields that users cannot set. */
export const adminSignupSchema = signupSchema.append<SignupInput & AdminFields>(adminSchemas);
export const adminProfileSchema = profileSchema.append<ProfileInput & AdminFields>(adminSchemas);

export const loginSchema = Joi.object<LoginInput, true>({
  email: email('Please provide your login Email address'),
  password: loginPassword,
});

/** The name that other admins see. */
export const adminName = rule.line(
  { required: 'Please enter your name', min: 'Your name must have at least two characters' },
  { min: NAME_MIN, max: NAME_MAX },
);

/** The name of a version of the terms, such as 2026-11: visible ASCII characters. */
export const termsVersion = Joi.string()
  .max(40)
  .pattern(/^[\x21-\x7e]+$/)
  .required();

/** `termsAccepted`: the version of the terms that the user has accepted. */
export type SignupForm = SignupInput & { termsAccepted?: string };

/** The form of a sign-up where no consent is required. */
export const signupFormSchema = signupSchema.append<SignupForm>({ termsAccepted: termsVersion.optional() });

/** The form of a sign-up that requires consent to this version of the terms, not to an older one that the page showed. */
export const consentingSignupSchema = (version: string) =>
  signupSchema.append<SignupForm>({
    termsAccepted: Joi.valid(version)
      .required()
      .messages(rule.oneMessage('Please accept the terms to sign up.')),
  });
