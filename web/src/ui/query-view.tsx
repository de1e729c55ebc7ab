import ListX from 'lucide-react/icons/list-x';
import type { ReactNode } from 'react';
import { failureOf } from '../lib/api/api-error.ts';
import { ICON } from './inline.tsx';
import { Bar, ErrorState, Skeleton, useDelay } from './states.tsx';

/** The part of SWR's result that rendering needs. */
export type QueryState<Data> = {
  data: Data | undefined;
  error: unknown;
  isValidating: boolean;
  mutate: () => Promise<unknown>;
};

/** Whether a query has data or has failed: until then, what it shows has no height, and what stands below would move. */
export const isSettled = ({ data, error }: Pick<QueryState<unknown>, 'data' | 'error'>): boolean =>
  data !== undefined || error !== undefined;

const PATIENCE_MS = 2_000;

/** Whether the height of what these queries show is known. One that takes long does not keep the others back. */
export const useAreSettled = (queries: readonly Pick<QueryState<unknown>, 'data' | 'error'>[]): boolean => {
  const isLate = useDelay(PATIENCE_MS);
  return isLate || queries.every(isSettled);
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
  const failure = failureOf(query.error);
  const { message } = failure;
  return (
    <ErrorState
      title={errorTitle}
      message={reassurance === undefined ? message : `${message} ${reassurance}`}
      failure={failure}
      isRetrying={query.isValidating}
      onRetry={onRetry ?? (() => void query.mutate())}
    />
  );
};

/** Stands for the rows of a list inside a panel. */
export const LinesSkeleton = ({ label, lines }: { label: string; lines: number }): ReactNode => (
  <Skeleton label={label}>
    <div className="stack panel-inset">
      {Array.from({ length: lines }, (_, index) => (
        <Bar key={index} height="1.5rem" />
      ))}
    </div>
  </Skeleton>
);

type EmptyStateProps = { icon?: ReactNode; title?: string; children: ReactNode; action?: ReactNode };

/** The state of a list without entries: one line, as high as two of the list. */
export const EmptyState = (props: EmptyStateProps): ReactNode => {
  const { icon = <ListX {...ICON} />, title, children, action } = props;
  return (
    <div className="empty-state">
      {icon}
      <div>
        {title !== undefined && <h3>{title}</h3>}
        <p>{children}</p>
      </div>
      {action}
    </div>
  );
};
