import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/public';
import type { ApexOptions } from 'apexcharts';
import { useEffect, useState, type ReactNode } from 'react';
import ImportedChart from 'react-apexcharts';
import { money, roundMoney } from '../../lib/money.ts';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { bucketNames } from './periods.ts';

const HEIGHT = 272;

// The package is CommonJS: depending on the bundler, its default export comes wrapped in the module or plain.
const ReactApexChart = (ImportedChart as { default?: typeof ImportedChart }).default ?? ImportedChart;

type Roles = { accent: string; warn: string; line: string; text: string; surface: string };

const readRoles = (): Roles => {
  const style = getComputedStyle(document.documentElement);
  const role = (name: string): string => style.getPropertyValue(name).trim();
  // The roles are calculated colours; the chart needs plain ones, so a painted element is asked.
  const probe = document.createElement('i');
  document.body.append(probe);
  const plain = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color || role(name);
  };
  const roles = {
    accent: plain('--accent'),
    warn: plain('--warn'),
    line: plain('--line'),
    text: plain('--ink-3'),
    surface: plain('--surface'),
  };
  probe.remove();
  return roles;
};

/** The colours in force, read again whenever the document's scheme, colour or direction changes. */
const useRoles = (): Roles => {
  const [roles, setRoles] = useState(readRoles);
  useEffect(() => {
    const observer = new MutationObserver(() => setRoles(readRoles()));
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'data-accent', 'dir'],
    });
    return () => observer.disconnect();
  }, []);
  return roles;
};

const PHONE = 600;

const inOrder = <T,>(list: T[], isRtl: boolean): T[] => (isRtl ? [...list].reverse() : list);

/** So many names as a phone has room for; the others are told by the tooltip and the table. */
const sparse = (names: string[]): string[] =>
  names.length <= 12 ? names : names.map((name, index) => (index % 5 === 0 ? name : ''));

const onPhone = (categories: string[]): NonNullable<ApexOptions['responsive']> => [
  { breakpoint: PHONE, options: { xaxis: { categories }, plotOptions: { bar: { columnWidth: '82%' } } } },
];

type Look = { view: EarningsView; names: string[]; roles: Roles; isRtl: boolean };

const optionsOf = ({ view, names, roles, isRtl }: Look): ApexOptions => ({
  chart: {
    id: 'earnings',
    toolbar: { show: false },
    parentHeightOffset: 0,
    zoom: { enabled: false },
    fontFamily: 'inherit',
    background: 'transparent',
    animations: { enabled: false },
    foreColor: roles.text,
  },
  colors: [roles.accent, roles.warn],
  // Neither rounding nor a thick outline: both would draw a zero, and eat what a small bar has to show.
  plotOptions: { bar: { columnWidth: '64%' } },
  dataLabels: { enabled: false },
  fill: { opacity: 1 },
  stroke: { show: true, width: 1, colors: ['transparent'] },
  grid: { borderColor: roles.line, xaxis: { lines: { show: false } }, yaxis: { lines: { show: true } } },
  legend: { show: false },
  states: { hover: { filter: { type: 'none' } } },
  xaxis: {
    categories: inOrder(names, isRtl),
    axisBorder: { show: false },
    axisTicks: { show: false },
    labels: { rotate: 0, hideOverlappingLabels: true },
  },
  yaxis: {
    opposite: isRtl,
    min: 0,
    forceNiceScale: true,
    labels: { formatter: (value: number) => roundMoney(value, view.currency) },
  },
  responsive: onPhone(inOrder(sparse(names), isRtl)),
  tooltip: {
    x: {
      formatter: (_value: number, at?: { dataPointIndex: number }) =>
        inOrder(names, isRtl)[at?.dataPointIndex ?? 0] ?? '',
    },
    theme: document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light',
    shared: true,
    intersect: false,
    y: { formatter: (value: number) => money(value, view.currency) },
  },
});

type EarningsChartProps = { period: EarningsPeriod; view: EarningsView };

/** For eyes only: the same figures stand in words above and in the table. */
export const EarningsChart = ({ period, view }: EarningsChartProps): ReactNode => {
  const roles = useRoles();
  const isRtl = useAppSelector((state) => state.layout.direction) === 'rtl';
  const options = optionsOf({ view, names: bucketNames(period, view), roles, isRtl });
  return (
    <div className="chart" aria-hidden="true" dir="ltr">
      <ReactApexChart
        type="bar"
        height={HEIGHT}
        options={options}
        series={[
          {
            name: 'Earnings',
            data: inOrder(
              view.buckets.map(({ earnings }) => earnings),
              isRtl,
            ),
          },
          {
            name: 'Expenses',
            data: inOrder(
              view.buckets.map(({ expenses }) => expenses),
              isRtl,
            ),
          },
        ]}
      />
    </div>
  );
};
