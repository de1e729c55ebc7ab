import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/admin-views';
import type { ApexOptions } from 'apexcharts';
import { useEffect, useState, type ReactNode } from 'react';
import ImportedChart from 'react-apexcharts';
import { money, compactMoney } from '../../lib/money.ts';
import { useAppSelector } from '../../lib/state/hooks.tsx';
import { earningsText } from '../../messages/earnings.ts';
import { bucketNames } from './periods.ts';

const HEIGHT = 264;
const CAPTION = '13px';
const AXIS_INSET = 12;
/** The end of the value axis when all values are zero. */
const EMPTY_AXIS_MAX = 10_000;

// The package is CommonJS: depending on the bundler, its default export is wrapped in the module or not.
const ReactApexChart = (ImportedChart as { default?: typeof ImportedChart }).default ?? ImportedChart;

type ChartColors = { accent: string; expense: string; line: string; edge: string; text: string };

const readColors = (): ChartColors => {
  const style = getComputedStyle(document.documentElement);
  const role = (name: string): string => style.getPropertyValue(name).trim();
  // The colour roles are expressions, but the chart needs plain colours. The computed style of an element has them.
  const probe = document.createElement('i');
  document.body.append(probe);
  const resolved = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color || role(name);
  };
  const colors = {
    accent: resolved('--accent'),
    expense: resolved('--expense'),
    line: resolved('--line'),
    edge: resolved('--edge'),
    text: resolved('--ink-3'),
  };
  probe.remove();
  return colors;
};

/** The current colours. A change of the document's theme, accent or direction updates them. */
const useChartColors = (): ChartColors => {
  const [colors, setColors] = useState(readColors);
  useEffect(() => {
    const observer = new MutationObserver(() => setColors(readColors()));
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'data-accent', 'dir'],
    });
    return () => observer.disconnect();
  }, []);
  return colors;
};

const PHONE = 600;

/** As many axis labels as a phone has room for. The tooltip and the table have the others. */
const everyFifth = (names: string[]): string[] =>
  names.length <= 12 ? names : names.map((name, index) => (index % 5 === 0 ? name : ''));

const onPhone = (categories: string[]): NonNullable<ApexOptions['responsive']> => [
  { breakpoint: PHONE, options: { xaxis: { categories }, plotOptions: { bar: { columnWidth: '76%' } } } },
];

type ChartInput = { view: EarningsView; names: string[]; colors: ChartColors; isRtl: boolean };

// Time runs from left to right in every direction of reading; only the value axis changes sides.
const axesOf = ({ view, names, colors, isRtl }: ChartInput): Pick<ApexOptions, 'xaxis' | 'yaxis'> => ({
  xaxis: {
    categories: names,
    axisBorder: { show: true, color: colors.edge },
    axisTicks: { show: false },
    crosshairs: { fill: { type: 'solid', color: colors.line }, opacity: 0.6, stroke: { width: 0 } },
    labels: { rotate: 0, hideOverlappingLabels: true, style: { fontSize: CAPTION } },
  },
  yaxis: {
    opposite: isRtl,
    // What disputes and failed refunds gave back is a negative expense.
    ...(view.buckets.some(({ earnings, expenses }) => Math.min(earnings, expenses) < 0) ? {} : { min: 0 }),
    ...(view.earnings + view.expenses === 0 ? { max: EMPTY_AXIS_MAX } : {}),
    forceNiceScale: true,
    tickAmount: 4,
    labels: {
      // Aligns the labels with the other content of the panel.
      offsetX: -AXIS_INSET,
      style: { fontSize: CAPTION },
      formatter: (value: number) => compactMoney(value, view.currency),
    },
  },
});

const optionsOf = ({ view, names, colors, isRtl }: ChartInput): ApexOptions => ({
  chart: {
    id: 'earnings',
    toolbar: { show: false },
    parentHeightOffset: 0,
    zoom: { enabled: false },
    fontFamily: 'inherit',
    background: 'transparent',
    animations: { enabled: false },
    foreColor: colors.text,
  },
  colors: [colors.accent, colors.expense],
  // Rounding or an outline would draw zeros and hide small bars.
  plotOptions: { bar: { columnWidth: '58%' } },
  dataLabels: { enabled: false },
  fill: { opacity: 1 },
  stroke: { show: false },
  grid: {
    borderColor: colors.line,
    xaxis: { lines: { show: false } },
    yaxis: { lines: { show: true } },
    padding: { top: -12, right: isRtl ? 4 : -12, bottom: -4, left: isRtl ? 0 : 4 },
  },
  legend: { show: false },
  states: { hover: { filter: { type: 'none' } } },
  ...axesOf({ view, names, colors, isRtl }),
  responsive: onPhone(everyFifth(names)),
  tooltip: {
    x: {
      formatter: (_value: number, at?: { dataPointIndex: number }) => names[at?.dataPointIndex ?? 0] ?? '',
    },
    style: { fontSize: CAPTION },
    shared: true,
    intersect: false,
    y: { formatter: (value: number) => money(value, view.currency) },
  },
});

type EarningsChartProps = { period: EarningsPeriod; view: EarningsView };

/** Hidden from screen readers: the totals and the table have the same figures. */
export const EarningsChart = ({ period, view }: EarningsChartProps): ReactNode => {
  const colors = useChartColors();
  const isRtl = useAppSelector((state) => state.layout.direction) === 'rtl';
  const options = optionsOf({ view, names: bucketNames(period, view), colors, isRtl });
  return (
    <div className="earnings-chart" aria-hidden="true" dir="ltr">
      <ReactApexChart
        type="bar"
        height={HEIGHT}
        options={options}
        series={[
          { name: earningsText('earnings'), data: view.buckets.map(({ earnings }) => earnings) },
          { name: earningsText('expenses'), data: view.buckets.map(({ expenses }) => expenses) },
        ]}
      />
    </div>
  );
};
