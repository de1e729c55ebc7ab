import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import {
  type BalanceReason,
  BROWSER,
  type HistoryQuery,
  RETURN_REASONS,
  type ReturnReason,
} from '@shortlist/contracts/schemas/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { change, instant, integer, nullable, selectRows, text } from '@shortlist/kit/data/sql';
import { createError } from '@shortlist/kit/process/errors';
import { EntitySchema, In, MoreThan } from 'typeorm';

/**
 * `amount` is negative for a charge, positive for credits that were returned, and 0 for a charge of a contact that had been charged
 * before. `requestedAmount` is the number that the operation named, `reason` the client's, or the cause of the return. `clientId` is the
 * tool that charged, null for the browser. `usedAfter` is the window's use after this entry, `bucketsAfter` what was available beside it.
 *
 * An entry about a bucket that gained or lost credits is of no window and has an `amount` of 0, so that no sum of charges counts it;
 * `added`, which is 0 otherwise, is what it changed in the balance.
 */
export type LedgerEntry = {
  id: number;
  userId: string;
  windowId: number;
  operationId: string;
  amount: number;
  reason: string;
  reference: string | null;
  usedAfter: number;
  createdAt: Date;
  clientId: string | null;
  requestedAmount: number;
  bucketsAfter: number;
  added: number;
};

const toNumber = { from: Number, to: (id: number) => id };

