import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { accountFormText } from '../../messages/account-form.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import type { AccountFormState } from './account-values.ts';
import { strengthOf, type Strength } from './password-strength.ts';

const LEVELS = [1, 2, 3, 4] as const;

const StrengthMeter = ({ strength }: { strength: Strength | null }): ReactNode => (
  <div className="strength" aria-hidden="true">
    {LEVELS.map((level) => (
      <i key={level} className={strength !== null && level <= strength.level ? 'is-filled' : undefined} />
    ))}
  </div>
);

type PasswordFieldsProps = { form: AccountFormState; label: string; qualifier?: string };

/** A password and its repetition. With a `qualifier` the password is optional. */
export const PasswordFields = ({ form, label, qualifier }: PasswordFieldsProps): ReactNode => {
  const strength = strengthOf(form.values.password);
  const hint =
    qualifier === undefined
      ? accountFormText('passwordHint', { min: PASSWORD_MIN })
      : accountFormText('keepPassword');
  return (
    <>
      <PasswordField
        label={label}
        qualifier={qualifier}
        autoComplete="new-password"
        below={form.values.password !== '' && <StrengthMeter strength={strength} />}
        help={<span role="status">{strength?.label ?? hint}</span>}
        {...form.input('password')}
      />
      <PasswordField
        label={accountFormText('repeatPassword')}
        autoComplete="new-password"
        {...form.input('passwordRepeat')}
      />
    </>
  );
};
