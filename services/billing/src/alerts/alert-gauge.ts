import { ALERT_KINDS } from '@shortlist/contracts/system';
import type { Db } from '@shortlist/kit/data/db';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { alertsOpen } from '../metrics.ts';
import { countOpenAlerts } from './queries.ts';

/** Adds the gauge of unresolved alerts by kind; a kind without alerts is 0. */
export const countAlertsIn = (metrics: Metrics, db: Db): void => {
  metrics.gaugeBy(alertsOpen, async () => {
    const open = await countOpenAlerts(db.manager);
    const counts = new Map(open.map(({ kind, count }) => [kind, count] as const));
    return ALERT_KINDS.map((kind) => [{ kind }, counts.get(kind) ?? 0] as const);
  });
};
