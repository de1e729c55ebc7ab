import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { emailText } from '../../messages/email.ts';
import { type Failure, failureOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAppDispatch, useAppSelector, useUserToken } from './hooks.tsx';
import type { RootState } from './reducers.ts';
import { toasts } from './toasts.ts';
import { type UserCommand, type UserCommandName, userCommands } from './user-commands.ts';

/** Calls `onSuccess` once each time the command has ended without a failure. */
export const useAfterSuccess = (
  { isBusy, failure }: { isBusy: boolean; failure: Failure | null },
  onSuccess: () => void,
): void => {
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy && failure === null) onSuccess();
    wasBusy.current = isBusy;
  }, [isBusy, failure, onSuccess]);
};

/**
 * Runs one request at a user's press, and returns whether it is running and how it failed last.
 *
 * Each change that a screen makes on the server goes through one of two idioms, and no endpoint through both:
 * - A saga runs a command that takes several steps over time or has effects beyond its screen: the session
 *   (`features/session`), user accounts (`useUserCommand`) and the confirmation of a payment (`payment-confirmation.ts`).
 *   Its state is in the store.
 * - `useCommand` runs every other command: a single request whose state only its component needs.
 *
 * Reading is not a command: SWR loads, retries and caches what the server returns (`lib/data`).
 */
export const useCommand = <Input>(perform: (input: Input) => Promise<void>) => {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A second press can come before React renders the busy state.
  const isRunning = useRef(false);
  const run = useCallback(
    async (input: Input): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setIsBusy(true);
      setFailure(null);
      try {
        await perform(input);
      } catch (thrown) {
        setFailure(failureOf(thrown));
      } finally {
        isRunning.current = false;
        setIsBusy(false);
      }
    },
    [perform],
  );
  return { isBusy, failure, run };
};

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

type Input<Name extends UserCommandName> = Omit<Extract<UserCommand, { name: Name }>, 'name'>;

/**
 * One user command of a component. Unmounting the component resets the command's state. The component's page starts the
 * saga that runs the command: `useSaga(userCommandsSaga)`.
 */
export const useUserCommand = <Name extends UserCommandName>(name: Name) => {
  const { busy, failure } = useAppSelector((state) => state.userCommands[name]);
  const store = useStore<RootState>();
  const dispatch = useAppDispatch();
  const run = useCallback(
    (input: Input<Name>): void => {
      // A second press can come before React renders the busy state.
      if (store.getState().userCommands[name].busy) return;
      dispatch(userCommands.requested({ name, ...input } as UserCommand));
    },
    [store, dispatch, name],
  );
  const reset = useCallback((): void => void dispatch(userCommands.reset(name)), [dispatch, name]);
  useEffect(() => reset, [reset]);
  return { isBusy: busy, failure, run, reset };
};
