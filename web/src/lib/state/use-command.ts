import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { emailText } from '../../messages/email.ts';
import { type Failure, failureOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { revalidate } from '../data/use-query.ts';
import { useAppDispatch, useUserToken } from './hooks.tsx';
import { toasts } from './page.ts';

/**
 * Runs one change on the server at a user's press, and returns whether it is running and how it failed last. It completes
 * after its component has been left.
 *
 * Sagas run what takes several steps over time beyond one screen: the session (`features/session`) and the confirmation of
 * a payment (`features/billing/payment-result.tsx`). Reading is not a command: SWR loads, retries and caches what the
 * server returns (`lib/data`).
 */
export const useCommand = <Input = void>(perform: (input: Input) => Promise<void>) => {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A second press can come before React renders the busy state.
  const isRunning = useRef(false);
  const latest = useRef(perform);
  useLayoutEffect(() => {
    latest.current = perform;
  });
  const run = useCallback(async (input: Input): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setFailure(null);
    try {
      await latest.current(input);
    } catch (thrown) {
      setFailure(failureOf(thrown));
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }, []);
  const dismiss = useCallback(() => setFailure(null), []);
  return { isBusy, failure, run, dismiss };
};

/** Has mail sent again to an address to which none went any more. A toast says that it is on its way, or what is wrong. */
export const useRetryEmail = () => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (email: string): Promise<void> => {
    try {
      await call(publicEndpoints.retryEmail, {}, { token });
      dispatch(toasts.added(emailText('triedAgain', { email })));
    } catch (thrown) {
      dispatch(toasts.added(failureOf(thrown).message, true));
      throw thrown;
    }
    await revalidate(['profile']);
  });
};

/** Has a mail with a link sent again. A toast says that it is on its way, or how long to wait. */
const useMailAgain = (endpoint: typeof publicEndpoints.resendVerification, onSent?: () => void) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (email: string): Promise<void> => {
    try {
      await call(endpoint, {}, { token });
      if (onSent) onSent();
      else dispatch(toasts.added(emailText('sentAgain', { email })));
    } catch (thrown) {
      dispatch(toasts.added(failureOf(thrown).message, true));
      throw thrown;
    }
  });
};

/** Has another mail sent to confirm the address. */
export const useResend = (onSent?: () => void) => useMailAgain(publicEndpoints.resendVerification, onSent);

/** Has another mail sent to the new address of a requested change. */
export const useResendChange = () => useMailAgain(publicEndpoints.resendEmailChange);
