import { type ReactNode, useCallback } from 'react';
import { signedCompactMoney, signedMoney } from '../../lib/money.ts';
import { revenueText } from '../../messages/revenue.ts';
import { axisAround, axisLabels } from '../../ui/axes.rules.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import type { Movement } from './revenue.rules.ts';

/** The axis where nothing moved, in minor units. */
const EMPTY_AXIS = 10_000;
const LABELS = 12;
const LABELS_ON_PHONE = 6;

/** `labels`: of the axis; `names`: of what a pointer is on. One for each movement. */
type MovementsChartProps = { movements: Movement[]; labels: string[]; names: string[]; currency: string };

export const MovementsChart = ({ movements, labels, names, currency }: MovementsChartProps): ReactNode => {
  const format = useCallback((value: number) => signedMoney(value, currency), [currency]);
  const formatAxis = useCallback((value: number) => signedCompactMoney(value, currency), [currency]);
  const highest = Math.max(...movements.map(({ gained, reactivated }) => gained + reactivated));
  const lowest = Math.min(...movements.map(({ lost }) => lost));
  return (
    <BarChart
      id="movements"
      isStacked
      labels={{
        wide: axisLabels(labels, LABELS),
        phone: axisLabels(labels, LABELS_ON_PHONE),
        tooltip: names,
      }}
      {...axisAround(lowest, highest, EMPTY_AXIS)}
      format={format}
      formatAxis={formatAxis}
      series={[
        { name: revenueText('gained'), color: 'accent', data: movements.map(({ gained }) => gained) },
        {
          name: revenueText('reactivated'),
          color: 'accent',
          isStriped: true,
          data: movements.map(({ reactivated }) => reactivated),
        },
        { name: revenueText('lost'), color: 'expense', data: movements.map(({ lost }) => lost) },
      ]}
    />
  );
};
