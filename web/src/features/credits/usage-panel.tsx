import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import { USAGE_DAYS_MAX } from '@shortlist/contracts/limits';
import { lazy, type ReactNode, Suspense } from 'react';
import { count } from '../../lib/money.ts';
import type { ChangeFilters } from '../../lib/url-filters.ts';
import { creditsText } from '../../messages/credits.ts';
import { DateFilter } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Bar, EmptyState, QueryView, Skeleton } from '../../ui/states.tsx';
import { DEFAULT_PERIOD, isTooLong, type Period, periodIn, PERIODS, totalsOf } from './usage.rules.ts';
import { UsageTable } from './usage-table.tsx';
import { useToolNames } from './use-tool-names.ts';
import { useUsage, useUsagePeriod } from './use-usage.ts';

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

type FiguresProps = { usage: CreditsUsage[]; period: Period };

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

/** What was charged by day and tool. */
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
