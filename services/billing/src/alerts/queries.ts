import { ALERTS_MAX } from '@shortlist/contracts/limits';
import type { AlertKind, AlertView } from '@shortlist/contracts/api/billing';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { integer, selectRows, text } from '@shortlist/kit/data/sql';
import { IsNull, Not } from 'typeorm';

/** A state at Stripe that needs an operator. `alertId` is `<kind>:<id of Stripe's object>`. */
export const alertEntity = defineEntity('alert', 'alerts', {
  alertId: { ...column.varchar(100), primary: true },
  kind: column.varchar<AlertKind>(40),
  userId: column.nullable(column.uuid),
  objectId: column.varchar(64),
  amount: column.nullable(column.int),
  currency: column.nullable(column.char(3)),
  detail: column.nullable(column.varchar(500)),
  raisedAt: column.dateTime,
  resolvedAt: column.nullable(column.dateTime),
  /** Why an admin resolved or reopened the alert. */
  note: column.nullable(column.varchar(300)),
});
export type AlertRow = RowOf<typeof alertEntity>;

/** Returns false if the alert is already stored. */
export const insertAlert = async (tx: Tx, alert: Omit<AlertRow, 'resolvedAt' | 'note'>): Promise<boolean> =>
  (await insertIfAbsent(tx, alertEntity, alert)) === 1;

export const alertExists = (tx: Tx, alertId: string): Promise<boolean> =>
  tx.getRepository(alertEntity).existsBy({ alertId });

/** Locks the alert, to serialize concurrent changes. */
export const lockAlert = (tx: Tx, alertId: string): Promise<AlertRow | null> =>
  tx.getRepository(alertEntity).findOne({ where: { alertId }, lock: { mode: 'pessimistic_write' } });

/** Resolves an alert on the product's behalf, unless it is already resolved. */
export const setResolved = async (tx: Tx, alertId: string, resolvedAt: Date): Promise<void> => {
  await tx.getRepository(alertEntity).update({ alertId, resolvedAt: IsNull() }, { resolvedAt, note: null });
};

export const updateAlert = async (
  tx: Tx,
  alertId: string,
  change: Pick<AlertRow, 'resolvedAt' | 'note'>,
): Promise<void> => {
  await tx.getRepository(alertEntity).update({ alertId }, change);
};

/** Unresolved alerts first, then the newest. */
export const listAlerts = async (tx: Tx): Promise<AlertRow[]> => {
  const find = (resolvedAt: ReturnType<typeof IsNull>, take: number): Promise<AlertRow[]> =>
    tx.getRepository(alertEntity).find({
      where: { resolvedAt },
      order: { raisedAt: 'DESC', alertId: 'ASC' },
      take,
    });
  const open = await find(IsNull(), ALERTS_MAX);
  const left = ALERTS_MAX - open.length;
  return left === 0 ? open : [...open, ...(await find(Not(IsNull()), left))];
};

export const listOpenAlerts = (tx: Tx, kind: AlertKind): Promise<AlertRow[]> =>
  tx.getRepository(alertEntity).findBy({ kind, resolvedAt: IsNull() });

/** Raw SQL, because the builder returns a count as text. */
export const countOpenAlerts = (tx: Tx): Promise<{ kind: string; count: number }[]> =>
  selectRows(
    tx,
    { kind: text, count: integer },
    { sql: 'SELECT kind, COUNT(*) AS count FROM alerts WHERE resolved_at IS NULL GROUP BY kind' },
  );

export const presentAlert = ({ alertId, raisedAt, resolvedAt, ...alert }: AlertRow): AlertView => ({
  id: alertId,
  ...alert,
  raisedAt: raisedAt.toISOString(),
  resolvedAt: resolvedAt?.toISOString() ?? null,
});
