import type { AuditView } from '@shortlist/contracts/api/audit';
import { publicDoors } from '@shortlist/contracts/api/public';
import { useState, type ReactNode } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { longDate } from '../../lib/dates.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Reading } from '../../ui/reading.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { changesOf } from './changes.ts';

const PAGE_SIZE = 10;

const WORDS: Record<string, string> = {
  'plan.grant': 'Premium granted',
  'plan.revoke': 'Unsubscribed',
  'account.create': 'Account created',
  'account.set_password': 'Password set',
  'account.delete': 'Account deleted',
  'profile.update': 'Profile changed',
};

type AuditPage = { data: AuditView[]; next: string | null };

/** Kept under 'directory', so that it is read again after each change made here. */
const useAudit = (userId: string, before: string | undefined) => {
  const token = useAdminToken();
  const input = { targetId: userId, limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) };
  return useSWR<AuditPage, unknown>(
    token === null ? null : ['directory', token, 'audit', userId, before ?? ''],
    () => call(publicDoors.audit, input, { token }),
    { keepPreviousData: true },
  );
};

const Changes = ({ entry }: { entry: AuditView }): ReactNode => {
  const changes = changesOf(entry);
  if (changes.length === 0)
    return (
      <td className="is-none">
        <span className="muted">—</span>
      </td>
    );
  return (
    <td>
      {changes.map(({ name, before, after }) => (
        <span className="change" key={name}>
          {name}: {before !== null && `${before} → `}
          {after}
        </span>
      ))}
    </td>
  );
};

const Rows = ({ entries }: { entries: AuditView[] }): ReactNode => (
  <div className="scroll" tabIndex={0} role="region" aria-label="Changes by admins">
    <table className="list is-blocks">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Change</th>
          <th scope="col">When</th>
          <th scope="col">By</th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="strong nowrap">{WORDS[entry.action] ?? entry.action}</td>
            <Changes entry={entry} />
            <td className="num nowrap">
              <time dateTime={entry.at}>{longDate(entry.at)}</time>
            </td>
            <td className="clip" data-label="By" title={entry.actorEmail ?? undefined}>
              {entry.actorEmail ?? 'A former admin'}
            </td>
            <td className="num nowrap" data-label="From">
              {entry.address}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Waiting = (): ReactNode => (
  <Skeleton label="Loading the changes">
    <div className="stack inset">
      <Bar height="1.5rem" />
      <Bar height="1.5rem" />
    </div>
  </Skeleton>
);

type PageProps = { page: AuditPage; trail: string[]; onTrail: (trail: string[]) => void };

const Page = ({ page: { data, next }, trail, onTrail }: PageProps): ReactNode => {
  if (data.length === 0 && trail.length === 0)
    return <EmptyState>No admin has changed this user yet.</EmptyState>;
  return (
    <>
      <Rows entries={data} />
      {(next !== null || trail.length > 0) && (
        <Pager
          summary={trail.length === 0 ? `Latest ${data.length}` : `Page ${trail.length + 1}`}
          previous="Newer"
          next="Older"
          onPrevious={trail.length === 0 ? null : () => onTrail(trail.slice(0, -1))}
          onNext={next === null ? null : () => onTrail([...trail, next])}
        />
      )}
    </>
  );
};

/** What admins did to one user: when, from which address, before and after. */
export const AuditPanel = ({ userId }: { userId: string }): ReactNode => {
  const [trail, setTrail] = useState<string[]>([]);
  return (
    <Panel title="Changes by admins" isBare>
      <Reading
        of={useAudit(userId, trail.at(-1))}
        waiting={<Waiting />}
        failed="The changes could not be loaded"
      >
        {(page) => <Page page={page} trail={trail} onTrail={setTrail} />}
      </Reading>
    </Panel>
  );
};
