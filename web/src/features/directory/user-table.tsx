import type { DirectoryPage, DirectoryRow } from '@shortlist/contracts/api/public';
import { useState, type ReactNode } from 'react';
import { useDirectory } from '../../lib/data/use-directory.ts';
import { count } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Reading, type ReadingState } from '../../ui/reading.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { Filters } from './filters.tsx';
import { totalWords } from './total-words.ts';
import { FILTERS, PAGE_SIZES, type useListState } from './list-state.ts';
import { UserRows } from './user-rows.tsx';

type ListState = ReturnType<typeof useListState>;

const Waiting = (): ReactNode => (
  <Skeleton label="Loading the users">
    <div className="stack inset">
      {Array.from({ length: 8 }, (_, line) => (
        <Bar key={line} height="2rem" />
      ))}
    </div>
  </Skeleton>
);

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
      <div className="select is-small">
        <select
          aria-label="Users on a page"
          value={list.query.limit}
          onChange={(event) => list.change({ limit: event.target.value })}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              Show {size}
            </option>
          ))}
        </select>
      </div>
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
    <section className="panel" aria-label="All Users">
      <Filters params={list.params} onChange={list.change} />
      <Reading
        of={orItsFailure(directory, directory.isLoading)}
        waiting={<Waiting />}
        failed="The users could not be loaded"
        onRetry={() => dispatch(userCommands.requested({ name: 'load' }))}
      >
        {(page) => <Page page={page} list={list} isStale={directory.isLoading} onDelete={setDoomed} />}
      </Reading>
      {doomed !== null && <DeleteDialog row={doomed} onClose={() => setDoomed(null)} />}
    </section>
  );
};
