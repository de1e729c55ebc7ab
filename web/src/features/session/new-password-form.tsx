import { controlText } from '../../messages/shell.ts';
import { type ReactNode, useEffect } from 'react';
import type { NewPasswordValues } from '../../lib/form/password-rules.ts';
import { type Form, type Rules, useForm, type Values } from '../../lib/form/use-form.ts';
import { useLoginEmail } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { NewPassword } from '../../ui/new-password.tsx';

const loadRules = async (): Promise<Rules<NewPasswordValues>> =>
  (await import('../../lib/form/password-rules.ts')).newPasswordRules;

const EMPTY: NewPasswordValues = { password: '', passwordRepeat: '' };

/** The form of a new password without other fields. */
export const useNewPassword = (): Form<NewPasswordValues> => useForm({ initial: EMPTY, loadRules });

type NewPasswordFormProps<V extends Values & NewPasswordValues> = {
  form: Form<V>;
  /** Whose password it is. */
  owner: { email: string; words?: readonly string[] };
  label: string;
  submitLabel: string;
  perform: (values: V) => Promise<unknown>;
  onDone: () => void;
  /** The link that permits the change has ended. */
  onEnded: () => void;
  /** The fields above the password. */
  children?: ReactNode;
};

/** Sets the password of an account for which the user has followed a link. */
export const NewPasswordForm = <V extends Values & NewPasswordValues>(
  props: NewPasswordFormProps<V>,
): ReactNode => {
  const { form, owner, label, submitLabel, perform, onDone, onEnded, children } = props;
  const { setRefused, focusInvalid } = form;
  const [, rememberEmail] = useLoginEmail();
  const { isBusy, failure, run } = useCommand(async (values: V): Promise<void> => {
    await perform(values);
    rememberEmail(owner.email);
    onDone();
  });
  useEffect(() => {
    if (failure === null) return;
    if (failure.code === 'identity.link_ended') return onEnded();
    setRefused(failure.fields);
    focusInvalid();
  }, [failure, onEnded, setRefused, focusInvalid]);
  // A failure about a field of the form is shown at it.
  const isShownAbove =
    failure !== null && Object.keys(failure.fields).every((name) => !(name in form.values));
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
        <input type="email" name="email" autoComplete="username" value={owner.email} readOnly hidden />
        {children}
        <NewPassword form={form} label={label} owner={owner} />
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
