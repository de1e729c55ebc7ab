import { recordChange } from '@shortlist/audit/audit-log';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Filters } from './predicates.ts';

/**
 * Records that an admin exports the list, with its filters. The searched text is left out: it may name a person, and nothing would
 * redact it when that person is deleted.
 */
export const recordExport = async (
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  { search, ...filters }: Filters,
): Promise<void> => {
  const targetId = caller.userId ?? '';
  const after = { ...filters, ...(search === undefined ? {} : { isSearch: true }) };
  await inTransaction(db, (tx) =>
    recordChange(tx, { action: 'users.export', targetId, before: null, after, caller, clock }),
  );
};
