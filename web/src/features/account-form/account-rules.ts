import type { FieldMessages } from '@shortlist/contracts/errors';
import { profileSchema, signupSchema } from '@shortlist/contracts/schemas/account';
import { passwordRepeatSchema } from '@shortlist/contracts/schemas/password';
import Joi from 'joi';
import { messagesOf } from '../../lib/form/rules-of.ts';
import type { Rules } from '../../lib/form/use-form.ts';
import { accountInputOf, byInputName, type AccountValues } from './account-values.ts';

const repeatSchema = Joi.object({ password: Joi.any(), passwordRepeat: passwordRepeatSchema });

const repeatMessages = ({ password, passwordRepeat }: AccountValues): FieldMessages =>
  messagesOf(repeatSchema, {
    password,
    // An empty repetition reads as missing, not as different.
    ...(passwordRepeat === '' ? {} : { passwordRepeat }),
  });

export const newAccountRules: Rules<AccountValues> = (values) => ({
  ...byInputName(messagesOf(signupSchema, accountInputOf(values))),
  ...repeatMessages(values),
});

/** An edit validates the passwords only when one of them is filled in. */
export const editedAccountRules: Rules<AccountValues> = (values) => ({
  ...byInputName(messagesOf(profileSchema, accountInputOf(values))),
  ...(values.password === '' && values.passwordRepeat === '' ? {} : repeatMessages(values)),
});
