// The ledger of a user, page by page: newest first for the user, oldest first for the file with the user's data.
import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import { days } from '@shortlist/contracts/durations';
import { BROWSER, type HistoryQuery } from '@shortlist/contracts/schemas/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { And, type FindOptionsWhere, IsNull, LessThan, MoreThan, MoreThanOrEqual } from 'typeorm';
import { type LedgerEntry, ledgerEntryEntity } from './queries.ts';

const present = (entry: LedgerEntry): CreditsEntry => {
  const { id, amount, added, reason, reference, clientId, createdAt } = entry;
  return {
    id: String(id),
    amount: amount + added,
    reason,
    reference,
    clientId,
    createdAt: createdAt.toISOString(),
  };
};

type Filter = FindOptionsWhere<LedgerEntry>;

const ofClient = (client: string | undefined): Filter => {
  if (client === undefined) return {};
  // Credits that were added or taken away have no client, and were not charged in the browser.
  return client === BROWSER ? { clientId: IsNull(), added: 0 } : { clientId: client };
};

/** Entries of the days from `from` to `to`, in UTC. */
const inDays = ({ from, to }: HistoryQuery): Filter => {
  const bounds = [
    ...(from === undefined ? [] : [MoreThanOrEqual(new Date(from))]),
    ...(to === undefined ? [] : [LessThan(new Date(Date.parse(to) + days(1)))]),
  ];
  return bounds.length === 0 ? {} : { createdAt: And(...bounds) };
};

/** A page of entries, newest first, starting after the entry with the id `cursor`; `next` is the cursor of the page after it. */
export const listHistory = async (
  tx: Tx,
  userId: string,
  { limit = HISTORY_PAGE, cursor, reason, client, ...range }: HistoryQuery,
): Promise<{ data: CreditsEntry[]; next: string | null }> => {
  const rows = await tx.getRepository(ledgerEntryEntity).find({
    where: {
      userId,
      ...(cursor === undefined ? {} : { id: LessThan(Number(cursor)) }),
      ...(reason === undefined ? {} : { reason }),
      ...ofClient(client),
      ...inDays(range),
    },
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
