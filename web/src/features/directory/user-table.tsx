import { Email } from '../../ui/inline.tsx';
import type { DirectoryPage, DirectoryRow } from '@shortlist/contracts/api/directory';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/messages';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useDirectory } from '../../lib/data/use-directory.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { May, useAdminToken } from '../../lib/state/hooks.tsx';
import type { ListHistory } from '../../lib/state/list-view.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { shellText } from '../../messages/shell.ts';
import { directoryText } from '../../messages/directory.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { Details } from '../../ui/panel.tsx';
import { EmptyState, type QueryState, QueryView } from '../../ui/query-view.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ExportUsers, Filters } from './list-controls.tsx';
import { FILTERS, type ListState, PAGE_SIZES, useRange } from './list-state.ts';
import { SavedFilters } from './saved-filters.tsx';
import { type Selection, useSelection } from './selection.ts';
import { ColumnChoice, useActivities, useColumns } from './user-columns.tsx';
import { type Extras, RowsSkeleton, UserRows } from './user-rows.tsx';

const NOTICES = ['newUserCreated', 'userDeleted', 'userUpdated'] as const;

/** The notices that the URL names, and the problem of the history entry. Dismissing one removes it from there. */
export const Notices = (): ReactNode => {
  const [params, setParams] = useSearchParams();
  const { problem, ...history } = (useLocation().state ?? {}) as ListHistory;
  const dismiss = (name: string): void =>
    setParams(
      (before) => {
        before.delete(name);
        return before;
      },
      { replace: true, state: history },
    );
  return (
    <>
      {problem !== undefined && (
        <Alert tone="warn" onDismiss={() => setParams(params, { replace: true, state: history })}>
          {problem}
        </Alert>
      )}
      {NOTICES.filter((name) => params.has(name)).map((name) => (
        <Alert key={name} tone="good" onDismiss={() => dismiss(name)}>
          {directoryText(name)}
        </Alert>
      ))}
    </>
  );
};

/** About one window of rows. */
const SKELETON_ROWS = 12;

/** The list with other rows than those of its first page of all users. */
const isPartial = ({ params }: ListState): boolean => ['cursor', ...FILTERS].some((name) => params.has(name));

const Empty = ({ list }: { list: ListState }): ReactNode => {
  if (list.params.has('cursor'))
    return (
      <EmptyState action={<Button onClick={list.goPrevious}>{directoryText('previousPage')}</Button>}>
        {directoryText('emptyPage')}
      </EmptyState>
    );
  if (FILTERS.some((name) => list.params.has(name)))
    return (
      <EmptyState
        action={
          <Button onClick={() => list.change(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
            {directoryText('showAll')}
          </Button>
        }
      >
        {directoryText('noMatch')}
      </EmptyState>
    );
  return (
    <EmptyState
      action={
        <May permission="users.create">
          <ButtonLink to={paths.addUser}>{directoryText('createUser')}</ButtonLink>
        </May>
      }
    >
      {directoryText('noUser')}
    </EmptyState>
  );
};

const PageSize = ({ list }: { list: ListState }): ReactNode => {
  const id = useId();
  return (
    <span className="page-size">
      <label htmlFor={id}>{directoryText('perPage')}</label>
      <span className="select is-small is-auto">
        <select
          id={id}
          value={list.query.limit}
          onChange={(event) => list.change({ limit: event.target.value })}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </span>
    </span>
  );
};

type ListPagerProps = { page: DirectoryPage; list: ListState; isStale: boolean };

/** While the rows of another query are shown, its pages are not those of the list, so both buttons wait. */
const ListPager = ({ page, list, isStale }: ListPagerProps): ReactNode => {
  const { next } = page;
  return (
    <Pager
      summary={useRange(page, list)}
      previous={directoryText('previous')}
      next={directoryText('next')}
      onPrevious={isStale || !list.params.has('cursor') ? null : list.goPrevious}
      onNext={isStale || next === null ? null : () => list.goNext(next)}
    >
      {page.data.length > 0 && <span className="premium-legend">{directoryText('premium')}</span>}
      <PageSize list={list} />
    </Pager>
  );
};

type PageProps = {
  page: DirectoryPage;
  list: ListState;
  isStale: boolean;
  extras: Extras;
  selection: Selection;
  onDelete: (row: DirectoryRow) => void;
};

const Page = ({ page, list, isStale, extras, selection, onDelete }: PageProps): ReactNode => (
  <>
    <BulkBar page={page} list={list} selection={selection} />
    {page.data.length === 0 ? (
      <Empty list={list} />
    ) : (
      <UserRows
        rows={page.data}
        sort={list.query.sort ?? '-createdAt'}
        isStale={isStale}
        extras={extras}
        selection={selection.isOffered ? selection : null}
        onSort={(sort) => list.change({ sort })}
        onDelete={onDelete}
      />
    )}
    <ListPager page={page} list={list} isStale={isStale} />
  </>
);

type DeleteDialogProps = { row: DirectoryRow; onClose: () => void };

const DeleteDialog = ({ row, onClose }: DeleteDialogProps): ReactNode => {
  const token = useAdminToken();
  const navigate = useNavigate();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.deleteUser, { id: row.id }, { token });
    await revalidate(['directory']);
    await navigate(paths.userDeleted);
  });
  return (
    <ConfirmDialog
      title={directoryText('deleteTitle')}
      confirmLabel={directoryText('yes')}
      isBad
      command={command}
      onClose={onClose}
    >
      <div>
        <p className="lead">{directoryText('deleteQuestion', { name: fullName(row) })}</p>
        <p>{directoryText('deleteEffect')}</p>
      </div>
      <Details
        rows={[
          [directoryText('email'), <Email key="email">{row.email}</Email>],
          [directoryText('plan'), directoryText(row.plan)],
          [directoryText('joinDate'), tableDate(row.createdAt)],
        ]}
      />
    </ConfirmDialog>
  );
};

