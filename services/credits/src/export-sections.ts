import { auditSection } from '@shortlist/audit/audit-log';
import { EXPORT_SECTIONS, type ExportSection } from '@shortlist/contracts/data-export';
import type { Db } from '@shortlist/kit/data/db';
import { pagedSection, type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { listBucketsOf } from './buckets/queries.ts';
import { listEntriesAfter } from './ledger/queries.ts';
import { findWantsMails } from './windows/due-queries.ts';
import { listWindowsOf } from './windows/queries.ts';

const { windows, ledger, buckets, settings } = EXPORT_SECTIONS.credits;

/** What credits stores about a user. The contacts that were charged for are the references of the ledger. */
export const exportSections = (db: Db): Record<ExportSection<'credits'>, ReadSection> => ({
  windows: wholeSection(windows, (userId) => listWindowsOf(db.manager, userId)),
  ledger: pagedSection(ledger, async (userId, after, limit) => {
    const entries = await listEntriesAfter(db.manager, userId, { after: Number(after ?? 0), limit });
    return entries.map((entry) => ({ ...entry, id: String(entry.id), amount: entry.amount + entry.added }));
  }),
  buckets: wholeSection(buckets, (userId) => listBucketsOf(db.manager, userId)),
  changes: auditSection(db),
  settings: wholeSection(settings, async (userId) => [
    { creditMails: await findWantsMails(db.manager, userId) },
  ]),
});
