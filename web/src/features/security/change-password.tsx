import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, useId, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import type { PasswordChangeValues } from '../../lib/form/password-rules.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { passwordText } from '../../messages/password.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
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
  const { setServerErrors, focusInvalid } = form;
  const { isBusy, failure, run } = useChange(onClose);
  const formId = useId();
  useEffect(() => {
    if (failure === null) return;
    setServerErrors(failure.fields);
    focusInvalid();
  }, [failure, setServerErrors, focusInvalid]);
  return (
    <Dialog
      title={passwordText('change')}
      onClose={onClose}
      end={
        <>
          <Button onClick={onClose}>{passwordText('changeCancel')}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy || form.isSubmitting}>
            {passwordText('changeSubmit')}
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
        <p>{passwordText('changeText')}</p>
        {failure !== null && Object.keys(failure.fields).length === 0 && (
          <Alert tone="bad">{failure.message}</Alert>
        )}
        <PasswordField
          label={passwordText('currentPassword')}
          autoComplete="current-password"
          data-autofocus
          {...form.input('currentPassword')}
        />
        <NewPassword form={form} label={passwordText('newPassword')} />
      </form>
    </Dialog>
  );
};
