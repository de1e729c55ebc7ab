import { publicDoors, type EarningsPeriod, type EarningsView } from '@shortlist/contracts/api/public';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { money } from '../../lib/money.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';
import { Panel } from '../../ui/panel.tsx';
import { Reading } from '../../ui/reading.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { EarningsTable } from './earnings-table.tsx';
import { PERIODS } from './periods.ts';

const NoChart = (): ReactNode => (
  <p className="chart muted">The chart could not be loaded. The table has the same figures.</p>
);

const EarningsChart = lazy(() =>
  import('./earnings-chart.tsx').then(
    ({ EarningsChart: Chart }) => ({ default: Chart }),
    () => ({ default: NoChart }),
  ),
);

const useEarnings = (period: EarningsPeriod) => {
  const token = useAdminToken();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return useSWR<EarningsView, unknown>(
    token === null ? null : ['earnings', token, period, timeZone],
    async () => (await call(publicDoors.earnings, { period, timeZone }, { token })).data,
    { keepPreviousData: true },
  );
};

const Totals = ({ view }: { view: EarningsView }): ReactNode => (
  <div className="figures num">
    <div>
      <span className="key is-earnings">Earnings</span>
      <strong>{money(view.earnings, view.currency)}</strong>
    </div>
    <div>
      <span className="key is-expenses">Expenses</span>
      <strong>{money(view.expenses, view.currency)}</strong>
    </div>
  </div>
);

const Waiting = (): ReactNode => (
  <Skeleton label="Loading the earnings">
    <Bar width="40%" height="3rem" />
    <div className="chart" />
  </Skeleton>
);

const Figures = ({ period, view }: { period: EarningsPeriod; view: EarningsView }): ReactNode => {
  const [isTable, setIsTable] = useState(false);
  return (
    <>
      <Totals view={view} />
      {isTable ? (
        <EarningsTable period={period} view={view} />
      ) : (
        <Suspense fallback={<div className="chart" />}>
          <EarningsChart period={period} view={view} />
        </Suspense>
      )}
      <p className="small muted definition">
        Paid invoices; refunds and provider fees.{' '}
        <button type="button" className="link-button" onClick={() => setIsTable(!isTable)}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </button>
      </p>
    </>
  );
};

export const EarningsPanel = (): ReactNode => {
  const [period, setPeriod] = useState<EarningsPeriod>('week');
  const earnings = useEarnings(period);
  return (
    <Panel
      title="Earnings And Expenses"
      end={
        <div className="select is-small is-auto">
          <select
            aria-label="Period"
            value={period}
            onChange={(event) =>
              setPeriod(PERIODS.find(([value]) => value === event.target.value)?.[0] ?? 'week')
            }
          >
            {PERIODS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
      }
    >
      <Reading of={earnings} waiting={<Waiting />} failed="The earnings could not be loaded">
        {(view) => <Figures period={period} view={view} />}
      </Reading>
    </Panel>
  );
};
