import type { PaymentFilters, PaymentRow, PaymentTotal } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { PAYMENTS_PAGE } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useQuery } from '../../lib/data/use-query.ts';
import { tableTime } from '../../lib/dates.ts';
import { money, signedMoney } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { useUrlPages } from '../../lib/url-filters.ts';
import { useRowClick } from '../../lib/use-row-click.ts';
import { paymentText } from '../../messages/payments.ts';
import { shellText } from '../../messages/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Avatar } from '../../ui/inline.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { PaymentStateText } from './payment-state.tsx';
import { feeOf, lessMoney, payerName, stateNote } from './payment-texts.ts';

type RowProps = { payment: PaymentRow; isOfOneUser: boolean };

const Row = ({ payment, isOfOneUser }: RowProps): ReactNode => {
  const { invoiceId, number, credits, state, date, amount, currency } = payment;
  const note = stateNote(payment);
  const to = paths.adminPayment(payment.invoiceId);
  const handleClick = useRowClick(to);
  return (
    <tr className="is-open" onClick={handleClick}>
      {isOfOneUser ? (
        <td className="num nowrap">
          <span className="user-name">
            <Link to={to}>{number ?? invoiceId}</Link>
          </span>
        </td>
      ) : (
        <>
          <td>
            <span className="user-name">
              <Avatar name={payment.user.name} />
              <Link to={to}>{payerName(payment)}</Link>
            </span>
          </td>
          <td className="num nowrap">{number ?? invoiceId}</td>
        </>
      )}
      <td>{paymentText(credits === null ? 'plan' : 'pack')}</td>
      <td>
        <PaymentStateText state={state} />
        {note !== null && <span className="data-table-note">{note}</span>}
      </td>
      <td className="num nowrap">
        <time dateTime={date}>{tableTime(date)}</time>
      </td>
      <td className="num nowrap align-end">{money(amount, currency)}</td>
      <td className="num nowrap align-end is-figure" data-label={paymentText('fee')}>
        {feeOf(payment)}
      </td>
    </tr>
  );
};

const COLUMNS = ['person', 'invoice', 'for', 'status', 'date'] as const;
const FIGURES = ['amount', 'fee'] as const;

type TableProps = { rows: PaymentRow[]; isStale: boolean; isOfOneUser: boolean };

