import { TRUSTED_DEVICE_DAYS } from '@shortlist/contracts/limits';
import type { SecondFactorProof } from '@shortlist/contracts/api/public-sessions';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { twoStepText } from '../../messages/two-step.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

type CodeProps = {
  kind: 'totp' | 'recovery';
  isBusy: boolean;
  failure: Failure | null;
  remember: boolean;
  onRemember: (remember: boolean) => void;
  onCode: (proof: SecondFactorProof) => Promise<void>;
};

const TOTP_INPUT = {
  className: 'input code-input',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  maxLength: 7,
} as const;
const RECOVERY_INPUT = {
  className: 'input code-input is-wide',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 20,
  placeholder: twoStepText('recoveryShape'),
} as const;

/** The error of this kind of code; after a switch, that of the other kind is not shown. */
const errorOf = (failure: Failure | null, name: 'code' | 'recoveryCode'): string | undefined => {
  if (failure === null) return undefined;
  return Object.keys(failure.fields).length === 0 ? failure.message : failure.fields[name];
};

/** A code of the authenticator app, or a recovery code. A wrong one does not stay in the field. */
export const SecondStepCode = (props: CodeProps): ReactNode => {
  const { kind, isBusy, failure, remember, onRemember, onCode } = props;
  const [code, setCode] = useState('');
  const isTotp = kind === 'totp';
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void onCode(isTotp ? { code } : { recoveryCode: code }).then(() => setCode(''));
  };
  return (
    <form className="auth-fields" noValidate onSubmit={handleSubmit}>
      <TextField
        {...(isTotp ? TOTP_INPUT : RECOVERY_INPUT)}
        label={twoStepText(isTotp ? 'code' : 'recoveryCode')}
        // The screen has replaced the one with the focus.
        ref={focusOnce}
        value={code}
        error={errorOf(failure, isTotp ? 'code' : 'recoveryCode')}
        onChange={(event) => setCode(event.target.value)}
      />
      {isTotp && (
        <label className="check">
          <input type="checkbox" checked={remember} onChange={(event) => onRemember(event.target.checked)} />
          <span>{twoStepText('remember', { days: TRUSTED_DEVICE_DAYS })}</span>
        </label>
      )}
      <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy}>
        {twoStepText('continue')}
      </Button>
    </form>
  );
};

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();
