import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { BYTE_ORDER_MARK } from '@shortlist/kit/data/csv.rules';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import { createCsvLine, CSV_HEADER } from './csv.rules.ts';
import type { Sorting } from './cursor.rules.ts';
import { cursorOf } from './directory-row.ts';
import { listWhole } from './list-directory.ts';
import type { Filters } from './predicates.ts';
import { presentRow } from './present.ts';
import { prepareSearch } from './query-plan.ts';

const PAGE = 1_000;

type Export = { filters: Filters; sorting: Sorting; timeZone: string; to: Writable };

/** Writes the whole list page by page and waits while `to` is full, so that one page is in memory at a time. */
export const exportDirectory = async (
  { db, clock }: { db: Db; clock: Clock },
  { filters, sorting, timeZone, to }: Export,
): Promise<void> => {
  const now = clock();
  const csvLine = createCsvLine(timeZone);
  const search = await prepareSearch(db.manager, filters, now);
  to.write(BYTE_ORDER_MARK + CSV_HEADER);
  let rows = await listWhole(db.manager, { search, sorting, cursor: null, limit: PAGE });
  while (rows.length > 0 && !to.destroyed) {
    const text = rows.map((row) => csvLine(presentRow(row, now))).join('');
    if (!to.write(text)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    rows = await listWhole(db.manager, { search, sorting, cursor: cursorOf(last, sorting), limit: PAGE });
  }
  to.end();
};
