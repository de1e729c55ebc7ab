import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { twoStepText } from '../../messages/two-step.ts';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

type StepUpFieldProps = {
  method: 'password' | 'totp' | 'recovery';
  value: string;
  failure: Failure | null;
  onChange: (value: string) => void;
};

const FIELDS = { password: 'currentPassword', totp: 'code', recovery: 'recoveryCode' } as const;

/** The error of this method's proof; after a switch, that of the other method is not shown. */
const errorOf = (failure: Failure | null, method: keyof typeof FIELDS): string | undefined => {
  if (failure === null) return undefined;
  return Object.keys(failure.fields).length === 0 ? failure.message : failure.fields[FIELDS[method]];
};

export const StepUpField = ({ method, value, failure, onChange }: StepUpFieldProps): ReactNode => {
  const input = useRef<HTMLInputElement>(null);
  // The dialog opens before its method is known.
  useLayoutEffect(() => input.current?.focus(), [method]);
  const common = {
    ref: input,
    value,
    error: errorOf(failure, method),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (method === 'password')
    return <PasswordField {...common} label={twoStepText('password')} autoComplete="current-password" />;
  if (method === 'totp')
    return (
      <TextField
        {...common}
        label={twoStepText('code')}
        className="input code-input"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
      />
    );
  return (
    <TextField
      {...common}
      label={twoStepText('recoveryCode')}
      className="input code-input is-wide"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={20}
      placeholder={twoStepText('recoveryShape')}
    />
  );
};
