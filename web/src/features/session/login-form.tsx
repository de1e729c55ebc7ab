import { readableEmail } from '@shortlist/contracts/unicode';
import type { Role } from '@shortlist/contracts/api/identity';
import type { LogInReply } from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { type ReactNode, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { call } from '../../lib/api/call.ts';
import type { LoginValues } from '../../lib/form/password-rules.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { promptForPasskey, supportsPasskeys } from '../../lib/passkeys.ts';
import { useLoginEmail } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { sampleCandidates, sessionText } from '../../messages/session.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';

type PasskeyLogInProps = { role: Role; onCompleted: (reply: LogInReply) => void };

/** Known in the browser alone: the log-in page is also rendered before. */
const usePasskeySupport = (): boolean =>
  useSyncExternalStore(
    () => () => undefined, // it does not change
    supportsPasskeys,
    () => false,
  );

/** A log-in without a password, where the browser has passkeys. */
export const PasskeyLogIn = ({ role, onCompleted }: PasskeyLogInProps): ReactNode => {
  const isSupported = usePasskeySupport();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.passkeyLogInOptions, {});
    const passkey = await promptForPasskey(data);
    onCompleted(await call(publicEndpoints.passkeyLogIn, { passkey, role }));
  });
  if (!isSupported) return null;
  return (
    <div className="auth-end auth-fields">
      {failure !== null && <FailureAlert failure={failure} />}
      <Button className="is-wide" isBusy={isBusy} onClick={() => void run()}>
        {sessionText('usePasskey')}
      </Button>
    </div>
  );
};

/** The positions of the marked lines. */
const MARKED = [1, 4, 5];

/** An illustration of the product, hidden from screen readers. */
export const MarkedList = (): ReactNode => (
  <div className="marked-list" aria-hidden="true">
    <ol>
      {Object.entries(sampleCandidates.entries).map(([name, city], index) => (
        <li key={name} className={MARKED.includes(index) ? 'is-marked' : undefined}>
          <span>{name}</span>
          <span>{city}</span>
        </li>
      ))}
    </ol>
    <p>{sessionText('pitch')}</p>
  </div>
);

const loadRules = async (): Promise<Rules<LoginValues>> =>
  (await import('../../lib/form/password-rules.ts')).loginRules;

type LoginFormProps = {
  /** Of a link; without one, the address that was typed before. With either, the focus starts in the password. */
  email?: string;
  /** A message above the form, until the first error. */
  notice?: ReactNode;
  error: string | null;
  isBusy: boolean;
  onDismiss: () => void;
  onLogin: (input: LoginInput) => void;
};

/** Focuses the password after the page's heading has had the focus. */
const usePasswordFocus = (isEmailKnown: boolean) => {
  const password = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isEmailKnown) password.current?.focus();
  }, [isEmailKnown]);
  return password;
};

/** Whether there has been an error since the form was opened. */
const useHasFailed = (message: string | null): boolean => {
  const [hasFailed, setHasFailed] = useState(false);
  if (message !== null && !hasFailed) setHasFailed(true);
  return hasFailed;
};

export const LoginForm = (props: LoginFormProps): ReactNode => {
  const { notice, error, isBusy, onDismiss, onLogin } = props;
  const [typed, remember] = useLoginEmail();
  const email = readableEmail(props.email || typed);
  const form = useForm<LoginValues>({ initial: { email, password: '' }, loadRules });
  const [isInvalid, setIsInvalid] = useState(false);
  const message = isInvalid ? sessionText('invalid') : error;
  const hasFailed = useHasFailed(message);
  const password = usePasswordFocus(email !== '');

  const handleDismiss = (): void => {
    setIsInvalid(false);
    onDismiss();
  };

  return (
    <>
      {!hasFailed && notice}
      {message !== null && (
        <Alert tone="bad" onDismiss={handleDismiss}>
          {message}
        </Alert>
      )}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onBlur={() => remember(form.values.email)}
        onSubmit={(event) => {
          onDismiss();
          void form.submit(event, onLogin).then(setIsInvalid);
        }}
      >
        <TextField
          label={sessionText('email')}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input('email')}
        />
        <PasswordField
          ref={password}
          label={sessionText('password')}
          autoComplete="current-password"
          {...form.input('password')}
        />
        <Button
          type="submit"
          variant="primary"
          className="is-wide"
          isBusy={isBusy || form.isSubmitting}
          busyLabel={sessionText('loggingIn')}
        >
          {sessionText('logIn')}
        </Button>
      </form>
    </>
  );
};
