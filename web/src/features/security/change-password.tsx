import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import type { PasswordChangeValues } from '../../lib/form/password-rules.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { passwordText } from '../../messages/password.ts';
import { NewPassword } from '../../ui/new-password.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { useAreaToken } from './use-factors.ts';

const loadRules = async (): Promise<Rules<PasswordChangeValues>> =>
  (await import('../../lib/form/password-rules.ts')).passwordChangeRules;

const EMPTY: PasswordChangeValues = { currentPassword: '', password: '', passwordRepeat: '' };

const useChange = (onClose: () => void) => {
  const token = useAreaToken();
  const dispatch = useAppDispatch();
  const change = useCallback(
    async ({ currentPassword, password }: PasswordChangeValues): Promise<void> => {
      await call(publicEndpoints.changePassword, { currentPassword, password }, { token });
      dispatch(toasts.added(passwordText('changed')));
      onClose();
    },
    [token, dispatch, onClose],
  );
  return useCommand(change);
};

/** Changes the password. The other devices are signed out, always: the old password may be known to others. */
export const ChangePassword = ({ onClose }: { onClose: () => void }): ReactNode => {
  const form = useForm({ initial: EMPTY, loadRules });
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
      <NewPassword form={form} label={passwordText('newPassword')} />
    </ChangeDialog>
  );
};
