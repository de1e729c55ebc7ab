// Usage is counted by day in UTC and by app: the browser, or an API key. Days without a charge are part of the period. The chart has the
// largest apps apart and the others as one, since more shades could not be told apart; the table has each.
import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import { USAGE_DAYS_MAX } from '@shortlist/contracts/limits';
import { addDays, countDays, dayRange, type Days } from '../../lib/days.rules.ts';

/** The last days up to today, or a first and a last day. */
export const PERIODS = ['7', '30', '90', 'days'] as const;
export const DEFAULT_PERIOD = '30';

export const periodIn = (text: string | null): (typeof PERIODS)[number] =>
  PERIODS.find((known) => known === text) ?? DEFAULT_PERIOD;

const lastDays = (today: string, count: number): Days => ({ from: addDays(today, 1 - count), to: today });

type Choice = { period: string | null; first: string | null; last: string | null };

/** The chosen period. A missing edge of chosen days is today, or the day with which the default period would begin. */
export const periodOf = ({ period, first, last }: Choice, today: string): Days => {
  const known = periodIn(period);
  if (known !== 'days') return lastDays(today, Number(known));
  const { from, to } = dayRange(first, last);
  if (from === undefined) return lastDays(to ?? today, Number(DEFAULT_PERIOD));
  if (to !== undefined) return { from, to };
  return from > today ? { from: today, to: from } : { from, to: today };
};

/** The server refuses a longer one. */
export const isTooLong = (period: Days): boolean => countDays(period) > USAGE_DAYS_MAX;

/** Every day of the period. */
export const daysOf = (period: Days): string[] =>
  Array.from({ length: Math.max(countDays(period), 0) }, (_, index) => addDays(period.from, index));

/** `share`: of all charged credits, from 0 to 1. */
export type ToolUsage = { clientId: string | null; charged: number; returned: number; share: number };

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export const totalsOf = (usage: readonly CreditsUsage[]): { charged: number; returned: number } => ({
  charged: sumOf(usage.map(({ charged }) => charged)),
  returned: sumOf(usage.map(({ returned }) => returned)),
});

/** What each app has used, the largest first. */
export const usageByTool = (usage: readonly CreditsUsage[]): ToolUsage[] => {
  const all = totalsOf(usage).charged;
  return [...new Set(usage.map(({ clientId }) => clientId))]
    .map((clientId) => {
      const { charged, returned } = totalsOf(usage.filter((row) => row.clientId === clientId));
      return { clientId, charged, returned, share: all === 0 ? 0 : charged / all };
    })
    .toSorted((one, other) => other.charged - one.charged || other.returned - one.returned);
};

/** The colours of the chart, the largest app first. */
export const TOOL_COLORS = ['accent', 'expense', 'tool-3', 'tool-4'] as const;
type ToolColor = (typeof TOOL_COLORS)[number];
const SERIES_MAX = TOOL_COLORS.length;

/** One colour of the chart: an app, or those that are too small for one of their own. */
export type Series = { clientIds: (string | null)[]; isRest: boolean; data: number[] };

/** The charged credits of each day: a series for each app, or for the three largest and the rest. */
export const seriesOf = (usage: readonly CreditsUsage[], period: Days): Series[] => {
  const ids = usageByTool(usage)
    .filter(({ charged }) => charged > 0)
    .map(({ clientId }) => clientId);
  const apart = ids.length <= SERIES_MAX ? ids : ids.slice(0, SERIES_MAX - 1);
  const rest = ids.slice(apart.length);
  const groups = [...apart.map((id) => [id]), ...(rest.length === 0 ? [] : [rest])];
  const days = daysOf(period);
  return groups.map((clientIds) => {
    const byDay = new Map<string, number>();
    for (const { day, clientId, charged } of usage)
      if (clientIds.includes(clientId)) byDay.set(day, (byDay.get(day) ?? 0) + charged);
    return {
      clientIds,
      isRest: clientIds === rest,
      data: days.map((day) => byDay.get(day) ?? 0),
    };
  });
};

/** In which colour an app is drawn; null for one that has charged nothing. */
export const colorOf = (series: readonly Series[], clientId: string | null): ToolColor | null =>
  TOOL_COLORS[series.findIndex(({ clientIds }) => clientIds.includes(clientId))] ?? null;

/** The most credits that were charged on one day. */
export const highestDay = (series: readonly Series[]): number => {
  const length = series[0]?.data.length ?? 0;
  const heights = Array.from({ length }, (_, day) => sumOf(series.map(({ data }) => data[day] ?? 0)));
  return Math.max(0, ...heights);
};

/** From this share of used credits on, the user is warned. */
const WARNING_SHARE = 0.8;

type Balance = { used: number; limit: number; available: number };

/**
 * The plan's used credits in percent when a warning is due, and null otherwise: while other buckets have more than a window that is low,
 * and once nothing is left, for which there is a notice.
 */
export const warningPercent = ({ used, limit, available }: Balance): number | null => {
  const isLow = used >= limit * WARNING_SHARE && available <= limit - Math.ceil(limit * WARNING_SHARE);
  return limit > 0 && available > 0 && isLow ? Math.floor((used * 100) / limit) : null;
};
