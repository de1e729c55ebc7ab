import type { Db } from '@shortlist/kit/data/db';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { backupTime, verifiedBackupTime } from '../metrics.ts';
import { readReport } from './queries.ts';

/** Adds the times of the newest backups to the metrics. The jobs that make them end before they could be scraped. */
export const measureBackups = (metrics: Metrics, db: Db): void => {
  metrics.gauge(backupTime, () => readReport(db.manager, 'backup'));
  metrics.gauge(verifiedBackupTime, () => readReport(db.manager, 'verified'));
};
