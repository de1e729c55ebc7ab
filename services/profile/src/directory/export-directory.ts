import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { DirectoryRow } from '@shortlist/contracts/api/directory';
import { PROFILE_FIELDS } from '@shortlist/contracts/profile-fields';
import { BYTE_ORDER_MARK, csvLine } from '@shortlist/kit/data/csv.rules';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Cursor, cursorOf, type Sorting } from './cursor.ts';
import { type Filters, listWhole, prepareSearch, presentRow } from './search.ts';

// The columns are the profile fields with a csvHeader, with the email after the name. Fields with the same header share a column.
const listed = PROFILE_FIELDS.filter((field) => field.csvHeader !== null);
const columns = [...Map.groupBy(listed, ({ csvHeader }) => csvHeader as string)].map(([header, fields]) => ({
  header,
  textOf: (row: DirectoryRow): string => fields.map(({ name }) => row[name]).join(' '),
}));
columns.splice(1, 0, { header: 'Email', textOf: ({ email }) => email });

const CSV_HEADER = csvLine([...columns.map(({ header }) => header), 'Plan', 'Join Date']);

/** Dates are days in the viewer's time zone, as on the screen and in the filters. */
export const createCsvLine = (timeZone: string): ((row: DirectoryRow) => string) => {
  // Canadian English formats dates as in ISO 8601.
  const day = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (row) =>
    csvLine([...columns.map(({ textOf }) => textOf(row)), row.plan, day.format(new Date(row.createdAt))]);
};

type Parts = { db: Db; clock: Clock };

/** The searched text is not recorded: it may name a person, and nothing would redact it when that person is deleted. */
export const recordExport = async ({ db, clock }: Parts, caller: Caller, { search, ...filters }: Filters) => {
  const after = { ...filters, ...(search === undefined ? {} : { isSearch: true }) };
  const change = { action: 'users.export', targetId: caller.userId ?? '', after } as const;
  await inTransaction(db, (tx) => recordAdminChange(tx, { ...change, caller, clock }));
};

const PAGE = 1_000;

type Export = { filters: Filters; sorting: Sorting; timeZone: string; to: Writable };

/** Writes the whole list page by page and waits while `to` is full, so that only one page is in memory at a time. */
export const exportDirectory = async ({ db, clock }: Parts, { filters, sorting, timeZone, to }: Export) => {
  const now = clock();
  const lineOf = createCsvLine(timeZone);
  const search = await prepareSearch(db.manager, filters, now);
  let cursor: Cursor | null = null;
  to.write(BYTE_ORDER_MARK + CSV_HEADER);
  do {
    const rows = await listWhole(db.manager, { search, sorting, cursor, limit: PAGE });
    const text = rows.map((row) => lineOf(presentRow(row, now))).join('');
    if (!to.write(text)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    const last = rows.length === PAGE ? rows.at(-1) : undefined;
    cursor = last ? cursorOf(last, sorting) : null;
  } while (cursor !== null && !to.destroyed);
  to.end();
};
