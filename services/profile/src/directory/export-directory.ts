import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import { createCsvLine, CSV_HEADER } from './csv.rules.ts';
import type { Sorting } from './directory.rules.ts';
import type { Filters } from './filters.ts';
import { presentRow } from './present.ts';
import { cursorOf, listWhole } from './queries.ts';
import { prepareSearch } from './search.ts';

const PAGE = 1_000;

type Export = { filters: Filters; sorting: Sorting; timeZone: string; to: Writable };

/** Writes the whole list page by page, as fast as the reader takes it: memory stays that of one page. */
export const exportDirectory = async (
  { db, clock }: { db: Db; clock: Clock },
  { filters, sorting, timeZone, to }: Export,
): Promise<void> => {
  const now = clock();
  const csvLine = createCsvLine(timeZone);
  const search = await prepareSearch(db.manager, filters, now);
  to.write(`\uFEFF${CSV_HEADER}`); // the mark by which spreadsheets know UTF-8
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
