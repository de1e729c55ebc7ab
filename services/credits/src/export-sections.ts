import type { ExportRow, ExportSection } from '@shortlist/contracts/data-export';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { pagedSection, type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { listEntriesAfter } from './ledger/queries.ts';
import { listWindowsOf } from './windows/queries.ts';

const windowRows = async (tx: Tx, userId: string): Promise<ExportRow[]> =>
  (await listWindowsOf(tx, userId)).map(({ plan, limit, used, startsAt, endsAt }) => ({
    plan,
    limit,
    used,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }));

/** What credits stores about a user. The contacts that were charged for are the references of the ledger. */
export const exportSections = (db: Db): Record<ExportSection<'credits'>, ReadSection> => ({
  windows: wholeSection((userId) => windowRows(db.manager, userId)),
  ledger: pagedSection(async (userId, after, limit) => {
    const entries = await listEntriesAfter(db.manager, userId, { after: Number(after ?? 0), limit });
    return entries.map(({ id, amount, reason, reference, createdAt }) => ({
      id: String(id),
      amount,
      reason,
      reference,
      createdAt: createdAt.toISOString(),
    }));
  }),
});
