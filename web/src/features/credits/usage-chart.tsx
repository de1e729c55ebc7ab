import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import type { ReactNode } from 'react';
import { axisDates, utcDay } from '../../lib/dates.ts';
import type { Days } from '../../lib/days.rules.ts';
import { count } from '../../lib/money.ts';
import { creditsText } from '../../messages/credits.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { axisLabels, axisOf } from '../../ui/axes.rules.ts';
import { daysOf, highestDay, seriesOf, TOOL_COLORS } from './usage.rules.ts';
import type { ToolName } from '../../lib/data/use-tools.ts';

/** As many days as have room for a label. */
const LABELS = 12;
const LABELS_ON_PHONE = 5;
/** The axis where nothing was charged. */
const EMPTY_AXIS = 4;

type UsageChartProps = { usage: CreditsUsage[]; period: Days; nameOf: ToolName };

/** The charged credits by day, stacked by app. */
export const UsageChart = ({ usage, period, nameOf }: UsageChartProps): ReactNode => {
  const days = daysOf(period);
  const names = days.map(axisDates.utcDay);
  const series = seriesOf(usage, period);
  return (
    <BarChart
      id="usage"
      isStacked
      labels={{
        wide: axisLabels(names, LABELS),
        phone: axisLabels(names, LABELS_ON_PHONE),
        tooltip: days.map(utcDay),
      }}
      min={0}
      {...axisOf(highestDay(series), EMPTY_AXIS)}
      format={count}
      formatAxis={count}
      series={series.map(({ clientIds: [first = null], isRest, data }, index) => ({
        name: isRest ? creditsText('otherTools') : nameOf(first),
        color: TOOL_COLORS[index] ?? 'accent',
        data,
      }))}
    />
  );
};
