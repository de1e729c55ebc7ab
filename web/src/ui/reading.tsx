import type { ReactNode } from 'react';
import { failureOf } from '../lib/api/api-error.ts';
import { ErrorState } from './states.tsx';

/** What SWR gives back, as far as showing it needs. */
export type ReadingState<Data> = {
  data: Data | undefined;
  error: unknown;
  isValidating: boolean;
  mutate: () => Promise<unknown>;
};

type ReadingProps<Data> = {
  of: ReadingState<Data>;
  waiting: ReactNode;
  /** What is said when it cannot be loaded, above the cause. */
  failed: string;
  /** What stays safe all the same. */
  comfort?: string;
  onRetry?: () => void;
  children: (data: Data) => ReactNode;
};

/** Something the server is asked for, in its three states. What was once read stays on the screen through later failures. */
export const Reading = <Data,>(props: ReadingProps<Data>): ReactNode => {
  const { of: state, waiting, failed, comfort, onRetry, children } = props;
  if (state.data !== undefined) return children(state.data);
  if (state.error === undefined) return waiting;
  const { message } = failureOf(state.error);
  return (
    <ErrorState
      title={failed}
      message={comfort === undefined ? message : `${message} ${comfort}`}
      isRetrying={state.isValidating}
      onRetry={onRetry ?? (() => void state.mutate())}
    />
  );
};
