import type { CreditsEntry, HistoryFilters } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { creditReason, isOfTool, nameOfTool, namesOfTools } from '@shortlist/contracts/credit-history';
import { type ReactNode, useMemo } from 'react';
import { failureOf } from '../../lib/api/api-error.ts';
import { FIRST_HISTORY_PAGE } from '../../lib/data/use-plan.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { type ToolName, useToolNames } from '../../lib/data/use-tools.ts';
import { shortTime } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { useUrlPages } from '../../lib/url-filters.ts';
import { creditsText } from '../../messages/credits.ts';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, type QueryState, QueryView } from '../../ui/query-view.tsx';
import { DownloadHistory, HistoryFilterBar, LedgerFilterBar, useHistoryFilters } from './history-filters.tsx';

/** Why credits came back, and how many if not all of a charge. */
const returnedOf = ({ amount, returned }: CreditsEntry): string | undefined => {
  if (returned === undefined) return undefined;
  const why = creditsText(returned.reason);
  return returned.amount === -amount
    ? creditsText('returnedNote', { why })
    : creditsText('partReturned', { count: returned.amount, why });
};

const noteOf = (entry: CreditsEntry): string | undefined =>
  entry.amount === 0 ? creditsText('chargedBefore') : returnedOf(entry);

const signed = (amount: number): string => {
  if (amount === 0) return count(0);
  return amount < 0 ? `−${count(-amount)}` : `+${count(amount)}`;
};

const Cell = ({ text }: { text: string | null }): ReactNode => (
  <td className={text === null ? 'is-blank' : 'data-table-clip'} title={text ?? undefined}>
    {text === null ? <span className="muted">—</span> : <bdi>{text}</bdi>}
  </td>
);

const Row = ({ entry, tool }: { entry: CreditsEntry; tool: string | null }): ReactNode => {
  const { amount, reason, reference, createdAt, returned } = entry;
  const note = noteOf(entry);
  return (
    <tr className={amount > 0 || returned !== undefined ? 'is-marked' : undefined}>
      <td className="data-table-name">
        {creditReason(reason)}
        {note !== undefined && <span className="data-table-note">{note}</span>}
      </td>
      <Cell text={reference} />
      <Cell text={tool} />
      <td className="num nowrap is-last">
        <time dateTime={createdAt}>{shortTime(createdAt)}</time>
      </td>
      <td className="num align-end">{signed(amount + (returned?.amount ?? 0))}</td>
    </tr>
  );
};

/** The entries of one page. Credits that returned or were added have the mark. */
const HistoryTable = ({ entries, nameOf }: { entries: CreditsEntry[]; nameOf: ToolName }): ReactNode => (
  <div className="table-scroll">
    <table className="data-table is-stacked is-brief">
      <thead>
        <tr>
          {(['action', 'contact', 'tool', 'date'] as const).map((column) => (
            <th key={column} scope="col">
              {creditsText(column)}
            </th>
          ))}
          <th scope="col" className="align-end">
            {creditsText('credits')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} tool={isOfTool(entry.reason) ? nameOf(entry.clientId) : null} />
        ))}
      </tbody>
    </table>
  </div>
);

type HistoryPage = { data: CreditsEntry[]; next: string | null };
type Pages = ReturnType<typeof useUrlPages>;

const inputOf = (filters: HistoryFilters, cursor: string) => ({
  ...FIRST_HISTORY_PAGE,
  ...filters,
  ...(cursor === '' ? {} : { cursor }),
});

const STAYS = { keepPreviousData: true };

type PageProps = { page: HistoryPage; pages: Pages; nameOf: ToolName; empty: ReactNode };

const Page = ({ page: { data, next }, pages, nameOf, empty }: PageProps): ReactNode => {
  const isFirst = pages.cursor === '';
  if (isFirst && data.length === 0) return empty;
  return (
    <>
      <HistoryTable entries={data} nameOf={nameOf} />
      <Pager
        summary={
          isFirst
            ? creditsText('latest', { count: data.length })
            : creditsText('page', { page: pages.pageNumber })
        }
        previous={creditsText('newer')}
        next={creditsText('older')}
        onPrevious={isFirst ? null : pages.goPrevious}
        onNext={next === null ? null : () => pages.goNext(next)}
      />
    </>
  );
};

