import type { DirectoryPage, DirectoryRow } from '@shortlist/contracts/api/public';
import { useId, useState, type ReactNode } from 'react';
import { useDirectory } from '../../lib/data/use-directory.ts';
import { count } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Reading, type ReadingState } from '../../ui/reading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { Filters } from './filters.tsx';
import { totalWords } from './total-words.ts';
import { FILTERS, PAGE_SIZES, type useListState } from './list-state.ts';
import { UserRows } from './user-rows.tsx';
import { WaitingRows } from './waiting-rows.tsx';

/** About as many as a window shows. */
const WAITING_ROWS = 12;

type ListState = ReturnType<typeof useListState>;

const Empty = ({ list }: { list: ListState }): ReactNode => {
  if (list.params.has('cursor'))
    return (
      <EmptyState action={<Button onClick={list.goPrevious}>Go to the page before</Button>}>
        No user is left on this page.
      </EmptyState>
    );
  if (FILTERS.some((name) => list.params.has(name)))
    return (
      <EmptyState
        action={
          <Button onClick={() => list.change(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
            Show all users
          </Button>
        }
      >
        No user matches this search.
      </EmptyState>
    );
  return (
    <EmptyState action={<ButtonLink to={paths.addUser}>Create A New User</ButtonLink>}>
      Currently there is no user
    </EmptyState>
  );
};

const rangeWords = (page: DirectoryPage, list: ListState): string => {
  const start = (list.pageNumber - 1) * (list.query.limit ?? 0);
  const end = start + page.data.length;
  // Counting may have stopped before a page that was walked to.
  const total = totalWords({ ...page, total: Math.max(page.total, page.data.length === 0 ? 0 : end) });
  return page.data.length === 0 ? `0 of ${total}` : `${count(start + 1)}–${count(end)} of ${total}`;
};

const PageSize = ({ list }: { list: ListState }): ReactNode => {
  const id = useId();
  return (
    <span className="page-size">
      <label htmlFor={id}>Users on a page</label>
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

const ListPager = ({ page, list }: { page: DirectoryPage; list: ListState }): ReactNode => {
  const { next } = page;
  return (
    <Pager
      summary={rangeWords(page, list)}
      previous="Previous"
      next="Next"
      onPrevious={list.params.has('cursor') ? list.goPrevious : null}
      onNext={next === null ? null : () => list.goNext(next)}
    >
      {page.data.length > 0 && <span className="premium-key">Premium</span>}
      <PageSize list={list} />
    </Pager>
  );
};

type PageProps = {
  page: DirectoryPage;
  list: ListState;
  isStale: boolean;
  onDelete: (row: DirectoryRow) => void;
};

const Page = ({ page, list, isStale, onDelete }: PageProps): ReactNode => (
  <>
    {page.data.length === 0 ? (
      <Empty list={list} />
    ) : (
      <UserRows
        rows={page.data}
        sort={list.query.sort ?? '-createdAt'}
        isStale={isStale}
        onSort={(sort) => list.change({ sort })}
        onDelete={onDelete}
      />
    )}
    <ListPager page={page} list={list} />
  </>
);

/** Rows of an older question must not pass for the answer to one that failed. */
const orItsFailure = (state: ReadingState<DirectoryPage>, isLoading: boolean): ReadingState<DirectoryPage> =>
  state.error !== undefined && !isLoading ? { ...state, data: undefined } : state;

export const UserTable = ({ list }: { list: ListState }): ReactNode => {
  const directory = useDirectory(list.query);
  const [doomed, setDoomed] = useState<DirectoryRow | null>(null);
  const dispatch = useAppDispatch();
  return (
    <>
      <Filters params={list.params} onChange={list.change} end={<ExportButton query={list.query} />} />
      <section className="panel" aria-label="All Users">
        <Reading
          of={orItsFailure(directory, directory.isLoading)}
          waiting={<WaitingRows label="Loading the users" count={WAITING_ROWS} />}
          failed="The users could not be loaded"
          comfort="Your filters are kept."
          onRetry={() => dispatch(userCommands.requested({ name: 'load' }))}
        >
          {(page) => <Page page={page} list={list} isStale={directory.isLoading} onDelete={setDoomed} />}
        </Reading>
        {doomed !== null && <DeleteDialog row={doomed} onClose={() => setDoomed(null)} />}
      </section>
    </>
  );
};
