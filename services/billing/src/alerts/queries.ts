import { ALERTS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { change, integer, selectRows, text } from '@shortlist/kit/data/sql';
import { IsNull, Not } from 'typeorm';
import { alertEntity, type AlertRow } from './alert.entity.ts';

/** Returns false for an alert that is stored already. Raw: INSERT IGNORE decides in one statement. */
export const insertAlert = async (tx: Tx, alert: Omit<AlertRow, 'resolvedAt'>): Promise<boolean> => {
  const { alertId, kind, userId, objectId, amount, currency, detail, raisedAt } = alert;
  const { affectedRows } = await change(tx, {
    sql: `INSERT IGNORE INTO alerts (alert_id, kind, user_id, object_id, amount, currency, detail, raised_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [alertId, kind, userId, objectId, amount, currency, detail, raisedAt],
  });
  return affectedRows === 1;
};

export const alertExists = (tx: Tx, alertId: string): Promise<boolean> =>
  tx.getRepository(alertEntity).existsBy({ alertId });

/** Locks the alert, so that of two resolutions at the same time one changes it. */
export const lockAlert = (tx: Tx, alertId: string): Promise<AlertRow | null> =>
  tx.getRepository(alertEntity).findOne({ where: { alertId }, lock: { mode: 'pessimistic_write' } });

/** Returns whether the alert was unresolved until now. */
export const setResolved = async (tx: Tx, alertId: string, resolvedAt: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(alertEntity)
    .update({ alertId, resolvedAt: IsNull() }, { resolvedAt });
  return affected === 1;
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

/** Raw: the builder returns a count as text. */
export const countOpenAlerts = (tx: Tx): Promise<{ kind: string; count: number }[]> =>
  selectRows(
    tx,
    { kind: text, count: integer },
    { sql: 'SELECT kind, COUNT(*) AS count FROM alerts WHERE resolved_at IS NULL GROUP BY kind' },
  );
