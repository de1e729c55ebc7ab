import type { ReactNode } from 'react';
import { failureOf } from '../lib/api/api-error.ts';
import { ErrorState } from './states.tsx';

/** What SWR gives back, as far as showing it needs. */
export type QueryState<Data> = {
  data: Data | undefined;
  error: unknown;
  isValidating: boolean;
  mutate: () => Promise<unknown>;
};

type QueryViewProps<Data> = {
  query: QueryState<Data>;
  skeleton: ReactNode;
  /** What is said when it cannot be loaded, above the cause. */
  errorTitle: string;
  /** What stays safe all the same. */
  reassurance?: string;
  onRetry?: () => void;
  children: (data: Data) => ReactNode;
};

/** Something the server is asked for, in its three states. What was once read stays on the screen through later failures. */
export const QueryView = <Data,>(props: QueryViewProps<Data>): ReactNode => {
  const { query: state, skeleton, errorTitle, reassurance, onRetry, children } = props;
  if (state.data !== undefined) return children(state.data);
  if (state.error === undefined) return skeleton;
  const { message } = failureOf(state.error);
  return (
    <ErrorState
      title={errorTitle}
      message={reassurance === undefined ? message : `${message} ${reassurance}`}
      isRetrying={state.isValidating}
      onRetry={onRetry ?? (() => void state.mutate())}
    />
  );
};
