import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { USAGE_DAYS_MAX } from '@shortlist/contracts/limits';
import { lazy, type ReactNode, Suspense } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { type ToolName, useToolNames } from '../../lib/data/use-tools.ts';
import { utcToday } from '../../lib/dates.ts';
import type { Days } from '../../lib/days.rules.ts';
import { count, percent } from '../../lib/money.ts';
import { type ChangeFilters, useUrlParams } from '../../lib/url-filters.ts';
import { creditsText } from '../../messages/credits.ts';
import { DateFilter } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import {
  colorOf,
  DEFAULT_PERIOD,
  isTooLong,
  periodIn,
  periodOf,
  PERIODS,
  seriesOf,
  type ToolUsage,
  totalsOf,
  usageByTool,
} from './usage.rules.ts';

/** The period of the usage, which is in the URL. */
const useUsagePeriod = () => {
  const { params, change } = useUrlParams();
  const choice = { period: params.get('period'), first: params.get('first'), last: params.get('last') };
  return { params, change, period: periodOf(choice, utcToday()) };
};

/** Requests nothing for a period that the server would refuse. */
export const useUsage = () => {
  const { period } = useUsagePeriod();
  const isRefused = isTooLong(period);
  const query = useQuery('credits', publicEndpoints.creditsUsage, isRefused ? null : period);
  return isRefused ? { ...query, data: [] } : query;
};

const ChartFailed = (): ReactNode => <p className="bar-chart muted">{creditsText('chartFailed')}</p>;

const UsageChart = lazy(() =>
  import('./usage-chart.tsx').then(
    ({ UsageChart: Chart }) => ({ default: Chart }),
    () => ({ default: ChartFailed }),
  ),
);

const PERIOD_LABELS: Record<(typeof PERIODS)[number], string> = {
  7: creditsText('last7'),
  30: creditsText('last30'),
  90: creditsText('last90'),
  days: creditsText('chosenDays'),
};

type ChoiceProps = { params: URLSearchParams; onChange: ChangeFilters };

const PeriodChoice = ({ params, onChange }: ChoiceProps): ReactNode => (
  <div className="select is-auto">
    <select
      aria-label={creditsText('usagePeriod')}
      value={periodIn(params.get('period'))}
      onChange={({ target: { value } }) =>
        onChange({ period: value === DEFAULT_PERIOD ? '' : value, first: '', last: '' })
      }
    >
      {PERIODS.map((period) => (
        <option key={period} value={period}>
          {PERIOD_LABELS[period]}
        </option>
      ))}
    </select>
  </div>
);

const DayChoice = (props: ChoiceProps): ReactNode => (
  <div className="filters panel-filters">
    <DateFilter name="first" label={creditsText('firstDay')} {...props} />
    <DateFilter name="last" label={creditsText('lastDay')} {...props} />
  </div>
);

const Totals = ({ usage }: { usage: CreditsUsage[] }): ReactNode => {
  const totals = totalsOf(usage);
  return (
    <div className="chart-totals num">
      {(['charged', 'returned'] as const).map((name) => (
        <div key={name}>
          <span className="small muted">{creditsText(name)}</span>
          <strong>{count(totals[name])}</strong>
        </div>
      ))}
    </div>
  );
};

type RowProps = { tool: ToolUsage; color: ReturnType<typeof colorOf>; name: string };

const Row = ({ tool: { charged, returned, share }, color, name }: RowProps): ReactNode => (
  <tr>
    <td className="data-table-name">
      <span className={color === null ? undefined : `legend-key is-${color}`}>
        <bdi>{name}</bdi>
      </span>
    </td>
    <td className="num align-end">{count(charged)}</td>
    <td className="num align-end is-figure" data-label={creditsText('returned')}>
      {count(returned)}
    </td>
    <td className="num align-end is-figure" data-label={creditsText('share')}>
      {percent(share)}
    </td>
  </tr>
);

type UsageTableProps = { usage: CreditsUsage[]; period: Days; nameOf: ToolName };

/** The usage of each app, which is the legend of the chart as well. */
const UsageTable = ({ usage, period, nameOf }: UsageTableProps): ReactNode => {
  const series = seriesOf(usage, period);
  return (
    <div className="table-scroll">
      <table className="data-table is-stacked is-brief" aria-label={creditsText('usageByTool')}>
        <thead>
          <tr>
            <th scope="col">{creditsText('tool')}</th>
            {(['charged', 'returned', 'share'] as const).map((column) => (
              <th key={column} scope="col" className="align-end">
                {creditsText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usageByTool(usage).map((tool) => (
            <Row
              key={tool.clientId}
              tool={tool}
              color={colorOf(series, tool.clientId)}
              name={nameOf(tool.clientId)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};

type FiguresProps = { usage: CreditsUsage[]; period: Days };

const Figures = ({ usage, period }: FiguresProps): ReactNode => {
  const nameOf = useToolNames();
  if (isTooLong(period)) return <EmptyState>{creditsText('tooLong', { days: USAGE_DAYS_MAX })}</EmptyState>;
  if (usage.length === 0) return <EmptyState>{creditsText('noUsage')}</EmptyState>;
  return (
    <>
      <div className="panel-body">
        <Totals usage={usage} />
        <Suspense fallback={<div className="bar-chart" />}>
          <UsageChart usage={usage} period={period} nameOf={nameOf} />
        </Suspense>
      </div>
      <UsageTable usage={usage} period={period} nameOf={nameOf} />
      <p className="small muted panel-foot">{creditsText('usageDefinition')}</p>
    </>
  );
};

const UsageSkeleton = (): ReactNode => (
  <Skeleton label={creditsText('loadingUsage')}>
    <div className="panel-inset">
      <div className="chart-totals">
        <Bar width="9rem" height="3.125rem" />
      </div>
      <div className="bar-chart" />
    </div>
  </Skeleton>
);

/** What was charged by day and app. */
export const UsagePanel = (): ReactNode => {
  const { params, change, period } = useUsagePeriod();
  const state = { params, onChange: change };
  return (
    <Panel title={creditsText('usage')} end={<PeriodChoice {...state} />} isBare>
      {periodIn(params.get('period')) === 'days' && <DayChoice {...state} />}
      <QueryView query={useUsage()} skeleton={<UsageSkeleton />} errorTitle={creditsText('usageFailed')}>
        {(usage) => <Figures usage={usage} period={period} />}
      </QueryView>
    </Panel>
  );
};