const Table = ({ rows, isStale, isOfOneUser }: TableProps): ReactNode => (
  <div className="table-scroll">
    <table className={isStale ? 'data-table is-stacked is-brief is-stale' : 'data-table is-stacked is-brief'}>
      <thead>
        <tr>
          {COLUMNS.filter((column) => !isOfOneUser || column !== 'person').map((column) => (
            <th key={column} scope="col">
              {paymentText(column)}
            </th>
          ))}
          {FIGURES.map((column) => (
            <th key={column} scope="col" className="align-end">
              {paymentText(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((payment) => (
          <Row key={payment.invoiceId} payment={payment} isOfOneUser={isOfOneUser} />
        ))}
      </tbody>
    </table>
  </div>
);

const SUMS = ['collected', 'returned', 'fees', 'net'] as const;

const Total = ({ total }: { total: PaymentTotal }): ReactNode => {
  const { currency, count, collected, returned, fees, net, unknownFees } = total;
  const figures = {
    collected: money(collected, currency),
    returned: lessMoney(returned, currency),
    fees: lessMoney(fees, currency),
    net: signedMoney(net, currency),
  };
  return (
    <div className="list-totals">
      <p>{paymentText('allOf', { count, currency: currency.toUpperCase() })}</p>
      <dl>
        {SUMS.map((name) => (
          <div key={name}>
            <dt>{paymentText(name)}</dt>
            <dd className="num">{figures[name]}</dd>
          </div>
        ))}
      </dl>
      {unknownFees > 0 && <p>{paymentText('unknownFees', { count: unknownFees })}</p>}
    </div>
  );
};

/** As high as one line of sums, so that the pager stays where it is when they come. */
const TotalSkeleton = (): ReactNode => (
  <Skeleton label={paymentText('totalsLoading')}>
    <div className="list-totals">
      <p>
        <Bar width="11rem" />
      </p>
      <dl>
        {SUMS.map((name) => (
          <div key={name}>
            <dt>{paymentText(name)}</dt>
            <dd>
              <Bar width="4rem" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  </Skeleton>
);

const useTotals = (filters: PaymentFilters) =>
  useQuery('earnings', publicEndpoints.paymentTotals, filters, { keepPreviousData: true });

/** `userId`: only the payments of one user. */
type PaymentListProps = { filters: PaymentFilters; userId?: string; onClear?: () => void };
type PageProps = PaymentListProps & {
  page: { data: PaymentRow[]; next: string | null };
  isStale: boolean;
};

const inputOf = ({ filters, userId }: PaymentListProps): PaymentFilters => ({
  ...filters,
  ...(userId !== undefined && { users: userId }),
});

const Empty = ({ filters, onClear }: PaymentListProps): ReactNode => {
  const { cursor, goFirst } = useUrlPages();
  if (cursor !== '')
    return (
      <EmptyState action={<Button onClick={goFirst}>{paymentText('firstPage')}</Button>}>
        {paymentText('emptyPage')}
      </EmptyState>
    );
  if (Object.keys(filters).length === 0) return <EmptyState>{paymentText('noPayment')}</EmptyState>;
  return (
    <EmptyState action={<Button onClick={onClear}>{paymentText('clearFilters')}</Button>}>
      {paymentText('noMatch')}
    </EmptyState>
  );
};

/** The sums are of all that the filters find, not of the page. Their failure leaves the list. */
const Page = ({ page: { data, next }, isStale, ...list }: PageProps): ReactNode => {
  const totals = useTotals(inputOf(list));
  const { cursor, pageNumber, goNext, goPrevious } = useUrlPages();
  if (data.length === 0) return <Empty {...list} />;
  const start = (pageNumber - 1) * PAYMENTS_PAGE + 1;
  const end = start + data.length - 1;
  const counted = totals.data?.reduce((sum, { count }) => sum + count, 0);
  const summary =
    counted === undefined
      ? paymentText('page', { page: pageNumber })
      : paymentText('range', { start, end, total: Math.max(counted, end) });
  return (
    <>
      <Table rows={data} isStale={isStale} isOfOneUser={list.userId !== undefined} />
      {totals.data === undefined && totals.error === undefined && <TotalSkeleton />}
      {totals.data?.map((total) => (
        <Total key={total.currency} total={total} />
      ))}
      {totals.error !== undefined && totals.data === undefined && (
        <div className="list-totals">
          <p>{paymentText('totalsFailed')}</p>
        </div>
      )}
      <Pager
        summary={summary}
        previous={paymentText('previous')}
        next={paymentText('next')}
        onPrevious={isStale || cursor === '' ? null : goPrevious}
        onNext={isStale || next === null ? null : () => goNext(next)}
      />
    </>
  );
};

/** The payments that the filters find, newest first, with their sums. */
export const PaymentList = (props: PaymentListProps): ReactNode => {
  const { cursor } = useUrlPages();
  const input = { ...inputOf(props), ...(cursor !== '' && { cursor }) };
  const query = useQuery('earnings', publicEndpoints.payments, input, { keepPreviousData: true });
  const { isLoading, error } = query;
  return (
    <QueryView
      // The rows of other filters would look like the result of these.
      query={error !== undefined && !isLoading ? { ...query, data: undefined } : query}
      skeleton={<LinesSkeleton label={paymentText('loading')} lines={10} />}
      errorTitle={paymentText('listFailed')}
      {...(props.userId === undefined && { reassurance: paymentText('filtersKept') })}
    >
      {(page) => <Page {...props} page={page} isStale={isLoading} />}
    </QueryView>
  );
};

/** The payments of one user. */
export const UserPayments = ({ userId }: { userId: string }): ReactNode => (
  <section className="panel" aria-label={shellText('payments')}>
    <PaymentList filters={{}} userId={userId} />
  </section>
);
