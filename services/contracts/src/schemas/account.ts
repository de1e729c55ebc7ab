import Joi from 'joi';
import {
  CITY_MIN,
  EMAIL_MIN,
  LINKEDIN_MAX,
  NAME_MAX,
  NAME_MIN,
  ORGANIZATION_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from '../limits.ts';
import { COUNTRIES, ORGANIZATION_TYPES, ROLE_TYPES } from '../option-lists.ts';
import { line } from './text.ts';

/** The fields that users edit. The messages are agreed to the letter, misspellings included (docs/product.md, validation). */
export type ProfileFields = {
  firstName: string;
  lastName: string;
  organizationName: string;
  typeOfOrganization: string;
  primaryRecruitingIndustry: string;
  country: string;
  city: string;
  linkedin: string;
};

/** The fields that only admins edit. Empty: not set. */
export type AdminFields = { roleType?: string };

export type SignupInput = ProfileFields & { email: string; password: string };
export type ProfileInput = ProfileFields & { password?: string; version?: number };
export type LoginInput = { email: string; password: string };

/**
 * An e-mail address in the form in which it is stored and compared: NFKC, lower case, trimmed, without invisible characters. At
 * most 254 characters, 64 before the @ (RFC 5321), which Joi's email rule enforces.
 */
const email = (required: string) =>
  Joi.string()
    .normalize('NFKC')
    .lowercase()
    .trim()
    .min(EMAIL_MIN)
    .pattern(/[\p{Cc}\p{Cf}\p{Cs}]/u, { invert: true })
    .email({ tlds: false })
    .pattern(/example/i, { invert: true, name: 'example' })
    .required()
    .messages({
      'any.required': required,
      'string.base': required,
      'string.empty': required,
      'string.min': 'Email must contain at least four characters',
      'string.email': 'Please provide a valid email',
      'string.pattern.invert.base': 'Please provide a valid email',
      'string.pattern.invert.name': "Email should not contain the word 'example'",
    });

const password = (required: string) =>
  Joi.string()
    .min(PASSWORD_MIN)
    .max(PASSWORD_MAX)
    .pattern(/[\0\p{Cs}]/u, { invert: true })
    .required()
    .messages({
      'any.required': required,
      'string.base': required,
      'string.empty': required,
      'string.min': 'Password must contain at least six characters',
      'string.max': `Password must contain at most ${PASSWORD_MAX} characters`,
      'string.pattern.invert.base': 'Please use visible characters only',
    });

const choice = (values: readonly string[], message: string) =>
  Joi.string()
    .valid(...values)
    .required()
    .messages({ '*': message });

const profileFields = {
  firstName: line(
    {
      required: 'You need to write your first name here',
      min: 'Your first name must contain at lest two character',
    },
    { min: NAME_MIN, max: NAME_MAX },
  ),
  lastName: line(
    {
      required: 'You need to write your last name here',
      min: 'Your last name must contain at lest two character',
    },
    { min: NAME_MIN, max: NAME_MAX },
  ),
  organizationName: line(
    { required: 'You need to write the name of your organization' },
    { max: ORGANIZATION_MAX },
  ),
  typeOfOrganization: choice(ORGANIZATION_TYPES, 'Please select the type of your organization'),
  primaryRecruitingIndustry: line(
    { required: 'You need to write your primary recruiting industry' },
    { max: NAME_MAX },
  ),
  country: choice(COUNTRIES, 'Please select a country'),
  city: line(
    {
      required: 'Please type the name of your home city (eg London, Paris etc)',
      min: 'The name of your home city must contain at lest two character',
    },
    { min: CITY_MIN, max: NAME_MAX },
  ),
  linkedin: line({ required: '' }, { max: LINKEDIN_MAX }).optional().allow('', null).empty(null).default(''),
};

export const emailSchema = email('You need to provide an email.');

const newPassword = password('You need to write the password.');

export const signupSchema = Joi.object<SignupInput, true>({
  ...profileFields,
  email: emailSchema,
  password: newPassword,
});

/** An edit. An empty password is not changed; `version` prevents overwriting a concurrent edit. */
export const profileSchema = Joi.object<ProfileInput, true>({
  ...profileFields,
  password: newPassword.optional().empty(''),
  version: Joi.number().integer().min(0),
});

const adminFields = {
  roleType: Joi.string()
    .valid(...ROLE_TYPES, '')
    .messages({ '*': 'Please select a role type' }),
};

/** The forms of an admin, with the fields that users cannot set; the users' schemas drop those. */
export const adminSignupSchema = signupSchema.append<SignupInput & AdminFields>(adminFields);
export const adminProfileSchema = profileSchema.append<ProfileInput & AdminFields>(adminFields);

export const loginSchema = Joi.object<LoginInput, true>({
  email: email('Please provide your login Email address'),
  password: password('Please provide your login Password'),
});

/** The repeated password. It is validated in the browser only, against the field `password`. */
export const passwordRepeatSchema = newPassword.empty('').valid(Joi.ref('password')).messages({
  'any.required': 'You need to re-write the password here',
  'string.base': 'You need to re-write the password here',
  'string.empty': 'You need to re-write the password here',
  'any.only': 'Passwords do not match',
});
