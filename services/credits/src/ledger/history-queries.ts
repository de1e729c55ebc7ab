// The charges of a user, page by page: newest first for the user, oldest first for the file with the user's data.
import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import type { HistoryQuery } from '@shortlist/contracts/schemas/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { LessThan, MoreThan } from 'typeorm';
import { type LedgerEntry, ledgerEntryEntity } from './queries.ts';

const present = ({ id, amount, reason, reference, clientId, createdAt }: LedgerEntry): CreditsEntry => ({
  id: String(id),
  amount,
  reason,
  reference,
  clientId,
  createdAt: createdAt.toISOString(),
});

/** A page of entries, newest first, starting after the entry with the id `cursor`; `next` is the cursor of the page after it. */
export const listHistory = async (
  tx: Tx,
  userId: string,
  { limit = HISTORY_PAGE, cursor }: HistoryQuery,
): Promise<{ data: CreditsEntry[]; next: string | null }> => {
  const rows = await tx.getRepository(ledgerEntryEntity).find({
    where: { userId, ...(cursor === undefined ? {} : { id: LessThan(Number(cursor)) }) },
    order: { id: 'DESC' },
    take: limit + 1, // one more shows whether another page follows
  });
  const data = rows.slice(0, limit).map(present);
  return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
};

/** Entries oldest first, starting after the entry with the id `after`. */
export const listEntriesAfter = (
  tx: Tx,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LedgerEntry[]> =>
  tx
    .getRepository(ledgerEntryEntity)
    .find({ where: { userId, id: MoreThan(after) }, order: { id: 'ASC' }, take: limit });
