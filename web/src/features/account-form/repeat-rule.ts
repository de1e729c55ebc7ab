import type { Rules } from '../../lib/form/use-form.ts';
import type { AccountValues } from './account-values.ts';

/** The repeat is never sent, so nobody else would find a mistyped password while the rules cannot be loaded. */
export const repeatRule: Rules<AccountValues> = ({ password, passwordRepeat }) =>
  password === passwordRepeat ? {} : { passwordRepeat: 'Passwords do not match' };
