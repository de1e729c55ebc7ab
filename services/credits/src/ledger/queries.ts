import type { SpendReason } from '@shortlist/contracts/schemas/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { change, integer, selectRow, selectRows } from '@shortlist/kit/data/sql';
import { EntitySchema } from 'typeorm';

const EMAIL_FOUND: SpendReason = 'email_found';

/**
 * `amount` is -1 for a charge, 1 for a credit that was returned, and 0 for a charge of a contact that had been charged before.
 * `reason` is the client's, or the cause of the return. `usedAfter` is the window's use after this entry.
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
  },
});

/** The id of an internal operation. A client's key cannot start with a space, so no client can use the id first. */
export const internalOperationId = (name: string): string => ` ${name}`;

/** Why a reserved credit was returned. */
export const RETURN_REASONS = ['released', 'expired', 'already_paid'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

const returnPrefix = (reason: ReturnReason): string => internalOperationId(`${reason}:`);

/** The id of the operation that returned the credit of a reservation. */
export const returnOperationId = (reason: ReturnReason, reservationId: string): string =>
  `${returnPrefix(reason)}${reservationId}`;

type NewLedgerEntry = Omit<LedgerEntry, 'id'>;

/** Adds an entry. Fails with a duplicate-key error when the ledger has an entry for the user's operation. */
export const insertLedgerEntry = async (tx: Tx, entry: NewLedgerEntry): Promise<void> => {
  const { userId, windowId, operationId, amount, reason, reference, usedAfter, createdAt } = entry;
  // Hot: part of every charge (make bench b=spend).
  await change(tx, {
    sql: `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [userId, windowId, operationId, amount, reason, reference, usedAfter, createdAt],
  });
};

/** The entry of an operation. */
export const findLedgerEntry = (tx: Tx, userId: string, operationId: string): Promise<LedgerEntry | null> =>
  tx.getRepository(ledgerEntryEntity).findOneBy({ userId, operationId });

/**
 * What the credits of a window were charged for, without those that were returned. Raw: counts over a join. It reads the entries of one
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
      sql: `SELECT COUNT(CASE WHEN l.reason <> ? THEN 1 END) AS messages, COUNT(CASE WHEN l.reason = ? THEN 1 END) AS emails
            FROM ledger l
            LEFT JOIN reservations r ON r.user_id = l.user_id AND r.operation_id = l.operation_id
            LEFT JOIN ledger back ON back.user_id = l.user_id
              AND back.operation_id IN (CONCAT(?, r.id), CONCAT(?, r.id), CONCAT(?, r.id))
            WHERE l.window_id = ? AND l.amount = -1 AND back.id IS NULL`,
      values: [EMAIL_FOUND, EMAIL_FOUND, ...RETURN_REASONS.map(returnPrefix), windowId],
    },
  );
  return row ?? { messages: 0, emails: 0 };
};

/** The id of the newest entry; 0 without one. */
export const findLastEntryId = async (tx: Tx): Promise<number> =>
  (await tx.getRepository(ledgerEntryEntity).maximum('id')) ?? 0;

/** The windows with entries after `after`, and those of `known`, whose use is not the sum of their entries. Raw: sums over a join. */
export const listDriftingWindows = async (
  tx: Tx,
  { after, known }: { after: number; known: readonly number[] },
): Promise<number[]> => {
  const rows = await selectRows(
    tx,
    { id: integer },
    {
      // The union is read first, so the statement costs what its windows have, however many others there are.
      sql: `SELECT w.id FROM (SELECT window_id AS id FROM ledger WHERE id > ? UNION SELECT id FROM windows WHERE id IN (?)) AS candidates
            JOIN windows w ON w.id = candidates.id LEFT JOIN ledger l ON l.window_id = w.id
            GROUP BY w.id, w.used HAVING w.used <> -COALESCE(SUM(l.amount), 0)`,
      values: [after, known.length === 0 ? [0] : known],
    },
  );
  return rows.map(({ id }) => id);
};

export const deleteLedgerOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(ledgerEntryEntity).delete({ userId });
};
