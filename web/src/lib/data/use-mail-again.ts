import { readableEmail } from '@shortlist/contracts/unicode';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { emailText } from '../../messages/email.ts';
import { failureOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAppDispatch, useUserToken } from '../state/hooks.tsx';
import { toasts } from '../state/page.ts';
import { useCommand } from '../state/use-command.ts';
import { revalidate } from './use-query.ts';

const { resendVerification, resendEmailChange, retryEmail } = publicEndpoints;

/** Has a mail sent again to an address of the user. A toast says what is wrong if it cannot be sent. */
const useMailAgain = (endpoint: typeof resendVerification, onSent: (email: string) => unknown) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (email: string): Promise<void> => {
    try {
      await call(endpoint, {}, { token });
    } catch (thrown) {
      dispatch(toasts.added(failureOf(thrown).message, true));
      throw thrown;
    }
    await onSent(email);
  });
};

const useToast = (text: 'sentAgain' | 'triedAgain') => {
  const dispatch = useAppDispatch();
  return (email: string) => dispatch(toasts.added(emailText(text, { email: readableEmail(email) })));
};

/** Sends another mail to confirm the address. A toast says so, unless the page does. */
export const useResend = (onSent?: () => void) => {
  const toast = useToast('sentAgain');
  return useMailAgain(resendVerification, onSent ?? toast);
};

/** Sends another mail to the new address of a requested change. */
export const useResendChange = () => useMailAgain(resendEmailChange, useToast('sentAgain'));

/** Sends a mail to an address to which none was sent any more. */
export const useRetryEmail = () => {
  const toast = useToast('triedAgain');
  return useMailAgain(retryEmail, async (email) => {
    toast(email);
    await revalidate(['profile']);
  });
};
