import type { Rules } from '../../lib/form/use-form.ts';
import { passwordText } from '../../messages/password.ts';
import type { AccountValues } from './account-values.ts';

/** The server never receives the repetition, so the form compares it even while the rules cannot be loaded. */
export const repeatRule: Rules<AccountValues> = ({ password, passwordRepeat }) =>
  password === passwordRepeat ? {} : { passwordRepeat: passwordText('differ') };
