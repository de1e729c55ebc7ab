import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import type { HistoryFilters } from '@shortlist/contracts/schemas/plan';
import { type ReactNode, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { creditsText } from '../../messages/credits.ts';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Bar, EmptyState, QueryView, Skeleton } from '../../ui/states.tsx';
import { DownloadHistory, HistoryFilterBar, useHistoryFilters } from './history-filters.tsx';
import { HistoryTable } from './history-table.tsx';

const HistorySkeleton = (): ReactNode => (
  <Skeleton label={creditsText('loadingHistory')}>
    <div className="stack panel-inset">
      {[1, 2, 3, 4].map((line) => (
        <Bar key={line} height="1.5rem" />
      ))}
    </div>
  </Skeleton>
);

type HistoryPage = { data: CreditsEntry[]; next: string | null };

const useHistory = (filters: HistoryFilters, cursor: string | undefined) => {
  const input = { limit: HISTORY_PAGE, ...filters, ...(cursor === undefined ? {} : { cursor }) };
  return useQuery('credits', publicEndpoints.creditsHistory, input, { keepPreviousData: true });
};

type PageProps = {
  page: HistoryPage;
  empty: ReactNode;
  cursors: string[];
  onCursorsChange: (cursors: string[]) => void;
};

const Page = ({ page, empty, cursors, onCursorsChange }: PageProps): ReactNode => {
  const { data, next } = page;
  const isFirst = cursors.length === 0;
  if (isFirst && data.length === 0) return empty;
  return (
    <>
      <HistoryTable entries={data} />
      <Pager
        summary={
          isFirst
            ? creditsText('latest', { count: data.length })
            : creditsText('page', { page: cursors.length + 1 })
        }
        previous={creditsText('newer')}
        next={creditsText('older')}
        onPrevious={isFirst ? null : () => onCursorsChange(cursors.slice(0, -1))}
        onNext={next === null ? null : () => onCursorsChange([...cursors, next])}
      />
    </>
  );
};

type EntriesProps = { filters: HistoryFilters; onClear: () => void };

const Entries = ({ filters, onClear }: EntriesProps): ReactNode => {
  const [cursors, setCursors] = useState<string[]>([]);
  const history = useHistory(filters, cursors.at(-1));
  const isFiltered = Object.keys(filters).length > 0;
  const clear = (
    <Button isHarmless onClick={onClear}>
      {creditsText('clearFilters')}
    </Button>
  );
  const empty = isFiltered ? (
    <EmptyState action={clear}>{creditsText('noMatch')}</EmptyState>
  ) : (
    <EmptyState>{creditsText('noHistory')}</EmptyState>
  );
  return (
    <QueryView query={history} skeleton={<HistorySkeleton />} errorTitle={creditsText('historyFailed')}>
      {(page) => <Page page={page} empty={empty} cursors={cursors} onCursorsChange={setCursors} />}
    </QueryView>
  );
};

export const HistoryPanel = (): ReactNode => {
  const { params, filters, change, clear } = useHistoryFilters();
  return (
    <Panel title={creditsText('history')} end={<DownloadHistory filters={filters} />} isBare>
      <HistoryFilterBar params={params} onChange={change} />
      {/* Other filters begin at the newest entry again. */}
      <Entries key={JSON.stringify(filters)} filters={filters} onClear={clear} />
    </Panel>
  );
};
