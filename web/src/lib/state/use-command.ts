import { useCallback, useRef, useState } from 'react';
import { failureOf, type Failure } from '../api/api-error.ts';

/** One thing a person does on a page: whether it is under way, and how it failed the last time. */
export const useCommand = <Input>(perform: (input: Input) => Promise<void>) => {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A second press can come before the first is drawn, so the state alone would let it through.
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
  const reset = useCallback(() => setFailure(null), []);
  return { isBusy, failure, run, reset };
};
