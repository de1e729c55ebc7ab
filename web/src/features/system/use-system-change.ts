import { useEffect } from 'react';
import { revalidate } from '../../lib/data/use-query.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { focusHeading } from '../../ui/page-header.tsx';

/** Runs a change, says what it did, and reads the screen again, after a refusal too: another admin may have been faster. */
export const useSystemChange = <Input = void>(
  change: (input: Input, token: string | null) => Promise<string>,
  onDone?: () => void,
) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (input: Input): Promise<void> => {
    try {
      dispatch(toasts.added(await change(input, token)));
      onDone?.();
      // What is repeated or discarded leaves its list.
      focusHeading();
    } finally {
      void revalidate(['system']);
    }
  });
};

/** A change by one press, whose failure is a toast, because no dialog could show it. */
export const useSystemPress = (change: (token: string | null) => Promise<string>) => {
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useSystemChange((_: void, token) => change(token));
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(failure.message, true));
  }, [failure, dispatch]);
  return { isBusy, run };
};
