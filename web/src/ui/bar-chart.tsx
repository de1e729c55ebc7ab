import type { ApexOptions } from 'apexcharts';
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import ImportedChart from 'react-apexcharts';
import { useAppSelector } from '../lib/state/hooks.tsx';

const HEIGHT = 264;
const CAPTION = '13px';
const AXIS_INSET = 12;
/** The chart takes labels with as many letters for equally wide, but a sign is wider than a dot. */
const SIGNED_LABEL_WIDTH = 48;
const PHONE = '(max-width: 599px)';
const GAPS_MAX = 40;

// The package is CommonJS: depending on the bundler, its default export is wrapped in the module or not.
const ReactApexChart = (ImportedChart as { default?: typeof ImportedChart }).default ?? ImportedChart;

/** The colour roles of styles/_colors.scss that a chart has. */
const ROLES = ['accent', 'expense', 'tool-3', 'tool-4', 'surface', 'line', 'edge', 'ink-3'] as const;
type Role = (typeof ROLES)[number];
export type ChartColor = Extract<Role, 'accent' | 'expense' | 'tool-3' | 'tool-4'>;
type Colors = Record<Role, string>;

const readColors = (): Colors => {
  const style = getComputedStyle(document.documentElement);
  // The colour roles are expressions, but the chart needs plain colours. The computed style of an element has them.
  const probe = document.createElement('i');
  document.body.append(probe);
  const resolved = (role: Role): string => {
    probe.style.color = `var(--${role})`;
    return getComputedStyle(probe).color || style.getPropertyValue(`--${role}`).trim();
  };
  const colors = Object.fromEntries(ROLES.map((role) => [role, resolved(role)])) as Colors;
  probe.remove();
  return colors;
};

