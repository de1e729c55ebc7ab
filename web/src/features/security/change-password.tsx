import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import type { PasswordChangeValues } from '../../lib/form/password-rules.ts';
import { type Form, type Rules, useForm, type Values } from '../../lib/form/use-form.ts';
import { useRefusal } from '../../lib/form/use-refusal.ts';
import { useAreaToken, useAppDispatch, useAppSelector } from '../../lib/state/hooks.tsx';
import { isAdminPath } from '../../lib/paths.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { passwordText } from '../../messages/password.ts';
import { securityText } from '../../messages/security.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { Line } from '../../ui/panel.tsx';

type ChangeDialogProps<V extends Values> = {
  title: string;
  text: string;
  submit: string;
  cancel: string;
  form: Form<V>;
  command: { isBusy: boolean; failure: Failure | null; run: (values: V) => Promise<void> };
  onClose: () => void;
  children: ReactNode;
};

/** A dialog with the form of one change. Errors of the server are shown at their fields, or above all of them. */
export const ChangeDialog = <V extends Values>({
  form,
  command: { isBusy, failure, run },
  ...props
}: ChangeDialogProps<V>): ReactNode => {
  const formId = useId();
  useRefusal(form, failure);
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      end={
        <>
          <Button onClick={props.onClose}>{props.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy || form.isSubmitting}>
            {props.submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="stack"
        noValidate
        onFocus={form.preloadRules}
        onSubmit={(event) => void form.submit(event, (values) => void run(values))}
      >
        <p>{props.text}</p>
        {failure !== null && Object.keys(failure.fields).length === 0 && <FailureAlert failure={failure} />}
        {props.children}
      </form>
    </Dialog>
  );
};

const loadRules = async (): Promise<Rules<PasswordChangeValues>> =>
  (await import('../../lib/form/password-rules.ts')).passwordChangeRules;

const EMPTY: PasswordChangeValues = { currentPassword: '', password: '', passwordRepeat: '' };

const useChange = (onClose: () => void) => {
  const token = useAreaToken();
  const dispatch = useAppDispatch();
  return useCommand(async ({ currentPassword, password }: PasswordChangeValues): Promise<void> => {
    await call(publicEndpoints.changePassword, { currentPassword, password }, { token });
    dispatch(toasts.added(passwordText('changed')));
    onClose();
  });
};

/** The address of an admin is not known here; the server knows it. */
const useOwner = (): { email: string; words: string[] } => {
  const user = useAppSelector((state) => state.endUserAuth.endUserInfo);
  const isAdmin = isAdminPath(useLocation().pathname);
  return user === null || isAdmin
    ? { email: '', words: [] }
    : { email: user.email, words: [user.firstName, user.lastName] };
};

/** Changes the password. The other devices are signed out, always: the old password may be known to others. */
const ChangePassword = ({ onClose }: { onClose: () => void }): ReactNode => {
  const form = useForm({ initial: EMPTY, loadRules });
  const owner = useOwner();
  return (
    <ChangeDialog
      title={passwordText('change')}
      text={passwordText('changeText')}
      submit={passwordText('changeSubmit')}
      cancel={passwordText('changeCancel')}
      form={form}
      command={useChange(onClose)}
      onClose={onClose}
    >
      <PasswordField
        label={passwordText('currentPassword')}
        autoComplete="current-password"
        data-autofocus
        {...form.input('currentPassword')}
      />
      <NewPassword form={form} label={passwordText('newPassword')} owner={owner} />
    </ChangeDialog>
  );
};

/** The password of the account, with the dialog that changes it. */
export const PasswordLine = (): ReactNode => {
  const [isChanging, setIsChanging] = useState(false);
  const handleClose = useCallback(() => setIsChanging(false), []);
  return (
    <Line title={securityText('password')} note={securityText('passwordNote')}>
      <Button aria-label={securityText('changePassword')} onClick={() => setIsChanging(true)}>
        {securityText('change')}
      </Button>
      {isChanging && <ChangePassword onClose={handleClose} />}
    </Line>
  );
};
