import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { axisDates, currentTimeZone, tableDate, tableMonth } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { earningsText } from '../../messages/earnings.ts';
import { IconButton } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import ChartColumn from 'lucide-react/icons/chart-column';
import Table2 from 'lucide-react/icons/table-2';

const PERIODS: readonly EarningsPeriod[] = ['week', 'month', 'year'];

/** The name of a bucket where there is room: a day, or a month. */
const bucketName = (period: EarningsPeriod, start: string): string =>
  (period === 'year' ? tableMonth : tableDate)(start);

/** What the totals leave out: other currencies, which are never added, and fees that are not known yet. */
const EarningsNotes = ({ view }: { view: EarningsView }): ReactNode => (
  <>
    {view.others.map(({ currency, earnings, expenses, tax }) => (
      <p key={currency} className="small num">
        {earningsText('otherCurrency', {
          earnings: money(earnings, currency),
          expenses: money(expenses, currency),
          tax: money(tax, currency),
          currency: currency.toUpperCase(),
        })}
      </p>
    ))}
    {view.unknownFees > 0 && (
      <p className="small">{earningsText('unknownFees', { count: view.unknownFees })}</p>
    )}
  </>
);

type EarningsTableProps = { period: EarningsPeriod; view: EarningsView };

const EarningsTable = ({ period, view }: EarningsTableProps): ReactNode => (
  <div className="table-scroll">
    <table className="data-table num">
      <thead>
        <tr>
          <th scope="col">{earningsText(period === 'year' ? 'monthColumn' : 'dayColumn')}</th>
          <th scope="col" className="align-end">
            {earningsText('earnings')}
          </th>
          <th scope="col" className="align-end">
            {earningsText('expenses')}
          </th>
          <th scope="col" className="align-end">
            {earningsText('tax')}
          </th>
        </tr>
      </thead>
      <tbody>
        {view.buckets.map((bucket) => (
          <tr key={bucket.start}>
            <td className="data-table-name">{bucketName(period, bucket.start)}</td>
            <td className="align-end">{money(bucket.earnings, view.currency)}</td>
            <td className="align-end">{money(bucket.expenses, view.currency)}</td>
            <td className="align-end">{money(bucket.tax, view.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const ChartFailed = (): ReactNode => <p className="bar-chart muted">{earningsText('chartFailed')}</p>;

const EarningsChart = lazy(() =>
  import('./earnings-chart.tsx').then(
    ({ EarningsChart: Chart }) => ({ default: Chart }),
    () => ({ default: ChartFailed }),
  ),
);

/** The period that the panel opens with. */
export const FIRST_PERIOD = 'week';

export const useEarnings = (period: EarningsPeriod) => {
  const timeZone = currentTimeZone();
  return useQuery('earnings', publicEndpoints.earnings, { period, timeZone }, { keepPreviousData: true });
};

const Totals = ({ view }: { view: EarningsView }): ReactNode => (
  <div className="chart-totals num">
    <div>
      <span className="legend-key is-earnings">{earningsText('earnings')}</span>
      <strong>{money(view.earnings, view.currency)}</strong>
    </div>
    <div>
      <span className="legend-key is-expenses">{earningsText('expenses')}</span>
      <strong>{money(view.expenses, view.currency)}</strong>
    </div>
    <div>
      <span className="small muted">{earningsText('net')}</span>
      <strong>{money(view.earnings - view.expenses, view.currency)}</strong>
    </div>
    <div>
      <span className="small muted">{earningsText('tax')}</span>
      <strong>{money(view.tax, view.currency)}</strong>
    </div>
  </div>
);

const Definition = (): ReactNode => <p className="small muted footnote">{earningsText('definition')}</p>;

/** As high as the figures. */
const EarningsSkeleton = (): ReactNode => (
  <Skeleton label={earningsText('loading')}>
    <div className="chart-totals">
      <Bar width="22rem" height="3.125rem" />
    </div>
    <div className="bar-chart" />
    <Definition />
  </Skeleton>
);

type FiguresProps = { period: EarningsPeriod; view: EarningsView; isTable: boolean };

const Figures = ({ period, view, isTable }: FiguresProps): ReactNode => (
  <>
    <Totals view={view} />
    {isTable ? (
      <EarningsTable period={period} view={view} />
    ) : (
      <Suspense fallback={<div className="bar-chart" />}>
        <EarningsChart
          view={view}
          labels={view.buckets.map(({ start }) => axisDates[period](start))}
          names={view.buckets.map(({ start }) => bucketName(period, start))}
        />
      </Suspense>
    )}
    <EarningsNotes view={view} />
    <Definition />
  </>
);

type PeriodChoiceProps = { period: EarningsPeriod; onChange: (period: EarningsPeriod) => void };

const PeriodChoice = ({ period, onChange }: PeriodChoiceProps): ReactNode => (
  <div className="select is-auto">
    <select
      aria-label={earningsText('period')}
      value={period}
      onChange={(event) => onChange(PERIODS.find((value) => value === event.target.value) ?? FIRST_PERIOD)}
    >
      {PERIODS.map((value) => (
        <option key={value} value={value}>
          {earningsText(value)}
        </option>
      ))}
    </select>
  </div>
);

export const EarningsPanel = (): ReactNode => {
  const [period, setPeriod] = useState<EarningsPeriod>(FIRST_PERIOD);
  const [isTable, setIsTable] = useState(false);
  const earnings = useEarnings(period);
  const OtherIcon = isTable ? ChartColumn : Table2;
  return (
    <Panel
      title={earningsText('title')}
      end={
        <div className="panel-tools">
          <PeriodChoice period={period} onChange={setPeriod} />
          <IconButton
            variant="plain"
            label={earningsText(isTable ? 'showChart' : 'showTable')}
            icon={<OtherIcon {...ICON} />}
            onClick={() => setIsTable(!isTable)}
          />
        </div>
      }
    >
      <QueryView query={earnings} skeleton={<EarningsSkeleton />} errorTitle={earningsText('failed')}>
        {(view) => <Figures period={period} view={view} isTable={isTable} />}
      </QueryView>
    </Panel>
  );
};
