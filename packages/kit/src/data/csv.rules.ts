// Tables as CSV. A spreadsheet evaluates a cell that starts with = + - @, with their full-width forms, with a tab or with a line
// end as a formula; a leading apostrophe makes it text. Where the separator is a semicolon, a cell also starts after each of those. A plus with digits and spaces alone is a telephone number, and computes
// nothing. Cells are quoted as in RFC 4180.

/** Spreadsheets recognise UTF-8 by this mark at the start of a file. */
export const BYTE_ORDER_MARK = '\uFEFF';

const FORMULA = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/;
const TELEPHONE_NUMBER = /^\+\d[\d ]*$/;

const AFTER_SEPARATOR = /([;\t])(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const quote = (text: string): string => {
  const start = FORMULA.test(text) && !TELEPHONE_NUMBER.test(text) ? `'${text}` : text;
  const harmless = start.replace(AFTER_SEPARATOR, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** One line of a CSV file with its line end. A number is no formula, also a negative one. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quote(cell))).join(',')}\r\n`;

/** The headers of a reply that a browser saves as this file. */
export const csvHeaders = (fileName: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${fileName}"`,
  'x-content-type-options': 'nosniff',
});
