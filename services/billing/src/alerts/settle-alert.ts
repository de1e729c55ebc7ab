import { NO_USER } from '@shortlist/contracts/api/admin-views';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type AlertRow, lockAlert } from './queries.ts';
import { resolveAlert } from './raise-alert.ts';

/** Resolves an alert for an admin; a second time changes nothing. Throws `billing.alert_not_found`. */
export const settleAlert = async (
  tx: Tx,
  alertId: string,
  { caller, clock }: { caller: Caller; clock: Clock },
): Promise<AlertRow> => {
  const alert = await lockAlert(tx, alertId);
  if (alert === null) throw createError('billing.alert_not_found');
  if (!(await resolveAlert(tx, alertId, clock))) return alert;
  const change = {
    action: 'alert.resolve',
    targetId: alert.userId ?? NO_USER,
    before: { alertId, resolvedAt: null },
    after: { alertId, resolvedAt: clock().toISOString() },
  } as const;
  await recordAdminChange(tx, { ...change, caller, clock });
  return { ...alert, resolvedAt: clock() };
};
