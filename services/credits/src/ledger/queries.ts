import type { CreditsUsage } from '@shortlist/contracts/api/credits';
import {
  type BalanceReason,
  RETURN_REASONS,
  type ReturnReason,
  SPEND_REASONS,
  type SpendReason,
} from '@shortlist/contracts/schemas/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { change, integer, nullable, oneOf, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import { EntitySchema, In } from 'typeorm';
import type { UsagePeriod } from './usage-period.rules.ts';

const EMAIL_FOUND: SpendReason = 'email_found';

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

/** The id of the operation that returned credits of a reservation. CHARGE_OF_RETURN reads the reservation from it. */
export const returnOperationId = (reason: ReturnReason, reservationId: string): string =>
  internalOperationId(`${reason}:${reservationId}`);

type NewLedgerEntry = Omit<LedgerEntry, 'id' | 'added'>;

/** Adds an entry and returns its id. Fails with a duplicate-key error when the ledger has an entry for the user's operation. */
export const insertLedgerEntry = async (tx: Tx, entry: NewLedgerEntry): Promise<number> => {
  const { userId, windowId, operationId, amount, reason, reference, usedAfter, createdAt } = entry;
  const { clientId, requestedAmount, bucketsAfter } = entry;
  // Hot: part of every charge (make bench b=spend).
  const { insertId } = await change(tx, {
    sql: `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at, client_id,
        requested_amount, buckets_after)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [
      userId,
      windowId,
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

/** Finds the charge `charged` of an entry `l` that returns credits, through its reservation. A user has both as long as the entry. */
const CHARGE_OF_RETURN = `LEFT JOIN reservations r ON l.amount > 0 AND r.id = SUBSTRING_INDEX(l.operation_id, ':', -1)
  LEFT JOIN ledger charged ON charged.user_id = r.user_id AND charged.operation_id = r.operation_id`;

/**
 * What the credits of a window were charged for, without those that were returned. Raw: sums over a join. It reads the entries of one
 * window, so it is for windows that are used up.
 */
export const countCharges = async (
  tx: Tx,
  windowId: number,
): Promise<{ messages: number; emails: number }> => {
  const row = await selectRow(
    tx,
    { messages: integer, emails: integer },
    {
      sql: `SELECT CAST(COALESCE(SUM(IF(COALESCE(charged.reason, l.reason) = ?, 0, -l.amount)), 0) AS SIGNED) AS messages,
              CAST(COALESCE(SUM(IF(COALESCE(charged.reason, l.reason) = ?, -l.amount, 0)), 0) AS SIGNED) AS emails
            FROM ledger l ${CHARGE_OF_RETURN} WHERE l.window_id = ?`,
      values: [EMAIL_FOUND, EMAIL_FOUND, windowId],
    },
  );
  return row ?? { messages: 0, emails: 0 };
};

/**
 * What was charged and returned between `start` and `end`, by day in UTC, client and reason of the charge. Raw: sums over a join. It reads
 * the entries of one user, some thousands at most.
 */
export const listUsage = (tx: Tx, userId: string, { start, end }: UsagePeriod): Promise<CreditsUsage[]> =>
  selectRows(
    tx,
    {
      day: text,
      clientId: nullable(text),
      reason: oneOf(...SPEND_REASONS),
      charged: integer,
      returned: integer,
    },
    {
      // By position, since `reason` is also a column.
      sql: `SELECT DATE_FORMAT(l.created_at, '%Y-%m-%d') AS day, l.client_id AS clientId, COALESCE(charged.reason, l.reason) AS reason,
              CAST(SUM(GREATEST(-l.amount, 0)) AS SIGNED) AS charged, CAST(SUM(GREATEST(l.amount, 0)) AS SIGNED) AS returned
            FROM ledger l ${CHARGE_OF_RETURN}
            WHERE l.user_id = ? AND l.created_at >= ? AND l.created_at < ? AND (l.amount < 0 OR charged.id IS NOT NULL)
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      values: [userId, start, end],
    },
  );

/** The id of the newest entry; 0 without one. */
export const findLastEntryId = async (tx: Tx): Promise<number> =>
  (await tx.getRepository(ledgerEntryEntity).maximum('id')) ?? 0;

export const deleteLedgerOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(ledgerEntryEntity).delete({ userId });
};
