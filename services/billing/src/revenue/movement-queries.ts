// The movements of revenue, which are only ever added, and their sums, so that a figure of any period reads few rows.
import type { RevenueKind } from '@shortlist/contracts/api/revenue';
import { startOf } from '@shortlist/contracts/durations';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { change, instant, integer, nullable, selectRows, sql, text } from '@shortlist/kit/data/sql';
import { In } from 'typeorm';
import { invoiceEntity } from '../records/invoice-queries.ts';
import { subscriptionEntity } from '../records/subscription-queries.ts';
import type { CohortChange, Movement, RevenueRecords } from './movement.rules.ts';
import { UNITS } from './sum-units.rules.ts';

/** A movement of one user's revenue at `movedAt`; a correction has the same key as what it corrects. */
export const movementEntity = defineEntity('revenue_movement', 'revenue_movements', {
  movementId: { ...column.bigint, primary: true, generated: 'increment' },
  userId: column.uuid,
  kind: column.varchar<RevenueKind>(20),
  currency: column.char(3),
  amount: column.int,
  count: column.int,
  movedAt: column.dateTime,
  source: column.varchar(64),
  invoiceId: column.nullable(column.varchar(64)),
  recordedAt: column.dateTime,
});

/** The sums of the quarter hour, the three hours or the UTC day that begins at `startsAt`. */
export const revenueSumEntity = defineEntity('revenue_sum', 'revenue_sums', {
  unit: { ...column.enumOf(['quarter', 'day', 'three_hours']), primary: true },
  currency: { ...column.char(3), primary: true },
  startsAt: { ...column.dateTime, primary: true },
  kind: { ...column.varchar<RevenueKind>(20), primary: true },
  amount: column.bigint,
  count: column.int,
});

/** How many of those who first paid in the month `cohort` began and ended in `month`, as YYYY-MM in UTC. */
export const cohortEntity = defineEntity('revenue_cohort', 'revenue_cohorts', {
  currency: { ...column.char(3), primary: true },
  cohort: { ...column.char(7), primary: true },
  month: { ...column.char(7), primary: true },
  people: column.int,
  active: column.int,
});

const REFUNDS = {
  userId: text,
  refundId: text,
  invoiceId: text,
  currency: text,
  amount: integer,
  tax: integer,
  createdAt: instant,
  failedAt: nullable(instant),
};
const DISPUTES = {
  userId: text,
  transactionId: text,
  invoiceId: text,
  currency: text,
  amount: integer,
  fee: integer,
  createdAt: instant,
};

const INVOICE = {
  invoiceId: true,
  userId: true,
  subscriptionId: true,
  billingReason: true,
  credits: true,
  status: true,
  amount: true,
  currency: true,
  tax: true,
  total: true,
  monthlyAmount: true,
  fee: true,
  settlementCurrency: true,
  isProcessing: true,
  periodStart: true,
  periodEnd: true,
  paidAt: true,
  bookedAt: true,
  failedAt: true,
} as const;

/** The records of some users, from which their movements follow. */
export const readRecords = async (tx: Tx, userIds: string[]): Promise<(userId: string) => RevenueRecords> => {
  const where = { userId: In(userIds) };
  const byUser = <Row extends { userId: string }>(rows: Row[]): Map<string, Row[]> =>
    Map.groupBy(rows, ({ userId }) => userId);
  const invoices = byUser(await tx.getRepository(invoiceEntity).find({ select: INVOICE, where }));
  const subscriptions = byUser(await tx.getRepository(subscriptionEntity).find({ where }));
  const refunds = byUser(
    await selectRows(
      tx,
      REFUNDS,
      sql`SELECT i.user_id AS userId, r.refund_id AS refundId, r.invoice_id AS invoiceId, i.currency, r.amount, r.tax,
            r.created_at AS createdAt, r.failed_at AS failedAt
          FROM invoices i JOIN refunds r ON r.invoice_id = i.invoice_id WHERE i.user_id IN (${userIds})`,
    ),
  );
  const disputes = byUser(
    await selectRows(
      tx,
      DISPUTES,
      sql`SELECT d.user_id AS userId, t.transaction_id AS transactionId, d.invoice_id AS invoiceId, t.currency,
            t.amount, t.fee, t.created_at AS createdAt
          FROM disputes d JOIN dispute_transactions t ON t.dispute_id = d.dispute_id WHERE d.user_id IN (${userIds})`,
    ),
  );
  return (id) => ({
    invoices: invoices.get(id) ?? [],
    subscriptions: subscriptions.get(id) ?? [],
    refunds: refunds.get(id) ?? [],
    disputes: disputes.get(id) ?? [],
  });
};

/** The stored movements of some users, of each the oldest first. */
export const listMovements = async (tx: Tx, userIds: string[]): Promise<Map<string, Movement[]>> =>
  Map.groupBy(
    await tx.getRepository(movementEntity).find({
      where: { userId: In(userIds) },
      order: { movedAt: 'ASC', movementId: 'ASC' },
    }),
    ({ userId }) => userId,
  );

export const insertMovements = (
  tx: Tx,
  userId: string,
  { movements, recordedAt }: { movements: Movement[]; recordedAt: Date },
): Promise<void> =>
  insertRows(
    tx,
    movementEntity,
    movements.map(({ kind, currency, amount, count, movedAt, source, invoiceId }) => ({
      ...{ userId, kind, currency, amount, count, movedAt, source, invoiceId, recordedAt },
    })),
  );

/** What is added to one row of sums. `values`: the key, then the summands. */
type Summand = { key: string; values: readonly unknown[] };

/** Adds to sums in the order of their keys, so that two transactions never wait for each other. Raw SQL, because the builder cannot add. */
const addTo = async (
  tx: Tx,
  { table, columns, sums }: { table: string; columns: readonly string[]; sums: readonly string[] },
  summands: Summand[],
): Promise<void> => {
  if (summands.length === 0) return;
  const inOrder = summands.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const row = `(${[...columns, ...sums].map(() => '?').join(', ')})`;
  await change(tx, {
    sql: `INSERT INTO ${table} (${[...columns, ...sums].join(', ')}) VALUES ${inOrder.map(() => row).join(', ')}
          ON DUPLICATE KEY UPDATE ${sums.map((sum) => `${sum} = ${sum} + VALUES(${sum})`).join(', ')}`,
    values: inOrder.flatMap(({ values }) => values),
  });
};

const SUMS = {
  table: 'revenue_sums',
  columns: ['unit', 'currency', 'starts_at', 'kind'],
  sums: ['amount', 'count'],
};

/** Adds to the sums of each movement's quarter hour, three hours and UTC day. */
export const addToSums = (tx: Tx, movements: Movement[]): Promise<void> =>
  addTo(
    tx,
    SUMS,
    Object.entries(UNITS).flatMap(([unit, length]) =>
      movements.map(({ currency, kind, movedAt, amount, count }) => {
        const startsAt = startOf(movedAt, length);
        const key = `${unit} ${currency} ${startsAt.toISOString()} ${kind}`;
        return { key, values: [unit, currency, startsAt, kind, amount, count] };
      }),
    ),
  );

const COHORTS = {
  table: 'revenue_cohorts',
  columns: ['currency', 'cohort', 'month'],
  sums: ['people', 'active'],
};

export const addToCohorts = (tx: Tx, changes: CohortChange[]): Promise<void> =>
  addTo(
    tx,
    COHORTS,
    changes.map(({ currency, cohort, month, people, active }) => ({
      key: `${currency} ${cohort} ${month}`,
      values: [currency, cohort, month, people, active],
    })),
  );
