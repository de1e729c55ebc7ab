import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { RevenueFigures, RevenueSeries, RevenueStep } from '@shortlist/contracts/api/revenue';
import ChartColumn from 'lucide-react/icons/chart-column';
import Table2 from 'lucide-react/icons/table-2';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { axisDates, tableDate, tableMonth } from '../../lib/dates.ts';
import { signedMoney } from '../../lib/money.ts';
import { revenueText } from '../../messages/revenue.ts';
import { IconButton } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { type Report, rangeOf } from './report-state.ts';
import { chartOf, type Movement, movementOf, totalMovement } from './revenue.rules.ts';

const ChartFailed = (): ReactNode => <p className="bar-chart muted">{revenueText('chartFailed')}</p>;

const MovementsChart = lazy(() =>
  import('./movements-chart.tsx').then(
    ({ MovementsChart: Chart }) => ({ default: Chart }),
    () => ({ default: ChartFailed }),
  ),
);

const nameOf = (step: RevenueStep, { from }: RevenueFigures): string =>
  (step === 'month' ? tableMonth : tableDate)(from);

const labelOf = (step: RevenueStep, { from }: RevenueFigures): string =>
  (step === 'month' ? axisDates.year : axisDates.day)(from);

const LEGEND = [
  ['gained', 'legend-key is-accent'],
  ['reactivated', 'legend-key is-accent is-striped'],
  ['lost', 'legend-key is-expense'],
  ['net', 'small muted'],
] as const;

/** The keys of the chart with their totals. */
const Legend = ({ valueOf }: { valueOf: (name: keyof Movement) => ReactNode }): ReactNode => (
  <div className="chart-totals num">
    {LEGEND.map(([name, className]) => (
      <div key={name}>
        <span className={className}>{revenueText(name)}</span>
        <strong>{valueOf(name)}</strong>
      </div>
    ))}
  </div>
);

const Totals = ({ series: { periods, currency } }: { series: RevenueSeries }): ReactNode => {
  const total = totalMovement(periods.map(movementOf));
  return <Legend valueOf={(name) => signedMoney(total[name], currency)} />;
};

const COLUMNS = ['new', 'expansion', 'reactivated', 'contraction', 'churned'] as const;

type FiguresProps = { series: RevenueSeries; step: RevenueStep };

/** The newest period first, as in every table. */
const MovementsTable = ({ series: { periods, currency }, step }: FiguresProps): ReactNode => (
  <div className="table-scroll">
    <table className="data-table num is-stacked is-brief" aria-label={revenueText('movements')}>
      <thead>
        <tr>
          <th scope="col">{revenueText(step)}</th>
          {[...COLUMNS, 'net' as const].map((column) => (
            <th key={column} scope="col" className="align-end">
              {revenueText(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {periods.toReversed().map((period) => (
          <tr key={period.from}>
            <td className="data-table-name">{nameOf(step, period)}</td>
            {COLUMNS.map((column) => (
              <td key={column} className="align-end is-figure" data-label={revenueText(column)}>
                {signedMoney(period.sums[column].amount, currency)}
              </td>
            ))}
            <td className="align-end">{signedMoney(movementOf(period).net, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Chart = ({ series: { periods, currency }, step }: FiguresProps): ReactNode => (
  <Suspense fallback={<div className="bar-chart" />}>
    <MovementsChart
      movements={periods.map(movementOf)}
      labels={periods.map((period) => labelOf(step, period))}
      names={periods.map((period) => nameOf(step, period))}
      currency={currency}
    />
  </Suspense>
);

const Note = (): ReactNode => <p className="small muted panel-foot">{revenueText('movementsNote')}</p>;

const Movements = ({ isTable, ...figures }: FiguresProps & { isTable: boolean }): ReactNode => {
  const isStill = figures.series.periods.every(({ sums }) =>
    COLUMNS.every((kind) => sums[kind].amount === 0),
  );
  if (isStill) return <EmptyState>{revenueText('noMovements')}</EmptyState>;
  return (
    <>
      <div className="panel-body">
        <Totals series={figures.series} />
        {!isTable && <Chart {...figures} />}
      </div>
      {isTable && <MovementsTable {...figures} />}
      <Note />
    </>
  );
};

/** As high as the chart. */
const MovementsSkeleton = (): ReactNode => (
  <Skeleton label={revenueText('movementsLoading')}>
    <div className="panel-inset">
      <Legend valueOf={() => <Bar width="5rem" height="1.875rem" />} />
      <div className="bar-chart" />
    </div>
    <Note />
  </Skeleton>
);

/** How MRR has changed, as bars above and below the line, or as a table of the same figures. */
export const MovementsPanel = ({ choice }: Report): ReactNode => {
  const [isTable, setIsTable] = useState(false);
  const { step, ...days } = chartOf(choice);
  const input = { ...rangeOf(days, choice.currency), step };
  const query = useQuery('earnings', publicEndpoints.revenuePeriods, input);
  const OtherIcon = isTable ? ChartColumn : Table2;
  return (
    <Panel
      title={revenueText('movements')}
      isBare
      end={
        <IconButton
          variant="plain"
          label={revenueText(isTable ? 'showChart' : 'showTable')}
          icon={<OtherIcon {...ICON} />}
          isReadOnly
          onClick={() => setIsTable(!isTable)}
        />
      }
    >
      <QueryView query={query} skeleton={<MovementsSkeleton />} errorTitle={revenueText('movementsFailed')}>
        {(series) => <Movements series={series} step={step} isTable={isTable} />}
      </QueryView>
    </Panel>
  );
};
