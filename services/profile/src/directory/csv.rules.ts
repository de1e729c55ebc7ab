// A cell that begins with = + - @ (or a tab, or a line end) would be run as a formula by a spreadsheet; a leading apostrophe
// makes it text. Cells are quoted as RFC 4180 says.
import type { DirectoryRow } from '@shortlist/contracts/api/public';

export const CSV_HEADER = 'Full Name,Email,Organization,Country,Plan,Join Date\r\n';

const cell = (text: string): string => {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvLine = (row: DirectoryRow): string => {
  const cells = [
    `${row.firstName} ${row.lastName}`,
    row.email,
    row.organizationName,
    row.country,
    row.plan,
    row.createdAt.slice(0, 10),
  ];
  return `${cells.map(cell).join(',')}\r\n`;
};
