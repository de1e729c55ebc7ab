import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type Failure, failureOf } from '../api/api-error.ts';

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
