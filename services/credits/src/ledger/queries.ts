import {
  type BalanceReason,
  BROWSER,
  type CreditsAmounts,
  type CreditsEntry,
  type CreditsUsage,
  type HistoryQuery,
  RETURN_REASONS,
  type ReturnReason,
  SPEND_REASONS,
} from '@shortlist/contracts/api/credits';
import { itemsOf, type TimelineEntry, type TimelineQuery } from '@shortlist/contracts/api/timeline';
import { days } from '@shortlist/contracts/durations';
import { HISTORY_PAGE, USAGE_ENTRIES_MAX } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { boundOf, type Position } from '@shortlist/kit/data/newest-first';
import {
  change,
  instant,
  integer,
  isOlder,
  nullable,
  oneOf,
  type RowOf as RowOfShape,
  selectRow,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import { createError } from '@shortlist/kit/process/errors';
import { In, MoreThan } from 'typeorm';
import { limitOf, type Part } from '../buckets/bucket.rules.ts';
import type { PlanBucket } from '../buckets/plan-bucket.rules.ts';
import { findPlanBucket } from '../buckets/queries.ts';
import type { UsagePeriod } from './usage-period.rules.ts';

/**
 * `amount` is negative for a charge, positive for credits that were returned, and 0 for a charge of a contact that had been charged before.
 * `requestedAmount` is the number that the operation named, `reason` the client's, or the cause of the return. `clientId` is the app that
 * charged, null for the browser. `bucketId` is the plan's bucket in force, `usedAfter` its use after this entry, and `othersAfter` what was
 * available in grants and packs.
 *
 * An entry about a bucket that gained or lost credits belongs to no bucket of the plan and has an `amount` of 0, so that no sum of
 * charges counts it; `added`, which is 0 otherwise, is what it changed in the balance.
 */
export const ledgerEntryEntity = defineEntity('ledger_entry', 'ledger', {
  id: { ...column.bigint, primary: true, generated: 'increment' },
  userId: column.uuid,
  bucketId: { ...column.bigint, name: 'window_id' },
  operationId: column.varchar(100),
  amount: column.int,
  reason: column.varchar(40),
  reference: column.nullable(column.varchar(200)),
  usedAfter: column.unsigned,
  createdAt: column.dateTime,
  clientId: column.nullable(column.uuid),
  requestedAmount: column.unsigned,
  othersAfter: { ...column.unsigned, name: 'buckets_after', default: 0 },
  added: { ...column.int, default: 0 },
});
type LedgerRow = RowOf<typeof ledgerEntryEntity>;

/** A part of an entry, of a grant or a pack alone; its `amount` has the sign of the entry. */
export const ledgerPartEntity = defineEntity('ledger_part', 'ledger_parts', {
  entryId: { ...column.bigint, primary: true },
  position: { ...column.int, type: 'smallint', primary: true },
  userId: column.uuid,
  source: { ...column.uuid, name: 'bucket_id' },
  amount: column.int,
});

type StoredBalance = Pick<LedgerRow, 'usedAfter' | 'othersAfter'>;

/** A balance as an entry or a reservation stores it, whose bucket has the limit. */
export const storedBalance = ({ used, available, limit }: CreditsAmounts): StoredBalance => ({
  usedAfter: used,
  othersAfter: available - (limit - used),
});

/** The balance after an entry with the plan's present limit, which a refund may have lowered since. */
export const balanceAfter = ({ usedAfter, othersAfter }: StoredBalance, limit: number): CreditsAmounts => ({
  used: usedAfter,
  available: Math.max(0, limit - usedAfter) + othersAfter,
  limit,
});

type Entry = Omit<LedgerRow, keyof StoredBalance> & { balance: CreditsAmounts };
/** `parts` have positive amounts. */
type NewEntry = Omit<Entry, 'id'> & { parts: readonly Part[] };
/** An entry with the plan's bucket that it names, in its present state. */
export type LedgerEntry = Entry & { plan: PlanBucket };

/** The id of an internal operation. A client's key cannot start with a space, so no client can use the id first. */
export const internalOperationId = (name: string): string => ` ${name}`;

/** The id of the operation that returned credits of a reservation. `sumUsage` reads the reservation from it. */
export const returnOperationId = (reason: ReturnReason, reservationId: string): string =>
  internalOperationId(`${reason}:${reservationId}`);

/** Throws `credits.key_reused` for an operation that a contact remembers, and a duplicate-key error for one that the ledger has. */
export const insertLedgerEntry = async (tx: Tx, entry: NewEntry): Promise<void> => {
  const { userId, bucketId, operationId, amount, added, reason, reference, clientId, createdAt } = entry;
  const { usedAfter, othersAfter } = storedBalance(entry.balance);
  // Hot: part of every charge (make bench b=spend). No INSERT … SELECT: MariaDB lets only one of those add to a table at a time.
  const inserting = sql`INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at, client_id,
      requested_amount, buckets_after, added)
    VALUES (${userId}, ${bucketId}, IF(EXISTS (SELECT 1 FROM contacts WHERE user_id = ${userId} AND repeat_id = ${operationId}), NULL,
      ${operationId}), ${amount}, ${reason}, ${reference}, ${usedAfter}, ${createdAt}, ${clientId}, ${entry.requestedAmount}, ${othersAfter}, ${added})`;
  const { insertId: entryId } = await change(tx, inserting).catch((error: unknown) => {
    // No entry is without an operation.
    const isNullRefused = error instanceof Error && 'code' in error && error.code === 'ER_BAD_NULL_ERROR';
    throw isNullRefused ? createError('credits.key_reused') : error;
  });
  const rows = entry.parts
    .filter(({ position }) => position !== 0)
    .map((part) => ({ ...part, entryId, userId, amount: Math.sign(amount) * part.amount }));
  if (rows.length > 0) await insertRows(tx, ledgerPartEntity, rows);
};

/** How the amount of an entry is divided, with positive amounts: the parts, and the plan's of what they leave. */
export const listParts = async (tx: Tx, { id, amount, plan }: LedgerEntry): Promise<Part[]> => {
  const rows = await tx.findBy(ledgerPartEntity, { entryId: id });
  const others = rows.map((part) => ({ ...part, amount: Math.abs(part.amount) }));
  const left = others.reduce((rest, part) => rest - part.amount, Math.abs(amount));
  return [...others, { source: plan.source, position: 0, amount: left }];
};

/** What an entry about a bucket that gained or lost credits has of a charge: nothing. Ids of buckets begin at 1. */
export const OF_NO_CHARGE = {
  bucketId: 0,
  amount: 0,
  reference: null,
  clientId: null,
  parts: [],
  balance: { used: 0, available: 0, limit: 0 },
} as const;

/** The entry of an operation; null also when a deletion has removed its bucket. */
export const findLedgerEntry = async (
  tx: Tx,
  userId: string,
  operationId: string,
): Promise<LedgerEntry | null> => {
  const row = await tx.findOneBy(ledgerEntryEntity, { userId, operationId });
  const plan = row && (await findPlanBucket(tx, row.bucketId));
  return plan && { ...row, plan, balance: balanceAfter(row, limitOf(plan)) };
};

export const hasEntry = (tx: Tx, userId: string, operationId: string): Promise<boolean> =>
  tx.existsBy(ledgerEntryEntity, { userId, operationId });

export const sumReturns = async (tx: Tx, userId: string, reservationId: string): Promise<number> => {
  const ids = RETURN_REASONS.map((reason) => returnOperationId(reason, reservationId));
  return (await tx.sum(ledgerEntryEntity, 'amount', { userId, operationId: In(ids) })) ?? 0;
};

export const findLastEntryId = async (tx: Tx): Promise<number> =>
  (await tx.maximum(ledgerEntryEntity, 'id')) ?? 0;

/** Entries older than the one with the id `cursor`. */
const olderThan = async (tx: Tx, userId: string, cursor: string) => {
  const last = await tx.findOneBy(ledgerEntryEntity, { userId, id: Number(cursor) });
  if (last === null) throw createError('request.stale_cursor');
  return sql`AND ${isOlder(sql`created_at`, sql`id`, { at: last.createdAt, id: last.id })}`;
};

const ofClient = (client: string) =>
  // Credits that were added or taken away have no client, and were not charged in the browser.
  client === BROWSER ? sql`AND client_id IS NULL AND added = 0` : sql`AND client_id = ${client}`;

/** The index that has the entries under a filter sorted by time. */
const indexFor = ({ reason, client }: HistoryQuery) => {
  if (client === undefined) return reason === undefined ? sql`ledger_days` : sql`ledger_reasons`;
  return reason === undefined ? sql`ledger_clients` : sql`ledger_client_reasons`;
};

const ENTRY = {
  id: integer,
  operationId: text,
  amount: integer,
  reason: text,
  reference: nullable(text),
  clientId: nullable(text),
  createdAt: instant,
};

const COLUMNS = sql`id, operation_id AS operationId, amount + added AS amount, reason, reference, client_id AS clientId,
  created_at AS createdAt`;

type ListedEntry = RowOfShape<typeof ENTRY>;
type JoinedEntry = ListedEntry & Pick<CreditsEntry, 'returned'>;

const isReturnReason = oneOf(...RETURN_REASONS).accepts;

/** The id of the reservation whose credits an operation returned. */
const reservationOf = (operationId: string): string => operationId.slice(operationId.indexOf(':') + 1);

/**
 * The charges of a page with what was returned of each; for a page of returns, the charges that they reverse. A reservation is settled once, so
 * it has at most one such entry. Each statement finds its rows by their ids: so their cost depends on the page, however long the history is.
 */
const joinReturns = async (
  tx: Tx,
  userId: string,
  entries: readonly ListedEntry[],
  areReturns: boolean,
): Promise<readonly JoinedEntry[]> => {
  const ids = entries.map(({ operationId }) => (areReturns ? reservationOf(operationId) : operationId));
  if (ids.length === 0) return entries;
  const known = sql`SELECT id, operation_id AS operationId FROM reservations
    WHERE user_id = ${userId} AND ${areReturns ? sql`id` : sql`operation_id`} IN (${ids})`;
  const reservations = await selectRows(tx, { id: text, operationId: text }, known);
  const operations = reservations.flatMap(({ id, operationId }) =>
    areReturns ? [operationId] : RETURN_REASONS.map((reason) => returnOperationId(reason, id)),
  );
  if (operations.length === 0) return entries;
  const pairs = sql`SELECT ${COLUMNS} FROM ledger WHERE user_id = ${userId} AND operation_id IN (${operations})`;
  const others = await selectRows(tx, ENTRY, pairs);
  const charged = new Map(reservations.map(({ id, operationId }) => [operationId, id]));
  const keyOf = ({ operationId }: ListedEntry, isReturn: boolean): string | undefined =>
    isReturn ? reservationOf(operationId) : charged.get(operationId);
  const otherOf = new Map(others.map((other) => [keyOf(other, !areReturns), other]));
  return entries.map((entry) => {
    const other = otherOf.get(keyOf(entry, areReturns) ?? '');
    if (other === undefined) return entry;
    const [charge, back] = areReturns ? [other, entry] : [entry, other];
    return isReturnReason(back.reason)
      ? { ...charge, id: entry.id, returned: { amount: back.amount, reason: back.reason } }
      : entry;
  });
};

const presentEntry = ({ operationId: _, ...entry }: JoinedEntry): CreditsEntry => ({
  ...entry,
  id: String(entry.id),
  createdAt: entry.createdAt.toISOString(),
});

/** A page of entries, newest first, after the entry with the id `cursor`. It reads no more entries than it has, however many there are. */
export const listHistory = async (
  tx: Tx,
  userId: string,
  query: HistoryQuery,
): Promise<{ data: CreditsEntry[]; next: string | null }> => {
  const { limit = HISTORY_PAGE, cursor, reason, client, from, to, returns } = query;
  const areReturns = isReturnReason(reason);
  // Raw SQL: without FORCE INDEX, MariaDB reads all newer entries of the user when it looks for those of a past day. Days are in UTC.
  const entries = sql`SELECT ${COLUMNS} FROM ledger FORCE INDEX (${indexFor(query)}) WHERE user_id = ${userId}
      ${returns === undefined || areReturns ? sql`` : sql`AND amount <= 0`}
      ${reason === undefined ? sql`` : sql`AND reason = ${reason}`}
      ${client === undefined ? sql`` : ofClient(client)}
      ${from === undefined ? sql`` : sql`AND created_at >= ${new Date(from)}`}
      ${to === undefined ? sql`` : sql`AND created_at < ${new Date(Date.parse(to) + days(1))}`}
      ${cursor === undefined ? sql`` : await olderThan(tx, userId, cursor)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`; // one more shows whether another page follows
  const rows = await selectRows(tx, ENTRY, entries);
  const page = rows.slice(0, limit);
  const listed = returns === undefined ? page : await joinReturns(tx, userId, page, areReturns);
  const data = listed.map(presentEntry);
  return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
};

const LEDGER = 'ledger:';
/** Ids of this length are ordered as text as they are as numbers. */
const ID_LENGTH = 20;

/** What the timeline tells by the change that an admin made, with the admin's name and reason. */
const BY_ADMINS: readonly BalanceReason[] = ['credits_granted', 'credits_revoked'];

/** The entries as those of the timeline. Raw SQL for the index, as for the history. */
export const listTimelineEntries = async (
  tx: Tx,
  { userId, position, limit, items, kind }: TimelineQuery & { position: Position },
): Promise<TimelineEntry[]> => {
  const { at, key } = boundOf(position, LEDGER);
  // The change says by whom, and why. Who may not read changes has the entry of the ledger.
  const isTold = itemsOf({ items, ...(kind === undefined ? {} : { kind }) }).includes('change');
  const untold = isTold ? sql`reason NOT IN (${BY_ADMINS})` : sql`TRUE`;
  const older = isOlder(sql`created_at`, sql`LPAD(id, ${ID_LENGTH}, '0')`, { at, id: key });
  const entries = sql`SELECT ${COLUMNS} FROM ledger FORCE INDEX (ledger_days) WHERE user_id = ${userId} AND ${older} AND ${untold}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  const rows = await selectRows(tx, ENTRY, entries);
  return rows.map(presentEntry).map((credits) => ({
    id: `${LEDGER}${credits.id.padStart(ID_LENGTH, '0')}`,
    at: credits.createdAt,
    credits,
  }));
};

/** Entries after one with the id `after`, oldest first, for the file with the user's data. */
export const listEntries = (tx: Tx, userId: string, after: number, limit: number): Promise<LedgerRow[]> =>
  tx.find(ledgerEntryEntity, { where: { userId, id: MoreThan(after) }, order: { id: 'ASC' }, take: limit });

/** The entries that a sum reads: all those of a bucket of the plan, or of a user in a period. */
type Summed = { bucketId: number } | ({ userId: string } & UsagePeriod);

/** Far more than the charges and returns of 500 credits. */
const BUCKET_ENTRIES_MAX = 10_000;

/** What was charged and returned, by day in UTC, client and reason of the charge; null for more entries than one report may sum. */
export const sumUsage = async (tx: Tx, entries: Summed): Promise<CreditsUsage[] | null> => {
  const isOfBucket = 'bucketId' in entries;
  const limit = isOfBucket ? BUCKET_ENTRIES_MAX : USAGE_ENTRIES_MAX;
  const where = isOfBucket
    ? sql`l.window_id = ${entries.bucketId}`
    : sql`l.user_id = ${entries.userId} AND l.created_at >= ${entries.start} AND l.created_at < ${entries.end}`;
  // Raw SQL: the builder has no subquery of rows without columns, and no type of sums.
  const count = sql`SELECT COUNT(*) AS count FROM (SELECT 1 FROM ledger l WHERE ${where} LIMIT ${limit + 1}) AS counted`;
  const counted = await selectRow(tx, { count: integer }, count);
  if (counted === null || counted.count > limit) return null;
  const clientAndReason = { clientId: nullable(text), reason: oneOf(...SPEND_REASONS) };
  // The charge of an entry that returns credits is found through its reservation: a user has both as long as the entry. By position, since
  // `reason` is also a column.
  const sums = sql`SELECT DATE_FORMAT(l.created_at, '%Y-%m-%d') AS day, l.client_id AS clientId, COALESCE(charged.reason, l.reason) AS reason,
      CAST(SUM(GREATEST(-l.amount, 0)) AS SIGNED) AS charged, CAST(SUM(GREATEST(l.amount, 0)) AS SIGNED) AS returned
    FROM ledger l LEFT JOIN reservations r ON l.amount > 0 AND r.id = SUBSTRING_INDEX(l.operation_id, ':', -1)
    LEFT JOIN ledger charged ON charged.user_id = r.user_id AND charged.operation_id = r.operation_id
    WHERE ${where} AND (l.amount < 0 OR charged.id IS NOT NULL) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  return selectRows(tx, { day: text, ...clientAndReason, charged: integer, returned: integer }, sums);
};

/**
 * The buckets that entries after `after` changed, and those of `known`, whose use is not what the ledger says: the amounts of the entries
 * that name a bucket, without their parts, and the parts that name it. The plan's buckets have entries alone, grants and packs parts alone.
 */
export const listDriftingBuckets = async (
  tx: Tx,
  after: number,
  known: readonly number[],
): Promise<number[]> => {
  // The union is read first, so the statement costs what its buckets have, however many others there are.
  const drifting = sql`SELECT b.id FROM (SELECT window_id AS id FROM ledger WHERE id > ${after}
        UNION SELECT n.id FROM ledger_parts p JOIN credit_buckets n ON n.user_id = p.user_id AND n.source_key = p.bucket_id
          WHERE p.entry_id > ${after}
        UNION SELECT id FROM credit_buckets WHERE id IN (${known.length === 0 ? [0] : known})) AS candidates
      JOIN credit_buckets b ON b.id = candidates.id WHERE b.used - b.pruned <>
        (SELECT COALESCE(SUM(p.amount), 0) FROM ledger l JOIN ledger_parts p ON p.entry_id = l.id WHERE l.window_id = b.id)
        - (SELECT COALESCE(SUM(l.amount), 0) FROM ledger l WHERE l.window_id = b.id)
        - (SELECT COALESCE(SUM(p.amount), 0) FROM ledger_parts p WHERE p.user_id = b.user_id AND p.bucket_id = b.source_key)`;
  const rows = await selectRows(tx, { id: integer }, drifting);
  return rows.map(({ id }) => id);
};
