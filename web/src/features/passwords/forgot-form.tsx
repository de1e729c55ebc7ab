import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { passwordText } from '../../messages/password.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

const loadRules = async (): Promise<Rules<{ email: string }>> =>
  (await import('../../lib/form/password-rules.ts')).emailRules;

type ForgotFormProps = { email: string; onSent: (email: string) => void };

/** Requests a link to set a new password. */
export const ForgotForm = ({ email, onSent }: ForgotFormProps): ReactNode => {
  const form = useForm({ initial: { email }, loadRules });
  const request = useCallback(
    async (values: { email: string }): Promise<void> => {
      await call(publicEndpoints.forgotPassword, values);
      onSent(values.email);
    },
    [onSent],
  );
  const { isBusy, failure, run } = useCommand(request);
  return (
    <>
      {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        <TextField
          label={passwordText('email')}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input('email')}
        />
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          {passwordText('sendLink')}
        </Button>
      </form>
    </>
  );
};
