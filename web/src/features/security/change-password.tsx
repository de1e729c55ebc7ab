import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import type { PasswordChangeValues } from '../../lib/form/password-rules.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { useAreaToken, useAppDispatch, useAppSelector } from '../../lib/state/hooks.tsx';
import { isAdminPath } from '../../lib/paths.ts';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { passwordText } from '../../messages/password.ts';
import { securityText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { Line } from '../../ui/panel.tsx';

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
  const user = useAppSelector((state) => state.sessions.user.user);
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
    <FormDialog
      title={passwordText('change')}
      text={passwordText('changeText')}
      submit={passwordText('changeSubmit')}
      cancel={passwordText('changeCancel')}
      form={form}
      command={useChange(onClose)}
      onFocus={form.preloadRules}
      onClose={onClose}
    >
      <PasswordField
        label={passwordText('currentPassword')}
        autoComplete="current-password"
        data-autofocus
        {...form.input('currentPassword')}
      />
      <NewPassword form={form} label={passwordText('newPassword')} owner={owner} />
    </FormDialog>
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
