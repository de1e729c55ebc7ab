import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';

const REPORTS = ['backup', 'verified'] as const;
type Report = (typeof REPORTS)[number];

/** The newest backup, and the newest that a trial restore found in order; `shortlist backup` writes both. */
export const backupReportEntity = defineEntity('backup_report', 'backup_reports', {
  name: { ...column.enumOf(REPORTS), primary: true },
  /** From when on the backup can be restored. */
  instant: column.dateTime,
});

export const findReport = async (tx: Tx, name: Report): Promise<Date | null> =>
  (await tx.getRepository(backupReportEntity).findOneBy({ name }))?.instant ?? null;

/** The time of a report in seconds; 0 without one. */
export const readReport = async (tx: Tx, name: Report): Promise<number> =>
  ((await findReport(tx, name))?.getTime() ?? 0) / 1_000;
