import { controlText } from '../../messages/shell.ts';
import { type ReactNode, useEffect } from 'react';
import type { NewPasswordValues } from '../../lib/form/password-rules.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { useLoginEmail } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { NewPassword } from '../../ui/new-password.tsx';

const loadRules = async (): Promise<Rules<NewPasswordValues>> =>
  (await import('../../lib/form/password-rules.ts')).newPasswordRules;

const EMPTY: NewPasswordValues = { password: '', passwordRepeat: '' };

type NewPasswordFormProps = {
  email: string;
  label: string;
  submitLabel: string;
  perform: (password: string) => Promise<unknown>;
  onDone: () => void;
  /** The link that permits the change has ended. */
  onEnded: () => void;
};

/** Sets the password of an account for which the user has followed a link. */
export const NewPasswordForm = (props: NewPasswordFormProps): ReactNode => {
  const { email, label, submitLabel, perform, onDone, onEnded } = props;
  const form = useForm({ initial: EMPTY, loadRules });
  const { setServerErrors, focusInvalid } = form;
  const [, rememberEmail] = useLoginEmail();
  const { isBusy, failure, run } = useCommand(async ({ password }: NewPasswordValues): Promise<void> => {
    await perform(password);
    rememberEmail(email);
    onDone();
  });
  useEffect(() => {
    if (failure === null) return;
    if (failure.code === 'identity.link_ended') return onEnded();
    setServerErrors(failure.fields);
    focusInvalid();
  }, [failure, onEnded, setServerErrors, focusInvalid]);
  // A failure about the password is shown at it.
  const isShownAbove = failure !== null && failure.fields['password'] === undefined;
  return (
    <>
      {isShownAbove && <FailureAlert failure={failure} />}
      <form
        className="auth-fields"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        {/* For password managers, which store the new password with the address. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword form={form} label={label} owner={{ email }} />
        <Button
          type="submit"
          variant="primary"
          className="is-wide"
          isBusy={isBusy || form.isSubmitting}
          busyLabel={controlText('saving')}
        >
          {submitLabel}
        </Button>
      </form>
    </>
  );
};
