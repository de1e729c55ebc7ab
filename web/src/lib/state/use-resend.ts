import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback } from 'react';
import { call } from '../api/call.ts';
import { failureOf } from '../api/api-error.ts';
import { emailText } from '../../messages/email.ts';
import { useAppDispatch, useUserToken } from './hooks.ts';
import { toasts } from './toasts.ts';
import { useCommand } from './use-command.ts';

/** Has another mail sent to confirm the address. A toast says that it is on its way, or how long to wait. */
export const useResend = (onSent?: () => void) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const resend = useCallback(
    async (email: string): Promise<void> => {
      try {
        await call(publicEndpoints.resendVerification, {}, { token });
        if (onSent) onSent();
        else dispatch(toasts.added(emailText('sentAgain', { email })));
      } catch (thrown) {
        dispatch(toasts.added(failureOf(thrown).message, true));
        throw thrown;
      }
    },
    [token, dispatch, onSent],
  );
  return useCommand(resend);
};
