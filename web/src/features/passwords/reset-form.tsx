import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import type { NewPasswordValues } from '../../lib/form/password-rules.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { passwordText } from '../../messages/password.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { NewPassword } from '../../ui/new-password.tsx';

const loadRules = async (): Promise<Rules<NewPasswordValues>> =>
  (await import('../../lib/form/password-rules.ts')).newPasswordRules;

const EMPTY: NewPasswordValues = { password: '', passwordRepeat: '' };

type ResetFormProps = { token: string; email: string; onDone: () => void; onEnded: () => void };

/** The failures that the form shows above its fields; one about the password is shown at it. */
const isShownAbove = (failure: Failure | null): failure is Failure =>
  failure !== null && failure.fields['password'] === undefined;

/** Sets a new password with the token of a link. */
export const ResetForm = ({ token, email, onDone, onEnded }: ResetFormProps): ReactNode => {
  const form = useForm({ initial: EMPTY, loadRules });
  const { setServerErrors, focusInvalid } = form;
  const save = useCallback(
    async ({ password }: NewPasswordValues): Promise<void> => {
      await call(publicEndpoints.resetPassword, { token, password });
      onDone();
    },
    [token, onDone],
  );
  const { isBusy, failure, run } = useCommand(save);
  useEffect(() => {
    if (failure === null) return;
    if (failure.code === 'identity.link_ended') return onEnded();
    setServerErrors(failure.fields);
    focusInvalid();
  }, [failure, onEnded, setServerErrors, focusInvalid]);
  return (
    <>
      {isShownAbove(failure) && <Alert tone="bad">{failure.message}</Alert>}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        {/* For password managers, which store the new password with the address. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword form={form} label={passwordText('newPassword')} />
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          {passwordText('save')}
        </Button>
      </form>
    </>
  );
};
