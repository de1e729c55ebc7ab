import {
  MRR_KINDS,
  type RetentionCohort,
  REVENUE_KINDS,
  type RevenueEntry,
  type RevenueKind,
  type SubscriberEntry,
} from '@shortlist/contracts/api/revenue';
import type { Tx } from '@shortlist/kit/data/db';
import { cursorOf, positionOf } from '@shortlist/kit/data/newest-first';
import {
  flag,
  instant,
  integer,
  isOlder,
  joined,
  nullable,
  oneOf,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import { monthOf } from './movement.rules.ts';
import { inDateTime, type MovedSum, nearestDay, sumsToMove } from './sum-units.rules.ts';

const CURRENCY = { currency: text };

/** Every currency in which something has moved. */
export const listCurrencies = async (tx: Tx): Promise<string[]> => {
  const rows = await selectRows(
    tx,
    CURRENCY,
    sql`SELECT DISTINCT currency FROM revenue_sums WHERE unit = 'day' ORDER BY currency`,
  );
  return rows.map(({ currency }) => currency);
};

const SUM = { period: integer, kind: oneOf(...REVENUE_KINDS), amount: integer, count: integer };
export type PeriodSum = { period: number; kind: RevenueKind; amount: number; count: number };

const AMOUNTS = sql`CAST(SUM(amount) AS SIGNED) AS amount, CAST(SUM(count) AS SIGNED) AS count`;

/**
 * The sums of one unit that count for another period than their day. A join from the list, so that each is a look-up in the primary key: ranges
 * in one condition were compared with every row, and a statement for each range reads as many rows as it has quarter hours.
 */
const sumMoved = (unit: MovedSum['unit'], currency: string, moved: readonly MovedSum[]) => {
  const list = moved.map(({ period, startsAt, sign }) => [period, inDateTime(startsAt), sign]);
  return sql`SELECT 1 AS isMoved, m.period, s.kind, CAST(SUM(m.sign * s.amount) AS SIGNED) AS amount,
      CAST(SUM(m.sign * s.count) AS SIGNED) AS count
    FROM JSON_TABLE(${JSON.stringify(list)}, '$[*]' COLUMNS (
      period INT PATH '$[0]', starts_at DATETIME PATH '$[1]', sign INT PATH '$[2]')) AS m
    STRAIGHT_JOIN revenue_sums s ON s.unit = ${unit} AND s.currency = ${currency} AND s.starts_at = m.starts_at
    GROUP BY m.period, s.kind`;
};

/**
 * The sums of each kind before the first of these instants (period -1), and from each to the next; several of a kind add up. Whole UTC days are
 * summed at once, and the parts of those in which a period begins are moved.
 */
export const sumPeriods = async (
  tx: Tx,
  currency: string,
  boundaries: readonly Date[],
): Promise<PeriodSum[]> => {
  const nearest = boundaries.map(nearestDay);
  const starts = nearest.map((day) => day.getTime() / 1_000);
  const whole = sql`SELECT 0 AS isMoved, INTERVAL(UNIX_TIMESTAMP(starts_at), ${starts}) - 1 AS period, kind, ${AMOUNTS}
    FROM revenue_sums WHERE unit = 'day' AND currency = ${currency} AND starts_at < ${nearest.at(-1)}
    GROUP BY 2, 3`;
  const moved = Map.groupBy(boundaries.flatMap(sumsToMove), ({ unit }) => unit);
  const parts = [...moved].map(([unit, sums]) => sumMoved(unit, currency, sums));
  const rows = await selectRows(tx, { isMoved: flag, ...SUM }, joined([whole, ...parts], ' UNION ALL '));
  return rows.flatMap(({ isMoved, period, kind, amount, count }) =>
    isMoved === 0
      ? [{ period, kind, amount, count }]
      : [
          { period: period - 1, kind, amount, count },
          { period, kind, amount: -amount, count: -count },
        ],
  );
};

const COHORT = { cohort: text, month: text, people: integer, active: integer };

/** The cohorts of the last `months` months, and how many of each still paid at the end of every month since, this one included. */
export const listCohorts = async (
  tx: Tx,
  { currency, months, now }: { currency: string; months: number; now: Date },
): Promise<RetentionCohort[]> => {
  const all = Array.from({ length: months }, (_, index) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1 + index))),
  );
  const rows = await selectRows(
    tx,
    COHORT,
    sql`SELECT cohort, month, people, active FROM revenue_cohorts WHERE currency = ${currency} AND cohort >= ${all[0]}`,
  );
  return all
    .map((month, index) => {
      const changes = rows.filter(({ cohort }) => cohort === month);
      let active = 0;
      const ends = all.slice(index).map((end) => {
        active += changes.find((change) => change.month === end)?.active ?? 0;
        return active;
      });
      const people = changes.reduce((sum, change) => sum + change.people, 0);
      return { month, people, active: ends.slice(1) };
    })
    .filter(({ people }) => people > 0);
};

