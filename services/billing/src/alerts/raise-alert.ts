import { alertRaised } from '@shortlist/contracts/events/billing';
import { ALERT_KINDS, type AlertKind, NO_USER } from '@shortlist/contracts/api/billing';
import { afterCommit, type Db, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { alertsOpen } from '../metrics.ts';
import { countOpenAlerts, insertAlert } from './queries.ts';

/** Amounts are minor units. `objectId` is the id of the object at Stripe. */
export type NewAlert = {
  kind: AlertKind;
  objectId: string;
  userId: string | null;
  amount?: number | null;
  currency?: string | null;
  detail?: string | null;
};

const DETAIL_MAX = 500;

export const alertIdOf = (kind: AlertKind, objectId: string): string => `${kind}:${objectId}`;

/**
 * Stores an alert and emits AlertRaised, once per kind and object. Each refresh finds the same cause again, so a resolved alert stays resolved.
 * Returns whether it is new; the caller then logs it.
 */
export const raiseAlert = async (tx: Tx, alert: NewAlert, clock: Clock): Promise<boolean> => {
  const { kind, objectId, userId, amount = null, currency = null } = alert;
  const alertId = alertIdOf(kind, objectId);
  const detail = alert.detail?.slice(0, DETAIL_MAX) ?? null;
  const columns = { userId, objectId, amount, currency, detail };
  if (!(await insertAlert(tx, { alertId, kind, ...columns, raisedAt: clock() }))) return false;
  const data = { alertId, kind, amount, currency, detail };
  await emit(tx, alertRaised, { subject: userId ?? NO_USER, data, clock });
  return true;
};

/** Raises alerts and logs new ones after the commit. */
export const raiseAlerts = async (
  tx: Tx,
  alerts: NewAlert[],
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> => {
  for (const alert of alerts)
    if (await raiseAlert(tx, alert, clock)) afterCommit(tx, () => log.error(alert, 'alert raised'));
};

/** Adds the gauge of unresolved alerts by kind; a kind without alerts is 0. */
export const countAlertsIn = (metrics: Metrics, db: Db): void => {
  metrics.gaugeBy(alertsOpen, async () => {
    const open = await countOpenAlerts(db.manager);
    const counts = new Map(open.map(({ kind, count }) => [kind, count] as const));
    return ALERT_KINDS.map((kind) => [{ kind }, counts.get(kind) ?? 0] as const);
  });
};
