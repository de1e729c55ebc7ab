import { useCallback, useEffect } from 'react';
import { useStore } from 'react-redux';
import { useAppDispatch, useAppSelector } from './hooks.ts';
import type { RootState } from './reducers.ts';
import { userCommands, type UserCommand, type UserCommandName } from './user-commands.ts';

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
