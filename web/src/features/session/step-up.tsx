import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { onStepUp, type StepUpRequest } from '../../lib/api/call.ts';

const StepUpDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }));

/** Shows the dialog in which a user proves again who they are; one for all requests that wait for it. */
export const StepUp = (): ReactNode => {
  const [requests, setRequests] = useState<StepUpRequest[]>([]);
  useEffect(() => onStepUp((request) => setRequests((waiting) => [...waiting, request])), []);
  const settle = useCallback(
    (isProven: boolean): void => {
      for (const request of requests) request.settle(isProven);
      setRequests([]);
    },
    [requests],
  );
  const [first] = requests;
  if (first === undefined) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog token={first.token} onSettled={settle} />
    </Suspense>
  );
};
