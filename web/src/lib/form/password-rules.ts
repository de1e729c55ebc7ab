import type { FieldMessages } from '@shortlist/contracts/errors';
import {
  adminName,
  emailSchema,
  loginSchema,
  newPassword,
  passwordRepeatSchema,
} from '@shortlist/contracts/schemas/account';
import { validate } from '@shortlist/contracts/schemas/validation';
import Joi from 'joi';
import { emailText } from '../../messages/email.ts';
import { passwordText } from '../../messages/password.ts';
import type { Rules } from './use-form.ts';

/** Validates values against a schema. Imports Joi, so only the lazily loaded rules of a form import it. */
export const messagesOf = (schema: Joi.Schema, values: unknown): FieldMessages =>
  validate(schema, values).fields ?? {};

export type NewPasswordValues = { password: string; passwordRepeat: string };
/** What an invited admin enters. */
export type JoinValues = NewPasswordValues & { name: string };
export type PasswordChangeValues = NewPasswordValues & { currentPassword: string };

const repeatSchema = Joi.object({ password: Joi.any(), passwordRepeat: passwordRepeatSchema });
const passwordSchema = Joi.object({ password: newPassword });
const nameOnly = Joi.object({ name: adminName });
const emailOnly = Joi.object({ email: emailSchema });

export const repeatMessages = ({ password, passwordRepeat }: NewPasswordValues): FieldMessages =>
  messagesOf(repeatSchema, {
    password,
    // An empty repetition reads as missing, not as different.
    ...(passwordRepeat === '' ? {} : { passwordRepeat }),
  });

export const newPasswordRules: Rules<NewPasswordValues> = (values) => ({
  ...messagesOf(passwordSchema, values.password === '' ? {} : { password: values.password }),
  ...repeatMessages(values),
});

export const joinRules: Rules<JoinValues> = (values) => ({
  ...messagesOf(nameOnly, { name: values.name }),
  ...newPasswordRules(values),
});

export const passwordChangeRules: Rules<PasswordChangeValues> = (values) => ({
  ...(values.currentPassword === '' ? { currentPassword: passwordText('currentMissing') } : {}),
  ...newPasswordRules(values),
});

export const emailRules: Rules<{ email: string }> = (values) => messagesOf(emailOnly, values);

export type EmailChangeValues = { email: string; currentPassword: string };

export const emailChangeRules: Rules<EmailChangeValues> = ({ email, currentPassword }) => ({
  ...emailRules({ email }),
  ...(currentPassword === '' ? { currentPassword: emailText('passwordMissing') } : {}),
});

export type LoginValues = { email: string; password: string };

export const loginRules: Rules<LoginValues> = (values) => messagesOf(loginSchema, values);