export const ledgerEntryEntity = new EntitySchema<LedgerEntry>({
  name: 'ledger_entry',
  tableName: 'ledger',
  columns: {
    id: { type: 'bigint', unsigned: true, primary: true, generated: 'increment', transformer: toNumber },
    userId: { name: 'user_id', type: 'char', length: 36 },
    windowId: { name: 'window_id', type: 'bigint', unsigned: true, transformer: toNumber },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    amount: { type: 'int' },
    reason: { type: 'varchar', length: 40 },
    reference: { type: 'varchar', length: 200, nullable: true },
    usedAfter: { name: 'used_after', type: 'int', unsigned: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    clientId: { name: 'client_id', type: 'char', length: 36, nullable: true },
    requestedAmount: { name: 'requested_amount', type: 'int', unsigned: true },
    bucketsAfter: { name: 'buckets_after', type: 'int', unsigned: true, default: 0 },
    added: { type: 'int', default: 0 },
  },
});

/** The id of an internal operation. A client's key cannot start with a space, so no client can use the id first. */
export const internalOperationId = (name: string): string => ` ${name}`;

/** The id of the operation that returned credits of a reservation. `sum-queries.ts` reads the reservation from it. */
export const returnOperationId = (reason: ReturnReason, reservationId: string): string =>
  internalOperationId(`${reason}:${reservationId}`);

/** No entry is without an operation. */
const isNullRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ER_BAD_NULL_ERROR';

type NewLedgerEntry = Omit<LedgerEntry, 'id' | 'added'>;

/**
 * Adds an entry and returns its id. Throws `credits.key_reused` when a contact remembers the user's operation as one that cost nothing, and
 * fails with a duplicate-key error when the ledger has an entry for it.
 */
export const insertLedgerEntry = async (tx: Tx, entry: NewLedgerEntry): Promise<number> => {
  const { userId, windowId, operationId, amount, reason, reference, usedAfter, createdAt } = entry;
  const { clientId, requestedAmount, bucketsAfter } = entry;
  // Hot: part of every charge (make bench b=spend). No INSERT … SELECT: MariaDB lets only one of those add to a table at a time.
  const inserting = change(tx, {
    sql: `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at, client_id,
        requested_amount, buckets_after)
      VALUES (?, ?, IF(EXISTS (SELECT 1 FROM contacts WHERE user_id = ? AND repeat_id = ?), NULL, ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [
      userId,
      windowId,
      userId,
      operationId,
      operationId,
      amount,
      reason,
      reference,
      usedAfter,
      createdAt,
      clientId,
      requestedAmount,
      bucketsAfter,
    ],
  });
  const { insertId } = await inserting.catch((error: unknown) => {
    throw isNullRefused(error) ? createError('credits.key_reused') : error;
  });
  return insertId;
};

/** The window of an entry about a bucket: ids of windows begin at 1. */
const NO_WINDOW = 0;

type BalanceEntry = Pick<LedgerEntry, 'userId' | 'operationId' | 'added' | 'createdAt'> & {
  reason: BalanceReason;
};

/** Adds an entry about credits that a bucket gained or lost. Fails with a duplicate-key error when the ledger has one for the operation. */
export const insertBalanceEntry = async (tx: Tx, entry: BalanceEntry): Promise<void> => {
  const nothing = { amount: 0, reference: null, usedAfter: 0, clientId: null };
  const row = { ...entry, ...nothing, windowId: NO_WINDOW, requestedAmount: Math.abs(entry.added) };
  await tx.createQueryBuilder().insert().into(ledgerEntryEntity).values(row).updateEntity(false).execute();
};

/** The entry of an operation. */
export const findLedgerEntry = (tx: Tx, userId: string, operationId: string): Promise<LedgerEntry | null> =>
  tx.getRepository(ledgerEntryEntity).findOneBy({ userId, operationId });

/** The credits of a reservation that were returned. */
export const sumReturns = async (tx: Tx, userId: string, reservationId: string): Promise<number> => {
  const ids = RETURN_REASONS.map((reason) => returnOperationId(reason, reservationId));
  return (await tx.getRepository(ledgerEntryEntity).sum('amount', { userId, operationId: In(ids) })) ?? 0;
};

/** The id of the newest entry; 0 without one. */
export const findLastEntryId = async (tx: Tx): Promise<number> =>
  (await tx.getRepository(ledgerEntryEntity).maximum('id')) ?? 0;

type Place = Pick<LedgerEntry, 'id' | 'createdAt'>;

/** The entry at which a page has ended. Throws `request.stale_cursor` when the user has no such entry. */
const getPlace = async (tx: Tx, userId: string, cursor: string): Promise<Place> => {
  const entry = await tx.getRepository(ledgerEntryEntity).findOneBy({ userId, id: Number(cursor) });
  if (entry === null) throw createError('request.stale_cursor');
  return entry;
};

/** A condition with its parameters; null when the query does not have it. */
type Condition = readonly [sql: string, ...values: unknown[]] | null;

const ofClient = (client: string | undefined): Condition => {
  if (client === undefined) return null;
  // Credits that were added or taken away have no client, and were not charged in the browser.
  return client === BROWSER ? ['client_id IS NULL AND added = 0'] : ['client_id = ?', client];
};

const conditionsOf = (
  userId: string,
  { reason, client, from, to }: HistoryQuery,
  last: Place | null,
): Condition[] => [
  ['user_id = ?', userId],
  reason === undefined ? null : ['reason = ?', reason],
  ofClient(client),
  // Days in UTC.
  from === undefined ? null : ['created_at >= ?', new Date(from)],
  to === undefined ? null : ['created_at < ?', new Date(Date.parse(to) + days(1))],
  last && ['created_at <= ? AND (created_at < ? OR id < ?)', last.createdAt, last.createdAt, last.id],
];

/** The index that has the entries under a filter in the order of time. */
const indexFor = ({ reason, client }: HistoryQuery): string => {
  if (client === undefined) return reason === undefined ? 'ledger_days' : 'ledger_reasons';
  return reason === undefined ? 'ledger_clients' : 'ledger_client_reasons';
};

const ENTRY = {
  id: integer,
  amount: integer,
  reason: text,
  reference: nullable(text),
  clientId: nullable(text),
  createdAt: instant,
};

/**
 * A page of entries, newest first, starting after the entry with the id `cursor`; `next` is the cursor of the page after it. A page reads
 * as many entries as it has, however many there are.
 */
export const listHistory = async (
  tx: Tx,
  userId: string,
  query: HistoryQuery,
): Promise<{ data: CreditsEntry[]; next: string | null }> => {
  const { limit = HISTORY_PAGE, cursor } = query;
  const last = cursor === undefined ? null : await getPlace(tx, userId, cursor);
  const conditions = conditionsOf(userId, query, last).filter((condition) => condition !== null);
  // By hand: without FORCE INDEX, MariaDB reads all newer entries of the user when it looks for those of a past day.
  const rows = await selectRows(tx, ENTRY, {
    sql: `SELECT id, amount + added AS amount, reason, reference, client_id AS clientId, created_at AS createdAt
      FROM ledger FORCE INDEX (${indexFor(query)}) WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
      ORDER BY created_at DESC, id DESC LIMIT ?`,
    values: [...conditions.flatMap(([, ...values]) => values), limit + 1], // one more shows whether another page follows
  });
  const data = rows
    .slice(0, limit)
    .map((row) => ({ ...row, id: String(row.id), createdAt: row.createdAt.toISOString() }));
  return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
};

/** Entries oldest first, starting after the entry with the id `after`, for the file with the user's data. */
export const listEntriesAfter = (
  tx: Tx,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LedgerEntry[]> =>
  tx
    .getRepository(ledgerEntryEntity)
    .find({ where: { userId, id: MoreThan(after) }, order: { id: 'ASC' }, take: limit });