const ENTRY = {
  id: integer,
  userId: text,
  name: text,
  email: text,
  at: instant,
  kind: oneOf(...REVENUE_KINDS),
  amount: integer,
  currency: text,
  invoiceId: nullable(text),
};

type EntryQuery = { kind: RevenueKind; currency: string; from: Date; to: Date; cursor: string | undefined };

const afterCursor = (cursor: string) => {
  const { at, id } = positionOf(cursor);
  return isOlder(sql`m.moved_at`, sql`m.movement_id`, { at: new Date(at), id });
};

/**
 * A page of the movements of one kind in a period, newest first. The index is forced, since the server would otherwise read it from the newest
 * movement on, and not from the end of the period.
 */
export const listEntries = async (
  tx: Tx,
  { kind, currency, from, to, cursor }: EntryQuery,
  limit: number,
): Promise<{ data: RevenueEntry[]; next: string | null }> => {
  const position = cursor === undefined ? sql`m.moved_at < ${to}` : afterCursor(cursor);
  const rows = await selectRows(
    tx,
    ENTRY,
    sql`SELECT m.movement_id AS id, m.user_id AS userId, COALESCE(s.name, '') AS name, COALESCE(s.email, '') AS email,
          m.moved_at AS at, m.kind, m.amount, m.currency, m.invoice_id AS invoiceId
        FROM revenue_movements m FORCE INDEX (revenue_movements_kind)
          LEFT JOIN subscribers s ON s.user_id = m.user_id
        WHERE m.kind = ${kind} AND m.currency = ${currency} AND m.moved_at >= ${from} AND ${position}
        ORDER BY m.moved_at DESC, m.movement_id DESC LIMIT ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  const data = page.map(({ id, userId, name, email, at, ...entry }) => ({
    ...entry,
    id: String(id),
    user: { id: userId, name, email },
    at: at.toISOString(),
  }));
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next: last === undefined ? null : cursorOf(last) };
};

const SUBSCRIBER = { userId: text, name: text, email: text, mrr: integer };

/** A page of the users with MRR, by id. The index is forced, since that of kinds would add up all users before the first is known. */
export const listSubscribers = async (
  tx: Tx,
  { currency, cursor = '' }: { currency: string; cursor: string | undefined },
  limit: number,
): Promise<{ data: SubscriberEntry[]; next: string | null }> => {
  const rows = await selectRows(
    tx,
    SUBSCRIBER,
    sql`SELECT m.user_id AS userId, COALESCE(s.name, '') AS name, COALESCE(s.email, '') AS email, m.mrr
        FROM (SELECT user_id, CAST(SUM(amount) AS SIGNED) AS mrr FROM revenue_movements
              FORCE INDEX (revenue_movements_user) WHERE user_id > ${cursor} AND currency = ${currency} AND kind IN (${MRR_KINDS})
              GROUP BY user_id HAVING mrr > 0 ORDER BY user_id LIMIT ${limit + 1}) m
          LEFT JOIN subscribers s ON s.user_id = m.user_id ORDER BY m.user_id`,
  );
  const page = rows.slice(0, limit);
  return {
    data: page.map(({ userId, name, email, mrr }) => ({ user: { id: userId, name, email }, mrr })),
    next: rows.length > limit ? (page.at(-1)?.userId ?? null) : null,
  };
};
