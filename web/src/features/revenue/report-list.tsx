import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { RevenueEntry, RevenueKind, SubscriberEntry } from '@shortlist/contracts/api/revenue';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { tableTime } from '../../lib/dates.ts';
import { money, signedMoney } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { useUrlPages } from '../../lib/url-filters.ts';
import { revenueText } from '../../messages/revenue.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Avatar } from '../../ui/inline.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { EmptyState, LinesSkeleton, QueryView, type QueryState } from '../../ui/query-view.tsx';
import { type ReportList, rangeOf } from './report-state.ts';

/** Neither name nor page is left of a deleted user. */
const User = ({ user: { id, name } }: Pick<RevenueEntry, 'user'>): ReactNode => {
  if (name === '') return revenueText('deletedUser');
  return (
    <span className="user-name">
      <Avatar name={name} />
      <Link to={paths.editUser(id)}>{name}</Link>
    </span>
  );
};

const EntryRow = ({ entry }: { entry: RevenueEntry }): ReactNode => {
  const { user, at, amount, currency, invoiceId } = entry;
  return (
    <tr>
      <td>
        <User user={user} />
      </td>
      <td className="num nowrap">
        <time dateTime={at}>{tableTime(at)}</time>
      </td>
      <td>
        {invoiceId !== null && (
          <Link className="is-inline-link" to={paths.adminPayment(invoiceId)}>
            {revenueText('openPayment')}
          </Link>
        )}
      </td>
      <td className="num nowrap align-end">{signedMoney(amount, currency)}</td>
    </tr>
  );
};

const SubscriberRow = ({ entry, currency }: { entry: SubscriberEntry; currency: string }): ReactNode => (
  <tr>
    <td>
      <User user={entry.user} />
    </td>
    <td className="num nowrap align-end">{money(entry.mrr, currency)}</td>
  </tr>
);

type TableProps = { columns: readonly string[]; figure: string; isStale: boolean; children: ReactNode };

/** The last column is a figure. */
const Table = ({ columns, figure, isStale, children }: TableProps): ReactNode => (
  <div className="table-scroll">
    <table className={isStale ? 'data-table is-stacked is-brief is-stale' : 'data-table is-stacked is-brief'}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          <th scope="col" className="align-end">
            {figure}
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

const Empty = ({ back }: { back: string }): ReactNode => {
  const { cursor, goFirst } = useUrlPages();
  if (cursor !== '')
    return (
      <EmptyState action={<Button onClick={goFirst}>{revenueText('firstPage')}</Button>}>
        {revenueText('emptyPage')}
      </EmptyState>
    );
  return (
    <EmptyState action={<ButtonLink to={back}>{revenueText('toReports')}</ButtonLink>}>
      {revenueText('emptyList')}
    </EmptyState>
  );
};

type Page<Row> = { data: Row[]; next: string | null };
type PagesProps<Row> = {
  query: QueryState<Page<Row>> & { isLoading: boolean };
  back: string;
  table: (rows: Row[], isStale: boolean) => ReactNode;
};

const Pages = <Row,>({ query, back, table }: PagesProps<Row>): ReactNode => {
  const { cursor, pageNumber, goNext, goPrevious } = useUrlPages();
  const { error, isLoading: isStale } = query;
  return (
    <QueryView
      // The rows of another page would look like this one.
      query={error !== undefined && !isStale ? { ...query, data: undefined } : query}
      skeleton={<LinesSkeleton label={revenueText('listLoading')} lines={10} />}
      errorTitle={revenueText('listFailed')}
    >
      {({ data, next }) =>
        data.length === 0 ? (
          <Empty back={back} />
        ) : (
          <>
            {table(data, isStale)}
            <Pager
              summary={revenueText('page', { page: pageNumber })}
              previous={revenueText('previousPage')}
              next={revenueText('nextPage')}
              onPrevious={isStale || cursor === '' ? null : goPrevious}
              onNext={isStale || next === null ? null : () => goNext(next)}
            />
          </>
        )
      }
    </QueryView>
  );
};

const useCursor = (): { cursor?: string } => {
  const { cursor } = useUrlPages();
  return cursor === '' ? {} : { cursor };
};

type EntriesProps = { kind: RevenueKind; list: ReportList };

/** What a figure of a period is made of, the newest first. */
export const Entries = ({ kind, list: { days, currency, back } }: EntriesProps): ReactNode => {
  const input = { ...rangeOf(days, currency), kind, ...useCursor() };
  const query = useQuery('earnings', publicEndpoints.revenueEntries, input, { keepPreviousData: true });
  const columns = (['user', 'date', 'payment'] as const).map((column) => revenueText(column));
  return (
    <Pages
      query={query}
      back={back}
      table={(rows, isStale) => (
        <Table columns={columns} figure={revenueText('amount')} isStale={isStale}>
          {rows.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Table>
      )}
    />
  );
};

/** Who pays now, in the currency of the price by default. */
export const Subscribers = ({ currency, back }: Pick<ReportList, 'currency' | 'back'>): ReactNode => {
  const { price } = useConfig();
  const shown = currency ?? price?.currency;
  const cursor = useCursor();
  const input = shown === undefined ? null : { currency: shown, ...cursor };
  const query = useQuery('earnings', publicEndpoints.revenueSubscribers, input, { keepPreviousData: true });
  return (
    <Pages
      query={query}
      back={back}
      table={(rows, isStale) => (
        <Table columns={[revenueText('user')]} figure={revenueText('mrr')} isStale={isStale}>
          {rows.map((entry) => (
            <SubscriberRow key={entry.user.id} entry={entry} currency={shown ?? ''} />
          ))}
        </Table>
      )}
    />
  );
};
