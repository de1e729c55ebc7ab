import type {
  ReauthenticationInput,
  ReauthenticationMethod,
  ReauthenticationView,
} from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { promptForPasskey, supportsPasskeys } from '../../lib/passkeys.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { twoStepText } from '../../messages/security.ts';
import { controlText } from '../../messages/shell.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';

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
        label={twoStepText('appCode')}
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

type StepUpDialogProps = { token: string; onSettled: (isProven: boolean) => void };

const useMethods = (token: string) => {
  const [view, setView] = useState<ReauthenticationView | null>(null);
  const { failure, run } = useCommand(async (): Promise<void> => {
    setView((await call(publicEndpoints.reauthentication, {}, { token })).data);
  });
  useEffect(() => void run(), [run]);
  return { view, failure, reload: () => void run() };
};

const useProof = ({ token, onSettled }: StepUpDialogProps) =>
  useCommand(async (proofOf: () => Promise<ReauthenticationInput>): Promise<void> => {
    await call(publicEndpoints.reauthenticate, await proofOf(), { token });
    onSettled(true);
  });

type Typed = Exclude<ReauthenticationMethod, 'passkey'>;

const isTyped = (method: ReauthenticationMethod): method is Typed => method !== 'passkey';

const proofWith = (method: Typed, value: string): ReauthenticationInput => {
  if (method === 'password') return { password: value };
  return method === 'totp' ? { code: value } : { recoveryCode: value };
};

type ProofFormProps = {
  form: string;
  view: ReauthenticationView;
  failure: Failure | null;
  isBusy: boolean;
  onProof: (proofOf: () => Promise<ReauthenticationInput>) => Promise<void>;
};

const ProofForm = ({ form, view, failure, isBusy, onProof }: ProofFormProps): ReactNode => {
  const typed = view.methods.filter(isTyped);
  const [method, setMethod] = useState<Typed>(typed[0] ?? 'password');
  const [value, setValue] = useState('');
  const options = supportsPasskeys() ? view.passkey : null;
  const select = (next: Typed): void => {
    setMethod(next);
    setValue('');
  };
  return (
    <form
      id={form}
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onProof(() => Promise.resolve(proofWith(method, value))).then(() => setValue(''));
      }}
    >
      <StepUpField method={method} value={value} failure={failure} onChange={setValue} />
      {options !== null && (
        <Button
          isBusy={isBusy}
          onClick={() => void onProof(async () => ({ passkey: await promptForPasskey(options) }))}
        >
          {twoStepText('usePasskey')}
        </Button>
      )}
      {typed
        .filter((other) => other !== method)
        .map((other) => (
          <p key={other}>
            <button type="button" className="link-button" onClick={() => select(other)}>
              {twoStepText(other === 'recovery' ? 'useRecovery' : 'useApp')}
            </button>
          </p>
        ))}
    </form>
  );
};

/** The password, or a second factor while two-step verification is on, before a change that requires a recent proof. */
export const StepUpDialog = (props: StepUpDialogProps): ReactNode => {
  const { token, onSettled } = props;
  const { view, failure, reload } = useMethods(token);
  const proof = useProof(props);
  const form = useId();
  const cancel = useCallback(() => onSettled(false), [onSettled]);
  return (
    <Dialog
      title={twoStepText('confirmTitle')}
      onClose={cancel}
      end={
        <>
          <Button onClick={cancel}>{controlText('cancel')}</Button>
          {view !== null && (
            <Button variant="primary" type="submit" form={form} isBusy={proof.isBusy}>
              {twoStepText('confirm')}
            </Button>
          )}
          {failure !== null && <Button onClick={reload}>{controlText('retry')}</Button>}
        </>
      }
    >
      <div className="stack">
        <p>{twoStepText('confirmText')}</p>
        {failure !== null && <FailureAlert failure={failure} />}
        {view !== null && (
          <ProofForm
            form={form}
            view={view}
            failure={proof.failure}
            isBusy={proof.isBusy}
            onProof={async (proofOf) => {
              await proof.run(proofOf);
            }}
          />
        )}
      </div>
    </Dialog>
  );
};
