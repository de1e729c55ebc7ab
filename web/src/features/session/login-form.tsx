import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { sessionText } from '../../messages/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import type { LoginValues } from './login-rules.ts';

const loadRules = async (): Promise<Rules<LoginValues>> => (await import('./login-rules.ts')).loginRules;

type LoginFormProps = {
  email: string;
  /** A message above the form, until the first error. */
  notice?: ReactNode;
  /** Starts with the focus in the password, because the email is filled in. */
  isEmailKnown?: boolean;
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
  const { email, notice, isEmailKnown = false, error, isBusy, onDismiss, onLogin } = props;
  const form = useForm<LoginValues>({ initial: { email, password: '' }, loadRules });
  const [isInvalid, setIsInvalid] = useState(false);
  const message = isInvalid ? sessionText('invalid') : error;
  const hasFailed = useHasFailed(message);
  const password = usePasswordFocus(isEmailKnown);

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
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          {sessionText('logIn')}
        </Button>
      </form>
    </>
  );
};
