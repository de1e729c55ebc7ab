import { controlText } from '../../messages/shell.ts';
import type {
  LogInReply,
  SecondFactorMethod,
  SecondFactorProof,
  SecondStep as Step,
} from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { TRUSTED_DEVICE_DAYS } from '@shortlist/contracts/limits';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Failure, failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { promptForPasskey, supportsPasskeys } from '../../lib/passkeys.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { twoStepText } from '../../messages/security.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { AuthHead } from '../../ui/page-frame.tsx';

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
        <label className="check-line">
          <input type="checkbox" checked={remember} onChange={(event) => onRemember(event.target.checked)} />
          <span>{twoStepText('remember', { days: TRUSTED_DEVICE_DAYS })}</span>
        </label>
      )}
      <Button
        type="submit"
        variant="primary"
        className="is-wide"
        isBusy={isBusy}
        busyLabel={controlText('checking')}
      >
        {twoStepText('continue')}
      </Button>
    </form>
  );
};

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();

type PasskeyProps = { isBusy: boolean; failure: Failure | null; onPrompt: () => void };

export const SecondStepPasskey = ({ isBusy, failure, onPrompt }: PasskeyProps): ReactNode => (
  <div className="auth-fields">
    {failure !== null && <Alert tone="bad">{failure.fields['passkey'] ?? failure.message}</Alert>}
    <Button variant="primary" className="is-wide" isBusy={isBusy} onClick={onPrompt}>
      {twoStepText(isBusy ? 'waiting' : 'usePasskey')}
    </Button>
  </div>
);

type SecondStepProps = {
  step: Step;
  onCompleted: (reply: LogInReply) => void;
  /** Back to the password, with the reason if the server has ended the log-in. */
  onLeft: (reason: string | null) => void;
};

const TITLES = { totp: 'enterCode', recovery: 'useRecovery', passkey: 'yourPasskey' } as const;
const NOTES = { totp: 'sixDigits', recovery: 'recoveryText', passkey: 'yourPasskeyText' } as const;
const SWITCHES = { totp: 'useApp', recovery: 'useRecovery', passkey: 'usePasskey' } as const;

const useProof = ({ step, onCompleted, onLeft }: SecondStepProps, remember: boolean) =>
  useCommand(async (proofOf: () => Promise<SecondFactorProof>): Promise<void> => {
    try {
      const input = { ticket: step.ticket, remember, ...(await proofOf()) };
      onCompleted(await call(publicEndpoints.secondFactor, input));
    } catch (thrown) {
      const { code, message } = failureOf(thrown);
      if (code !== 'session.second_step_ended') throw thrown;
      onLeft(message);
    }
  });

const passkeyProof = async (ticket: string): Promise<SecondFactorProof> => {
  const { data } = await call(publicEndpoints.secondFactorPasskey, { ticket });
  return { passkey: await promptForPasskey(data) };
};

type SwitchesProps = { methods: SecondFactorMethod[]; onSelect: (method: SecondFactorMethod) => void };

const Switches = ({ methods, onSelect }: SwitchesProps): ReactNode =>
  methods.map((method) => (
    <p key={method}>
      <button type="button" className="link-button" onClick={() => onSelect(method)}>
        {twoStepText(SWITCHES[method])}
      </button>
    </p>
  ));

/** The second step of a log-in, by one of the account's methods. */
export const SecondStep = (props: SecondStepProps): ReactNode => {
  const { step, onLeft } = props;
  const methods = step.methods.filter((method) => method !== 'passkey' || supportsPasskeys());
  const [method, setMethod] = useState<SecondFactorMethod>(methods[0] ?? 'totp');
  const [remember, setRemember] = useState(false);
  const { links } = useConfig();
  const proof = useProof(props, remember);
  const runPasskey = (): void => void proof.run(() => passkeyProof(step.ticket));
  const select = (next: SecondFactorMethod): void => {
    setMethod(next);
    // The press is what allows the browser to prompt.
    if (next === 'passkey') runPasskey();
  };
  return (
    <>
      <AuthHead title={twoStepText(TITLES[method])}>
        <p>{twoStepText(NOTES[method])}</p>
      </AuthHead>
      {method === 'passkey' ? (
        <SecondStepPasskey isBusy={proof.isBusy} failure={proof.failure} onPrompt={runPasskey} />
      ) : (
        <SecondStepCode
          key={method}
          kind={method}
          isBusy={proof.isBusy}
          failure={proof.failure}
          remember={remember}
          onRemember={setRemember}
          onCode={(proven) => proof.run(() => Promise.resolve(proven))}
        />
      )}
      <div className="auth-end">
        <Switches methods={methods.filter((other) => other !== method)} onSelect={select} />
        {method === 'recovery' && (
          <p>
            {twoStepText('noCodes')} <a href={links.support}>{twoStepText('support')}</a>
          </p>
        )}
        <p>
          <button type="button" className="link-button" onClick={() => onLeft(null)}>
            {twoStepText('back')}
          </button>
        </p>
      </div>
    </>
  );
};
