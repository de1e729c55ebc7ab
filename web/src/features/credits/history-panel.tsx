import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { longDate } from '../../lib/dates.ts';
import { creditsText } from '../../messages/credits.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Bar, EmptyState, QueryView, Skeleton } from '../../ui/states.tsx';

const REASON_LABELS: Record<string, string> = {
  message_composed: creditsText('message_composed'),
  email_found: creditsText('email_found'),
};

/** A readable reason. A reason without a label is shown as its code with spaces. */
const reasonLabel = (reason: string): string => {
  const text = reason.replaceAll('_', ' ');
  return REASON_LABELS[reason] ?? text.charAt(0).toUpperCase() + text.slice(1);
};

const signed = (amount: number): string => (amount < 0 ? `−${-amount}` : `+${amount}`);

const Row = ({ entry }: { entry: CreditsEntry }): ReactNode => (
  <tr>
    <td className="num nowrap">
      <time dateTime={entry.createdAt}>{longDate(entry.createdAt)}</time>
    </td>
    <td className="data-table-name nowrap">{reasonLabel(entry.reason)}</td>
    <td
      className={entry.reference === null ? 'is-blank' : 'data-table-clip'}
      title={entry.reference ?? undefined}
    >
      {entry.reference ?? <span className="muted">—</span>}
    </td>
    <td className="num align-end">{signed(entry.amount)}</td>
  </tr>
);

const Rows = ({ entries }: { entries: CreditsEntry[] }): ReactNode => (
  <div className="table-scroll">
    <table className="data-table is-stacked">
      <thead>
        <tr>
          <th scope="col">{creditsText('date')}</th>
          <th scope="col">{creditsText('action')}</th>
          <th scope="col">{creditsText('contact')}</th>
          <th scope="col" className="align-end">
            {creditsText('credits')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  </div>
);

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

const useHistory = (cursor: string | undefined) => {
  const input = { limit: HISTORY_PAGE, ...(cursor === undefined ? {} : { cursor }) };
  return useQuery('credits', publicEndpoints.creditsHistory, input, { keepPreviousData: true });
};

type PageProps = { page: HistoryPage; cursors: string[]; onCursorsChange: (cursors: string[]) => void };

const Page = ({ page, cursors, onCursorsChange }: PageProps): ReactNode => {
  const { data, next } = page;
  const isFirst = cursors.length === 0;
  if (isFirst && data.length === 0) return <EmptyState>{creditsText('noHistory')}</EmptyState>;
  return (
    <>
      <Rows entries={data} />
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

export const HistoryPanel = (): ReactNode => {
  const [cursors, setCursors] = useState<string[]>([]);
  const history = useHistory(cursors.at(-1));
  return (
    <Panel title={creditsText('history')} isBare>
      <QueryView query={history} skeleton={<HistorySkeleton />} errorTitle={creditsText('historyFailed')}>
        {(page) => <Page page={page} cursors={cursors} onCursorsChange={setCursors} />}
      </QueryView>
    </Panel>
  );
};
