import { ALERT_KINDS } from '@shortlist/contracts/alerts';
import type { Db } from '@shortlist/kit/data/db';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { countOpenAlerts } from './queries.ts';

/** Adds the gauge of unresolved alerts by kind; a kind without alerts is 0. */
export const countAlertsIn = (metrics: Metrics, db: Db): void => {
  metrics.gaugeBy('billing_alerts_open', 'Unresolved alerts, by kind', {
    label: 'kind',
    read: async () => {
      const counts = new Map(
        (await countOpenAlerts(db.manager)).map(({ kind, count }) => [kind, count] as const),
      );
      return ALERT_KINDS.map((kind) => [kind, counts.get(kind) ?? 0] as const);
    },
  });
};
