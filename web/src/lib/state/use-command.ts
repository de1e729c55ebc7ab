import { useCallback, useRef, useState } from 'react';
import { failureOf, type Failure } from '../api/api-error.ts';

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
