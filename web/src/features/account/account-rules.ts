import { profileSchema, signupSchema } from '@shortlist/contracts/schemas/account';
import { messagesOf, repeatMessages } from '../../lib/form/password-rules.ts';
import type { Rules } from '../../lib/form/use-form.ts';
import { passwordText } from '../../messages/password.ts';
import { accountInputOf, type AccountValues, byInputName } from './account-values.ts';

export const newAccountRules: Rules<AccountValues> = (values) => ({
  ...byInputName(messagesOf(signupSchema, accountInputOf(values))),
  ...repeatMessages(values),
});

/** An edit validates the passwords only when one of them is filled in. */
export const editedAccountRules: Rules<AccountValues> = (values) => ({
  ...byInputName(messagesOf(profileSchema, accountInputOf(values))),
  ...(values.password === '' && values.passwordRepeat === '' ? {} : repeatMessages(values)),
});

/** A user who sets a new password also enters the current one; an admin does not. */
export const ownAccountRules: Rules<AccountValues> = (values) => ({
  ...editedAccountRules(values),
  ...(values.password !== '' && values.currentPassword === ''
    ? { currentPassword: passwordText('currentMissing') }
    : {}),
});
