import type { FieldMessages } from '@shortlist/contracts/errors';
import { passwordRepeatSchema, profileSchema, signupSchema } from '@shortlist/contracts/schemas/account';
import Joi from 'joi';
import { messagesOf } from '../../lib/form/rules-of.ts';
import type { Rules } from '../../lib/form/use-form.ts';
import { accountInputOf, type AccountValues } from './account-values.ts';

const repeatSchema = Joi.object({ password: Joi.any(), passwordRepeat: passwordRepeatSchema });

const repeatMessages = ({ password, passwordRepeat }: AccountValues): FieldMessages =>
  messagesOf(repeatSchema, {
    password,
    // Nothing typed is a missing repeat, not one that differs.
    ...(passwordRepeat === '' ? {} : { passwordRepeat }),
  });

const inFormNames = ({ country, ...rest }: FieldMessages): FieldMessages =>
  country === undefined ? rest : { ...rest, selectCountry: country };

export const newAccountRules: Rules<AccountValues> = (values) => ({
  ...inFormNames(messagesOf(signupSchema, accountInputOf(values))),
  ...repeatMessages(values),
});

/** In an edit the passwords are held to the rules only when one of them is given. */
export const editedAccountRules: Rules<AccountValues> = (values) => ({
  ...inFormNames(messagesOf(profileSchema, accountInputOf(values))),
  ...(values.password === '' && values.passwordRepeat === '' ? {} : repeatMessages(values)),
});
