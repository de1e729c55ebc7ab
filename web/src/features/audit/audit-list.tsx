import type { AuditView } from '@shortlist/contracts/api/audit';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { shellText } from '../../messages/shell.ts';
import { auditText } from '../../messages/audit.ts';
import { Pager } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { AuditEntryLine } from './audit-entry.tsx';
import type { AuditFilterValues } from './audit-filters.tsx';

type AuditPage = { data: AuditView[]; next: string | null };
/** `userId`: only the entries about one user. */
type AuditListProps = {
  userId?: string;
  filters?: AuditFilterValues;
  pageSize: number;
  empty: ReactNode;
};

/** Of the area 'directory', so that each of an admin's changes reads the entries again. */
const useAudit = ({ userId, filters, pageSize }: AuditListProps, before: string | undefined) => {
  const input = {
    ...filters,
    limit: pageSize,
    ...(userId === undefined ? {} : { targetId: userId }),
    ...(before === undefined ? {} : { before }),
  };
  return useQuery('directory', publicEndpoints.audit, input, { keepPreviousData: true });
};

const LogSkeleton = (): ReactNode => (
  <Skeleton label={auditText('loading')}>
    <ul className="opening-lines">
      {['60%', '45%', '55%'].map((width) => (
        <li key={width} className="panel-inset">
          <Bar width={width} height="1.25rem" />
        </li>
      ))}
    </ul>
  </Skeleton>
);

type PageProps = {
  page: AuditPage;
  isOfOneUser: boolean;
  empty: ReactNode;
  cursors: string[];
  onCursorsChange: (cursors: string[]) => void;
};

const Page = ({
  page: { data, next },
  isOfOneUser,
  empty,
  cursors,
  onCursorsChange,
}: PageProps): ReactNode => {
  if (data.length === 0 && cursors.length === 0) return empty;
  const summary =
    cursors.length === 0
      ? auditText('latest', { count: data.length })
      : auditText('page', { page: cursors.length + 1 });
  return (
    <>
      <ul className="opening-lines">
        {data.map((entry) => (
          <AuditEntryLine key={entry.id} entry={entry} isOfOneUser={isOfOneUser} />
        ))}
      </ul>
      {(next !== null || cursors.length > 0) && (
        <Pager
          summary={summary}
          previous={auditText('newer')}
          next={auditText('older')}
          onPrevious={cursors.length === 0 ? null : () => onCursorsChange(cursors.slice(0, -1))}
          onNext={next === null ? null : () => onCursorsChange([...cursors, next])}
        />
      )}
    </>
  );
};

/** The entries of the audit log in words, newest first. */
export const AuditList = (props: AuditListProps): ReactNode => {
  const [cursors, setCursors] = useState<string[]>([]);
  return (
    <QueryView
      query={useAudit(props, cursors.at(-1))}
      skeleton={<LogSkeleton />}
      errorTitle={auditText('failed')}
    >
      {(page) => (
        <Page
          page={page}
          isOfOneUser={props.userId !== undefined}
          empty={props.empty}
          cursors={cursors}
          onCursorsChange={setCursors}
        />
      )}
    </QueryView>
  );
};

/** The audit log of one user. */
export const AuditPanel = ({ userId }: { userId: string }): ReactNode => (
  <Panel title={shellText('auditLog')} isBare>
    <AuditList userId={userId} pageSize={10} empty={<EmptyState>{auditText('noneForUser')}</EmptyState>} />
  </Panel>
);
