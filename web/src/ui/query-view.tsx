import type { ReactNode } from 'react';
import { failureOf } from '../lib/api/api-error.ts';
import { ErrorState } from './states.tsx';

/** The part of SWR's result that rendering needs. */
export type QueryState<Data> = {
  data: Data | undefined;
  error: unknown;
  isValidating: boolean;
  mutate: () => Promise<unknown>;
};

type QueryViewProps<Data> = {
  query: QueryState<Data>;
  skeleton: ReactNode;
  errorTitle: string;
  /** A sentence after the error message: what is not affected. */
  reassurance?: string;
  onRetry?: () => void;
  children: (data: Data) => ReactNode;
};

/** Renders a query: its skeleton, its error with a retry, or its data, which later failures do not remove. */
export const QueryView = <Data,>(props: QueryViewProps<Data>): ReactNode => {
  const { query, skeleton, errorTitle, reassurance, onRetry, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error === undefined) return skeleton;
  const { message } = failureOf(query.error);
  return (
    <ErrorState
      title={errorTitle}
      message={reassurance === undefined ? message : `${message} ${reassurance}`}
      isRetrying={query.isValidating}
      onRetry={onRetry ?? (() => void query.mutate())}
    />
  );
};
