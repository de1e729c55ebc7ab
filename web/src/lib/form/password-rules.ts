import type { FieldMessages } from '@shortlist/contracts/errors';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { newPassword, passwordRepeatSchema } from '@shortlist/contracts/schemas/password';
import Joi from 'joi';
import { emailText } from '../../messages/email.ts';
import { passwordText } from '../../messages/password.ts';
import { messagesOf } from './rules-of.ts';
import type { Rules } from './use-form.ts';

export type NewPasswordValues = { password: string; passwordRepeat: string };
export type PasswordChangeValues = NewPasswordValues & { currentPassword: string };

const repeatSchema = Joi.object({ password: Joi.any(), passwordRepeat: passwordRepeatSchema });
const passwordSchema = Joi.object({ password: newPassword });
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