type EntriesProps = Pick<PageProps, 'pages' | 'nameOf'> & {
  history: QueryState<HistoryPage>;
  isFiltered: boolean;
  /** Of a history that has no entries at all. */
  none: string;
  loading: string;
  failed: string;
  onClear: () => void;
};

const Entries = (props: EntriesProps): ReactNode => {
  const { history, pages, isFiltered, onClear } = props;
  // The page that a link names may be there no more.
  const isLost = pages.cursor !== '' && failureOf(history.error).code.startsWith('request.');
  const clear = (
    <Button isReadOnly onClick={onClear}>
      {creditsText('clearFilters')}
    </Button>
  );
  const empty = isFiltered ? (
    <EmptyState action={clear}>{creditsText('noMatch')}</EmptyState>
  ) : (
    <EmptyState>{props.none}</EmptyState>
  );
  return (
    <QueryView
      query={history}
      skeleton={<LinesSkeleton label={props.loading} lines={4} />}
      errorTitle={props.failed}
      {...(isLost && { onRetry: pages.goFirst })}
    >
      {(page) => <Page page={page} pages={pages} nameOf={props.nameOf} empty={empty} />}
    </QueryView>
  );
};

type OfFiltersProps = { filters: HistoryFilters; onClear: () => void };

const OwnEntries = ({ filters, onClear }: OfFiltersProps): ReactNode => {
  const pages = useUrlPages();
  const history = useQuery('credits', publicEndpoints.creditsHistory, inputOf(filters, pages.cursor), STAYS);
  return (
    <Entries
      history={history}
      pages={pages}
      nameOf={useToolNames()}
      isFiltered={Object.keys(filters).length > 0}
      none={creditsText('noHistory')}
      loading={creditsText('loadingHistory')}
      failed={creditsText('historyFailed')}
      onClear={onClear}
    />
  );
};

/** Whether there is nothing to filter or to download: the first page of all entries, which is the one that is shown then, has none. */
const useIsEmpty = (filters: HistoryFilters, cursor: string): boolean => {
  const isOfAll = Object.keys(filters).length === 0 && cursor === '';
  const { data } = useQuery('credits', publicEndpoints.creditsHistory, isOfAll ? FIRST_HISTORY_PAGE : null);
  return data?.data.length === 0;
};

export const HistoryPanel = (): ReactNode => {
  const { params, filters, change, clear } = useHistoryFilters();
  const isEmpty = useIsEmpty(filters, useUrlPages().cursor);
  return (
    <Panel title={creditsText('history')} end={!isEmpty && <DownloadHistory filters={filters} />} isBare>
      {!isEmpty && <HistoryFilterBar params={params} onChange={change} />}
      {/* Rows of other filters do not stay while those of the new ones load. */}
      <OwnEntries key={JSON.stringify(filters)} filters={filters} onClear={clear} />
    </Panel>
  );
};

/** The names of what acts for a user now; what has ended has none any more. */
const useUserToolNames = (userId: string): ToolName => {
  const { data: access } = useQuery('directory', publicEndpoints.userAccess, { userId });
  return useMemo(() => {
    const items = access === undefined ? [] : [...access.apiKeys, ...access.connections];
    const names = namesOfTools(items.map(({ id, name, detail }) => ({ id, name, hint: detail })));
    return (clientId) => nameOfTool(names, clientId);
  }, [access]);
};

const UserEntries = ({ userId, filters, onClear }: OfFiltersProps & { userId: string }): ReactNode => {
  const pages = useUrlPages();
  const input = { userId, ...inputOf(filters, pages.cursor) };
  return (
    <Entries
      history={useQuery('directory', publicEndpoints.userCreditsHistory, input, STAYS)}
      pages={pages}
      nameOf={useUserToolNames(userId)}
      isFiltered={Object.keys(filters).length > 0}
      none={creditsText('noLedger')}
      loading={creditsText('loadingLedger')}
      failed={creditsText('ledgerFailed')}
      onClear={onClear}
    />
  );
};

/** The history of a user's credits, for admins. */
export const LedgerPanel = ({ userId }: { userId: string }): ReactNode => {
  const { params, filters: all, change, clear } = useHistoryFilters();
  const { client: _client, ...filters } = all;
  return (
    <Panel title={creditsText('ledger')} isBare>
      <LedgerFilterBar params={params} onChange={change} />
      <UserEntries key={JSON.stringify(filters)} userId={userId} filters={filters} onClear={clear} />
    </Panel>
  );
};
