import { SYSTEM_ACTOR_ID, type AuditView } from '@shortlist/contracts/api/audit';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useState, type ReactNode } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { longDate } from '../../lib/dates.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { changesOf } from './changes.ts';

const PAGE_SIZE = 10;

const ACTION_LABELS: Record<string, string> = {
  'plan.grant': 'Premium granted',
  'plan.revoke': 'Unsubscribed',
  'alert.resolve': 'Alert resolved',
  'account.create': 'Account created',
  'account.set_password': 'Password set',
  'account.delete': 'Account deleted',
  'profile.update': 'Profile changed',
  'payment.refund': 'Payment refunded',
};

type AuditPage = { data: AuditView[]; next: string | null };

/** The key begins with 'directory', so that each of an admin's changes revalidates the entries. */
const useAudit = (userId: string, before: string | undefined) => {
  const token = useAdminToken();
  const input = { targetId: userId, limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) };
  return useSWR<AuditPage, unknown>(
    token === null ? null : ['directory', token, 'audit', userId, before ?? ''],
    () => call(publicEndpoints.audit, input, { token }),
    { keepPreviousData: true },
  );
};

const actorOf = ({ actorId, actorEmail }: AuditView): string =>
  actorId === SYSTEM_ACTOR_ID ? 'Automatic' : (actorEmail ?? 'A former admin');

const Entry = ({ entry }: { entry: AuditView }): ReactNode => (
  <li>
    <strong>{ACTION_LABELS[entry.action] ?? entry.action}</strong>
    {changesOf(entry).map(({ name, before, after }) => (
      <span key={name}>
        {name}: {before !== null && `${before} → `}
        {after}
      </span>
    ))}
    <span className="change-log-source num">
      <bdi>{actorOf(entry)}</bdi>
      <time dateTime={entry.at}>{longDate(entry.at)}</time>
      {entry.address !== '' && (
        <span>
          from <bdi>{entry.address}</bdi>
        </span>
      )}
    </span>
  </li>
);

const LogSkeleton = (): ReactNode => (
  <Skeleton label="Loading the changes">
    <ul className="change-log">
      {['60%', '45%', '55%'].map((width) => (
        <li key={width}>
          <Bar width={width} height="1.5rem" />
          <Bar width="80%" height="1.25rem" />
        </li>
      ))}
    </ul>
  </Skeleton>
);

type PageProps = { page: AuditPage; cursors: string[]; onCursorsChange: (cursors: string[]) => void };

const Page = ({ page: { data, next }, cursors, onCursorsChange }: PageProps): ReactNode => {
  if (data.length === 0 && cursors.length === 0)
    return <EmptyState>No admin has changed this user yet.</EmptyState>;
  return (
    <>
      <ul className="change-log">
        {data.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {(next !== null || cursors.length > 0) && (
        <Pager
          summary={cursors.length === 0 ? `Latest ${data.length}` : `Page ${cursors.length + 1}`}
          previous="Newer"
          next="Older"
          onPrevious={cursors.length === 0 ? null : () => onCursorsChange(cursors.slice(0, -1))}
          onNext={next === null ? null : () => onCursorsChange([...cursors, next])}
        />
      )}
    </>
  );
};

/** The audit log of one user: the admins' changes with time, address, and the values before and after. */
export const AuditPanel = ({ userId }: { userId: string }): ReactNode => {
  const [cursors, setCursors] = useState<string[]>([]);
  return (
    <Panel title="Changes by admins" isBare>
      <QueryView
        query={useAudit(userId, cursors.at(-1))}
        skeleton={<LogSkeleton />}
        errorTitle="The changes could not be loaded"
      >
        {(page) => <Page page={page} cursors={cursors} onCursorsChange={setCursors} />}
      </QueryView>
    </Panel>
  );
};
