import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback } from 'react';
import { call } from '../api/call.ts';
import { failureOf } from '../api/api-error.ts';
import { emailText } from '../../messages/email.ts';
import { useAppDispatch, useUserToken } from './hooks.ts';
import { toasts } from './toasts.ts';
import { useCommand } from './use-command.ts';

type Mail = typeof publicEndpoints.resendVerification | typeof publicEndpoints.resendEmailChange;

/** Has a mail with a link sent again. A toast says that it is on its way, or how long to wait. */
const useMailAgain = (endpoint: Mail, onSent?: () => void) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const resend = useCallback(
    async (email: string): Promise<void> => {
      try {
        await call(endpoint, {}, { token });
        if (onSent) onSent();
        else dispatch(toasts.added(emailText('sentAgain', { email })));
      } catch (thrown) {
        dispatch(toasts.added(failureOf(thrown).message, true));
        throw thrown;
      }
    },
    [endpoint, token, dispatch, onSent],
  );
  return useCommand(resend);
};

/** Has another mail sent to confirm the address. */
export const useResend = (onSent?: () => void) => useMailAgain(publicEndpoints.resendVerification, onSent);

/** Has another mail sent to the new address of a requested change. */
export const useResendChange = () => useMailAgain(publicEndpoints.resendEmailChange);
