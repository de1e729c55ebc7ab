import { useEffect, useRef, type ReactNode } from 'react';
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

const errorOf = (failure: Failure | null): string | undefined => {
  if (failure === null) return undefined;
  const { currentPassword, code, recoveryCode } = failure.fields;
  return currentPassword ?? code ?? recoveryCode ?? failure.message;
};

export const StepUpField = ({ method, value, failure, onChange }: StepUpFieldProps): ReactNode => {
  const input = useRef<HTMLInputElement>(null);
  // The dialog opens before its method is known.
  useEffect(() => input.current?.focus(), [method]);
  const common = {
    ref: input,
    value,
    error: errorOf(failure),
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
      spellCheck={false}
      maxLength={20}
      placeholder={twoStepText('recoveryShape')}
    />
  );
};
