// A cell that begins with = + - @ (or a tab, or a line end) would be run as a formula by a spreadsheet; a leading apostrophe
// makes it text. Cells are quoted as RFC 4180 says.
import type { DirectoryRow } from '@shortlist/contracts/api/public';

export const CSV_HEADER = 'Full Name,Email,Organization,Country,Plan,Join Date\r\n';

const cell = (text: string): string => {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Dates are the days of the viewer's time zone, like those on the screen and in the filters. */
export const createCsvLine = (timeZone: string): ((row: DirectoryRow) => string) => {
  // The Canadian way of writing a date is ISO 8601's.
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
