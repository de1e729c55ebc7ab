import type { DatabaseServer } from './database-server.ts';

/** Records the instant of the newest backup in a table of worker, whose metrics report it: a job ends before Prometheus could scrape it. */
export const reportInstant = async (
  { runSql }: DatabaseServer,
  name: 'backup' | 'verified',
  at: Date,
): Promise<void> => {
  const instant = at.toISOString().slice(0, 19).replace('T', ' ');
  await runSql(
    `INSERT INTO worker.backup_reports (name, instant) VALUES ('${name}', '${instant}')
     ON DUPLICATE KEY UPDATE instant = GREATEST(instant, VALUES(instant))`,
  );
};
