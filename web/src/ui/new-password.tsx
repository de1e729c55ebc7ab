import { PASSWORD_PROBLEMS, passwordLength, type PasswordProblem } from '@shortlist/contracts/password.rules';
import type { ReactNode } from 'react';
import { useConfig } from '../lib/data/use-config.ts';
import { usePasswordProblem } from '../lib/data/use-password-problem.ts';
import { passwordText } from '../messages/password.ts';
import { PasswordField } from './field.tsx';

type Strength = { level: 1 | 2 | 3 | 4; label: string };

/** Estimates the strength of an acceptable password from its length and its different characters: a hint, not a rule. */
const estimate = (password: string): Strength => {
  const weight = passwordLength(password) * 0.6 + new Set(password).size * 0.8;
  if (weight < 10) return { level: 1, label: passwordText('weak') };
  if (weight < 16) return { level: 2, label: passwordText('fair') };
  return weight < 22
    ? { level: 3, label: passwordText('good') }
    : { level: 4, label: passwordText('strong') };
};

/** Null for a shorter password than `min`, and while its problem is not known. One that would be refused is weak, and says why. */
const strengthOf = (
  password: string,
  min: number,
  problem: PasswordProblem | null | undefined,
): Strength | null => {
  if (passwordLength(password) < min || problem === undefined) return null;
  return problem === null ? estimate(password) : { level: 1, label: PASSWORD_PROBLEMS[problem] };
};

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
  /** Whose password it is: it must not be the address or one of the names. */
  owner: { email: string; words?: readonly string[] };
  /** With a qualifier the password is optional. */
  qualifier?: string | undefined;
};

/** A new password with its strength, and its repetition. */
export const NewPassword = ({ form, label, owner, qualifier }: NewPasswordProps): ReactNode => {
  const { passwordMin } = useConfig();
  const problem = usePasswordProblem({ password: form.values.password, ...owner });
  const strength = strengthOf(form.values.password, passwordMin, problem);
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
