import { type AuditRecord, recordAdminChange } from '@shortlist/audit/audit-log';
import { type AlertChange, NO_USER } from '@shortlist/contracts/api/billing';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type AlertRow, lockAlert, updateAlert } from './queries.ts';

type By = { caller: Caller; clock: Clock };
type Next = { action: AuditRecord['action']; resolvedAt: Date | null; by: By };

const getLocked = async (tx: Tx, alertId: string): Promise<AlertRow> => {
  const alert = await lockAlert(tx, alertId);
  if (alert === null) throw createError('billing.alert_not_found');
  return alert;
};

/** Changes and records a locked alert. */
const change = async (
  tx: Tx,
  alert: AlertRow,
  { action, resolvedAt, note, by }: Next & { note: string },
): Promise<AlertRow> => {
  const { alertId } = alert;
  await updateAlert(tx, alertId, { resolvedAt, note });
  await recordAdminChange(tx, {
    action,
    targetId: alert.userId ?? NO_USER,
    before: { alertId, resolvedAt: alert.resolvedAt },
    after: { alertId, resolvedAt, reason: note },
    ...by,
  });
  return { ...alert, resolvedAt, note };
};

/** Resolves an alert for an admin. If another admin or the product has already resolved it, their note stays. */
export const resolveAlert = async (tx: Tx, { alertId, note }: AlertChange, by: By): Promise<AlertRow> => {
  const alert = await getLocked(tx, alertId);
  if (alert.resolvedAt !== null) throw createError('billing.alert_resolved');
  return change(tx, alert, { action: 'alert.resolve', resolvedAt: by.clock(), note, by });
};

/** Reopens a resolved alert. If its cause is gone, it stays open until an admin resolves it. */
export const reopenAlert = async (tx: Tx, { alertId, note }: AlertChange, by: By): Promise<AlertRow> => {
  const alert = await getLocked(tx, alertId);
  if (alert.resolvedAt === null) throw createError('billing.alert_open');
  return change(tx, alert, { action: 'alert.reopen', resolvedAt: null, note, by });
};
