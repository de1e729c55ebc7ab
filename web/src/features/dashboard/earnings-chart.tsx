import type { EarningsView } from '@shortlist/contracts/api/billing';
import { type ReactNode, useCallback } from 'react';
import { compactMoney, money } from '../../lib/money.ts';
import { earningsText } from '../../messages/earnings.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { axisOf } from '../../ui/axes.rules.ts';

/** The axis where nothing was earned, in minor units. */
const EMPTY_AXIS = 10_000;

/** As many axis labels as a phone has room for. The tooltip and the table have the others. */
const everyFifth = (names: string[]): string[] =>
  names.length <= 12 ? names : names.map((name, index) => (index % 5 === 0 ? name : ''));

/** `labels`: of the axis; `names`: of what a pointer is on. One for each bucket. */
type EarningsChartProps = { view: EarningsView; labels: string[]; names: string[] };

export const EarningsChart = ({ view, labels, names }: EarningsChartProps): ReactNode => {
  const { buckets, currency } = view;
  const format = useCallback((value: number) => money(value, currency), [currency]);
  const formatAxis = useCallback((value: number) => compactMoney(value, currency), [currency]);
  // What disputes and failed refunds gave back is a negative expense.
  const isNegative = buckets.some(({ earnings, expenses }) => Math.min(earnings, expenses) < 0);
  const highest = Math.max(...buckets.map(({ earnings, expenses }) => Math.max(earnings, expenses)));
  return (
    <BarChart
      id="earnings"
      labels={{ wide: labels, phone: everyFifth(labels), tooltip: names }}
      {...(isNegative ? {} : { min: 0, ...axisOf(highest, EMPTY_AXIS) })}
      format={format}
      formatAxis={formatAxis}
      series={[
        {
          name: earningsText('earnings'),
          color: 'accent',
          data: buckets.map(({ earnings }) => earnings),
        },
        {
          name: earningsText('expenses'),
          color: 'expense',
          data: buckets.map(({ expenses }) => expenses),
        },
      ]}
    />
  );
};
