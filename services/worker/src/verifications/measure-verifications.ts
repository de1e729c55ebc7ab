import type { Db } from '@shortlist/kit/data/db';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { verifyBreaches, verifyTime } from '../metrics.ts';
import { findVerification } from './queries.ts';

/** Adds the newest run of `shortlist verify` to the metrics. */
export const measureVerifications = (metrics: Metrics, { manager }: Db): void => {
  metrics.gauge(verifyTime, async () => {
    const last = await findVerification(manager);
    return last === null ? 0 : Date.parse(last.endedAt) / 1_000;
  });
  metrics.gauge(verifyBreaches, async () => {
    const last = await findVerification(manager);
    return (last?.breached ?? []).reduce((sum, { breaches }) => sum + breaches, 0);
  });
};
