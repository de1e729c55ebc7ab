import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { useState, type ReactNode } from 'react';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import type { LoginValues } from './login-rules.ts';

const INVALID = 'Please provide valid email and password';

const loadRules = async (): Promise<Rules<LoginValues>> => (await import('./login-rules.ts')).loginRules;

type LoginFormProps = {
  email: string;
  error: string | null;
  isBusy: boolean;
  onDismiss: () => void;
  onLogin: (input: LoginInput) => void;
};

export const LoginForm = ({ email, error, isBusy, onDismiss, onLogin }: LoginFormProps): ReactNode => {
  const form = useForm<LoginValues>({ initial: { email, password: '' }, loadRules });
  const [isInvalid, setIsInvalid] = useState(false);
  const message = isInvalid ? INVALID : error;

  const handleDismiss = (): void => {
    setIsInvalid(false);
    onDismiss();
  };

  return (
    <>
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
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input('email')}
        />
        <PasswordField label="Password" autoComplete="current-password" {...form.input('password')} />
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          Log In
        </Button>
      </form>
    </>
  );
};
