import { useEffect, useRef } from 'react';
import type { Failure } from '../api/api-error.ts';

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
