// A spreadsheet evaluates a cell that starts with = + - @ (or a tab, or a line end) as a formula; a leading apostrophe makes it
// text. Cells are quoted as in RFC 4180.
import type { DirectoryRow } from '@shortlist/contracts/api/public';

export const CSV_HEADER = 'Full Name,Email,Organization,Country,Plan,Join Date\r\n';

const cell = (text: string): string => {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Dates are days in the viewer's time zone, as on the screen and in the filters. */
export const createCsvLine = (timeZone: string): ((row: DirectoryRow) => string) => {
  // Dates in Canadian English have the form of ISO 8601.
  const day = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (row) => {
    const cells = [
      `${row.firstName} ${row.lastName}`,
      row.email,
      row.organizationName,
      row.country,
      row.plan,
      day.format(new Date(row.createdAt)),
    ];
    return `${cells.map(cell).join(',')}\r\n`;
  };
};
