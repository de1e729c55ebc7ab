import type { ReactNode } from 'react';
import { useConfig } from '../lib/data/use-config.ts';
import { strengthOf, type Strength } from '../lib/password-strength.ts';
import { passwordText } from '../messages/password.ts';
import { PasswordField } from './password-field.tsx';

const LEVELS = [1, 2, 3, 4] as const;

const StrengthMeter = ({ strength }: { strength: Strength | null }): ReactNode => (
  <div className="strength" aria-hidden="true">
    {LEVELS.map((level) => (
      <i key={level} className={strength !== null && level <= strength.level ? 'is-filled' : undefined} />
    ))}
  </div>
);

type Input = {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
  onBlur: () => void;
};

type NewPasswordProps = {
  form: {
    values: { password: string };
    input: (name: 'password' | 'passwordRepeat') => Input;
  };
  label: string;
  /** With a qualifier the password is optional. */
  qualifier?: string;
};

/** A new password with its strength, and its repetition. */
export const NewPassword = ({ form, label, qualifier }: NewPasswordProps): ReactNode => {
  const { passwordMin } = useConfig();
  const strength = strengthOf(form.values.password, passwordMin);
  const hint = qualifier === undefined ? passwordText('hint', { min: passwordMin }) : passwordText('keep');
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
        label={passwordText('repeatPassword')}
        autoComplete="new-password"
        {...form.input('passwordRepeat')}
      />
    </>
  );
};