/** Hides the rows of the previous query when the current one has failed. */
const withoutOutdatedRows = (
  state: QueryState<DirectoryPage>,
  isLoading: boolean,
): QueryState<DirectoryPage> =>
  state.error !== undefined && !isLoading ? { ...state, data: undefined } : state;

/** The page of the list. A page that is no longer available is replaced by the first one, with a notice. */
const useListPage = (list: ListState) => {
  const { query, restart } = list;
  const directory = useDirectory(query);
  const failure = directory.error === undefined ? null : failureOf(directory.error);
  const problem = failure?.code === 'request.stale_cursor' ? failure.message : null;
  useEffect(() => {
    if (problem !== null) restart(directoryText('restarted', { problem }));
  }, [problem, restart]);
  return problem === null ? directory : { ...directory, error: undefined, isLoading: true };
};

export const UserTable = ({ list }: { list: ListState }): ReactNode => {
  const directory = useListPage(list);
  const selection = useSelection(list);
  const columns = useColumns();
  const activities = useActivities(directory.data?.data ?? [], columns.columns);
  const [userToDelete, setUserToDelete] = useState<DirectoryRow | null>(null);
  // Without any user there is nothing to filter or to export: the sentence stands for the whole list.
  if (directory.data?.data.length === 0 && !directory.isLoading && !isPartial(list))
    return (
      <section className="panel" aria-label={shellText('allUsers')}>
        <Empty list={list} />
      </section>
    );
  return (
    <>
      <Filters
        params={list.params}
        onChange={list.change}
        columns={<ColumnChoice {...columns} />}
        end={
          <>
            <SavedFilters list={list} />
            <May permission="users.export">
              <ExportUsers query={list.query} />
            </May>
          </>
        }
      />
      <section className="panel" aria-label={shellText('allUsers')}>
        <QueryView
          query={withoutOutdatedRows(directory, directory.isLoading)}
          skeleton={<RowsSkeleton label={directoryText('loading')} count={SKELETON_ROWS} />}
          errorTitle={directoryText('failed')}
          reassurance={directoryText('filtersKept')}
          onRetry={() => void revalidate(['directory'])}
        >
          {(page) => (
            <Page
              page={page}
              list={list}
              isStale={directory.isLoading}
              extras={{ columns: columns.columns, activities }}
              selection={selection}
              onDelete={setUserToDelete}
            />
          )}
        </QueryView>
        {userToDelete !== null && <DeleteDialog row={userToDelete} onClose={() => setUserToDelete(null)} />}
      </section>
    </>
  );
};