/** The current colours. A change of the document's theme, accent or direction updates them. */
const useColors = (): Colors => {
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

const subscribeToWidth = (onChange: () => void): (() => void) => {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};

/** Chosen here: the chart's own option for widths copies its whole configuration at each drawing. */
const useIsPhone = (): boolean =>
  useSyncExternalStore(subscribeToWidth, () => window.matchMedia(PHONE).matches);

type BarChartProps = {
  id: string;
  series: { name: string; color: ChartColor; isStriped?: boolean; data: number[] }[];
  /** Of the time axis, empty where there is no room for one; on a phone there is less. */
  labels: { wide: string[]; phone: string[]; tooltip: string[] };
  /** Of the value axis, unless the values choose it. */
  min?: number | undefined;
  max?: number | undefined;
  /** Into how many steps `max` is cut. */
  steps?: number;
  isStacked?: boolean;
  /** The same functions at each drawing: others make the chart anew. */
  format: (value: number) => string;
  formatAxis: (value: number) => string;
};

/** All but the values of the series. */
type ChartInput = Omit<BarChartProps, 'series'> & {
  series: Pick<BarChartProps['series'][number], 'color' | 'isStriped'>[];
  colors: Colors;
  isPhone: boolean;
  isRtl: boolean;
};

// Time runs from left to right in every direction of reading; only the value axis changes sides.
const axesOf = ({ labels, min, max, steps = 4, formatAxis, colors, isPhone, isRtl }: ChartInput) => ({
  xaxis: {
    categories: isPhone ? labels.phone : labels.wide,
    axisBorder: { show: true, color: colors.edge },
    axisTicks: { show: false },
    crosshairs: { fill: { type: 'solid', color: colors.line }, opacity: 0.6, stroke: { width: 0 } },
    labels: { rotate: 0, hideOverlappingLabels: true, style: { fontSize: CAPTION } },
  },
  yaxis: {
    opposite: isRtl,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    forceNiceScale: max === undefined,
    tickAmount: steps,
    labels: {
      // Aligns the labels with the other content of the panel.
      offsetX: -AXIS_INSET,
      minWidth: min !== undefined && min < 0 ? SIGNED_LABEL_WIDTH : 0,
      style: { fontSize: CAPTION },
      formatter: formatAxis,
    },
  },
});

/** Labels that are wider than their bars need room at the ends of the axis. */
const paddingOf = ({ labels: { wide }, isRtl }: ChartInput) => {
  const isDense = wide.length > 7 && wide.some((label) => label.length > 3);
  const end = isDense ? 20 : 0;
  return { top: -12, bottom: -4, ...(isRtl ? { right: 4, left: end } : { right: end - 12, left: 4 }) };
};

const tooltipOf = ({ labels, format }: ChartInput): NonNullable<ApexOptions['tooltip']> => ({
  x: {
    formatter: (_value: number, at?: { dataPointIndex: number }) =>
      labels.tooltip[at?.dataPointIndex ?? 0] ?? '',
  },
  style: { fontSize: CAPTION },
  shared: true,
  intersect: false,
  y: { formatter: (value: number | null) => format(value ?? 0) },
});

/** Bars of one colour are told apart by strokes. A line lies on the edge of its square, which cuts half of it off. */
const fillOf = ({ series }: ChartInput): NonNullable<ApexOptions['fill']> => ({
  opacity: 1,
  ...(series.some(({ isStriped }) => isStriped) && {
    type: series.map(({ isStriped = false }) => (isStriped ? 'pattern' : 'solid')),
    pattern: { style: 'horizontalLines', width: 4, height: 4, strokeWidth: 3 },
  }),
});

const optionsOf = (input: ChartInput): ApexOptions => {
  const { id, series, labels, isStacked = false, colors, isPhone } = input;
  return {
    chart: {
      id,
      stacked: isStacked,
      toolbar: { show: false },
      parentHeightOffset: 0,
      zoom: { enabled: false },
      fontFamily: 'inherit',
      background: 'transparent',
      animations: { enabled: false },
      foreColor: colors['ink-3'],
    },
    colors: series.map(({ color }) => colors[color]),
    // Rounding would draw zeros and hide small bars.
    plotOptions: { bar: { columnWidth: isPhone ? '76%' : '58%' } },
    dataLabels: { enabled: false },
    fill: fillOf(input),
    // Stacked bars are told apart by a gap as well, unless it would take up the bars.
    stroke:
      isStacked && labels.wide.length <= GAPS_MAX
        ? { show: true, width: 1, colors: [colors.surface] }
        : { show: false },
    grid: {
      borderColor: colors.line,
      xaxis: { lines: { show: false } },
      yaxis: { lines: { show: true } },
      padding: paddingOf(input),
    },
    legend: { show: false },
    states: { hover: { filter: { type: 'none' } } },
    ...axesOf(input),
    tooltip: tooltipOf(input),
  };
};

/** The options, the same object while nothing in them changes: new values alone are then drawn into the chart that is there. */
const useOptions = ({ format, formatAxis, ...input }: ChartInput): ApexOptions => {
  const described = JSON.stringify(input);
  return useMemo(
    () => optionsOf({ ...(JSON.parse(described) as typeof input), format, formatAxis }),
    [described, format, formatAxis],
  );
};

/** The gap around a stacked bar of no height would cover the axis. */
const nothingAsNull = (value: number): number | null => (value === 0 ? null : value);

/** Bars over time. Hidden from screen readers: a table has the same figures. Only lazily loaded charts may import it. */
export const BarChart = ({ series, ...props }: BarChartProps): ReactNode => {
  const colors = useColors();
  const isRtl = useAppSelector((state) => state.layout.direction) === 'rtl';
  const isPhone = useIsPhone();
  const options = useOptions({
    ...props,
    series: series.map(({ color, isStriped = false }) => ({ color, isStriped })),
    colors,
    isPhone,
    isRtl,
  });
  return (
    <div className="bar-chart" aria-hidden="true" dir="ltr">
      <ReactApexChart
        type="bar"
        height={HEIGHT}
        options={options}
        series={series.map(({ name, data }) => ({
          name,
          data: props.isStacked ? data.map(nothingAsNull) : data,
        }))}
      />
    </div>
  );
};
