import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useEffect, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import type { NewPasswordValues } from '../../lib/form/password-rules.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { teamText } from '../../messages/team.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { NewPassword } from '../../ui/new-password.tsx';

const loadRules = async (): Promise<Rules<NewPasswordValues>> =>
  (await import('../../lib/form/password-rules.ts')).newPasswordRules;

const EMPTY: NewPasswordValues = { password: '', passwordRepeat: '' };

type AcceptFormProps = { token: string; email: string; onDone: () => void; onEnded: () => void };

/** Accepts an invitation with a password. */
export const AcceptForm = ({ token, email, onDone, onEnded }: AcceptFormProps): ReactNode => {
  const form = useForm({ initial: EMPTY, loadRules });
  const { setServerErrors, focusInvalid } = form;
  const { isBusy, failure, run } = useCommand(async ({ password }: NewPasswordValues): Promise<void> => {
    await call(publicEndpoints.acceptInvitation, { token, password });
    onDone();
  });
  useEffect(() => {
    if (failure === null) return;
    if (failure.code === 'identity.link_ended') return onEnded();
    setServerErrors(failure.fields);
    focusInvalid();
  }, [failure, onEnded, setServerErrors, focusInvalid]);
  const isShownAbove = failure !== null && failure.fields['password'] === undefined;
  return (
    <>
      {isShownAbove && <Alert tone="bad">{failure.message}</Alert>}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        {/* For password managers, which store the password with the address. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword form={form} label={teamText('acceptLabel')} />
        <Button type="submit" variant="primary" className="is-wide" isBusy={isBusy || form.isSubmitting}>
          {teamText('acceptIt')}
        </Button>
      </form>
    </>
  );
};
