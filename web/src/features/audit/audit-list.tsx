import { type AuditQuery, type AuditView, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useQuery } from '../../lib/data/use-query.ts';
import { longDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { changedParams, type ChangeFilters, currentParams, dayEdge } from '../../lib/url-filters.ts';
import { auditText } from '../../messages/audit.ts';
import { DateFilter, FilterSelect } from '../../ui/filters.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Bar, EmptyState, QueryView, Skeleton } from '../../ui/states.tsx';
import { ACTION_NAMES, describeEntry } from './describe-entry.ts';

type AuditFilterValues = Pick<AuditQuery, 'action' | 'from' | 'to'>;

const valuesOf = (params: URLSearchParams): AuditFilterValues => {
  const values = {
    action: ACTION_NAMES.find((name) => name === params.get('action')),
    from: dayEdge(params.get('from'), 'start'),
    to: dayEdge(params.get('to'), 'end'),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
};

/** The filters of the audit log are in the URL, so that a link, a reload or Back restores them. */
export const useAuditFilters = () => {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => valuesOf(params), [params]);
  const change: ChangeFilters = useCallback(
    (part, { replace = false } = {}) => setParams(() => changedParams(currentParams(), part), { replace }),
    [setParams],
  );
  return { params, filters, change };
};

type AuditFiltersProps = { params: URLSearchParams; onChange: ChangeFilters };

export const AuditFilters = (state: AuditFiltersProps): ReactNode => (
  <div className="filters measure" role="search">
    <FilterSelect name="action" label={auditText('action')} {...state}>
      <option value="">{auditText('allActions')}</option>
      {ACTION_NAMES.map((name) => (
        <option key={name} value={name}>
          {auditText(name)}
        </option>
      ))}
    </FilterSelect>
    <DateFilter name="from" label={auditText('fromDay')} {...state} />
    <DateFilter name="to" label={auditText('toDay')} {...state} />
  </div>
);

type AuditPage = { data: AuditView[]; next: string | null };
/** `userId`: only the entries about one user. */
type AuditListProps = {
  userId?: string;
  filters?: AuditFilterValues;
  pageSize: number;
  emptyText: string;
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

/** Actions that users take about their own accounts. */
const BY_USERS = /^(account|terms)\./;

const actorOf = ({ actorId, actorEmail, targetId, action }: AuditView): string => {
  if (actorId === SYSTEM_ACTOR_ID) return auditText('system');
  if (actorEmail !== null) return actorEmail;
  return actorId === targetId && BY_USERS.test(action) ? auditText('theUser') : auditText('formerAdmin');
};

/** Actions whose target is a user that the admin may open. */
const ABOUT_USER = /^(account\.(create|set_password)|plan|profile|terms)\b/;

const Source = ({ entry }: { entry: AuditView }): ReactNode => (
  <span className="change-log-source num">
    <bdi>{actorOf(entry)}</bdi>
    <time dateTime={entry.at}>{longDate(entry.at)}</time>
    {entry.address !== '' && (
      <span>{auditText.rich<ReactNode>('from', { address: <bdi key="address">{entry.address}</bdi> })}</span>
    )}
  </span>
);

const Entry = ({ entry, hasLink }: { entry: AuditView; hasLink: boolean }): ReactNode => {
  const { title, details } = describeEntry(entry);
  return (
    <li>
      <strong>{title}</strong>
      {details.map((detail) => (
        <span key={detail}>{detail}</span>
      ))}
      <Source entry={entry} />
      {hasLink && ABOUT_USER.test(entry.action) && (
        <Link to={paths.editUser(entry.targetId)}>{auditText('viewUser')}</Link>
      )}
    </li>
  );
};

const LogSkeleton = (): ReactNode => (
  <Skeleton label={auditText('loading')}>
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

type PageProps = Pick<AuditListProps, 'userId' | 'emptyText'> & {
  page: AuditPage;
  cursors: string[];
  onCursorsChange: (cursors: string[]) => void;
};

const Page = ({ page: { data, next }, cursors, onCursorsChange, ...list }: PageProps): ReactNode => {
  if (data.length === 0 && cursors.length === 0) return <EmptyState>{list.emptyText}</EmptyState>;
  const summary =
    cursors.length === 0
      ? auditText('latest', { count: data.length })
      : auditText('page', { page: cursors.length + 1 });
  return (
    <>
      <ul className="change-log">
        {data.map((entry) => (
          <Entry key={entry.id} entry={entry} hasLink={list.userId === undefined} />
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

/** The entries of the audit log in words, newest first: who did what and when, from which address. */
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
          {...{ page, cursors, emptyText: props.emptyText }}
          {...(props.userId === undefined ? {} : { userId: props.userId })}
          onCursorsChange={setCursors}
        />
      )}
    </QueryView>
  );
};

/** The audit log of one user. */
export const AuditPanel = ({ userId }: { userId: string }): ReactNode => (
  <Panel title={auditText('title')} isBare>
    <AuditList userId={userId} pageSize={10} emptyText={auditText('noneForUser')} />
  </Panel>
);
