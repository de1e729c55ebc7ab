import { auditSection } from '@shortlist/audit/audit-log';
import { EXPORT_SECTIONS, type ExportSection } from '@shortlist/contracts/api/privacy';
import type { Db } from '@shortlist/kit/data/db';
import { pagedSection, type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { findAccount } from './accounts/queries.ts';
import { listOtherBuckets, listPlanBuckets } from './buckets/queries.ts';
import { listEntries } from './ledger/queries.ts';

const { windows, ledger, buckets, settings } = EXPORT_SECTIONS.credits;

/** What credits stores about a user. The contacts that were charged for are the references of the ledger. */
export const exportSections = (db: Db): Record<ExportSection<'credits'>, ReadSection> => ({
  windows: wholeSection(windows, async (userId) => {
    const ofPlan = await listPlanBuckets(db.manager, userId);
    return ofPlan.map((bucket) => ({ ...bucket, limit: bucket.credits }));
  }),
  ledger: pagedSection(ledger, async (userId, after, limit) => {
    const entries = await listEntries(db.manager, userId, Number(after ?? 0), limit);
    return entries.map((entry) => ({ ...entry, id: String(entry.id), amount: entry.amount + entry.added }));
  }),
  buckets: wholeSection(buckets, async (userId) => {
    const others = await listOtherBuckets(db.manager, userId);
    return others.map((bucket) => ({ ...bucket, createdAt: bucket.startsAt }));
  }),
  changes: auditSection(db),
  settings: wholeSection(settings, async (userId) => {
    const { wantsMails } = await findAccount(db.manager, userId);
    return [{ creditMails: wantsMails }];
  }),
});
