// The columns of the exported list are the profile fields with a csvHeader, with e-mail, plan and date.
import type { DirectoryRow } from '@shortlist/contracts/api/public';
import { type ListedFieldName, PROFILE_FIELDS } from '@shortlist/contracts/profile-fields';
import { csvLine } from '@shortlist/kit/data/csv.rules';

type CsvColumn = { header: string; fields: ListedFieldName[] };

/** Fields with one header share a column. */
const columnsOf = (isPerson: boolean): CsvColumn[] => {
  const columns: CsvColumn[] = [];
  for (const field of PROFILE_FIELDS) {
    if (field.csvHeader === null || (field.group === 'person') !== isPerson) continue;
    const column = columns.find(({ header }) => header === field.csvHeader);
    if (column) column.fields.push(field.name);
    else columns.push({ header: field.csvHeader, fields: [field.name] });
  }
  return columns;
};

const PERSON_COLUMNS = columnsOf(true);
const OTHER_COLUMNS = columnsOf(false);

const headersOf = (columns: readonly CsvColumn[]): string[] => columns.map(({ header }) => header);
const cellsOf = (columns: readonly CsvColumn[], row: DirectoryRow): string[] =>
  columns.map(({ fields }) => fields.map((name) => row[name]).join(' '));

export const CSV_HEADER = csvLine([
  ...headersOf(PERSON_COLUMNS),
  'Email',
  ...headersOf(OTHER_COLUMNS),
  ...['Plan', 'Join Date'],
]);

/** Dates are days in the viewer's time zone, as on the screen and in the filters. */
export const createCsvLine = (timeZone: string): ((row: DirectoryRow) => string) => {
  // Dates in Canadian English have the form of ISO 8601.
  const day = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (row) =>
    csvLine([
      ...cellsOf(PERSON_COLUMNS, row),
      row.email,
      ...cellsOf(OTHER_COLUMNS, row),
      row.plan,
      day.format(new Date(row.createdAt)),
    ]);
};
