// Tables as CSV. A spreadsheet evaluates a cell that starts with = + - @, with their full-width forms, with a tab or with a line end as a
// formula; a leading apostrophe makes it text. Where the separator is a semicolon, a cell also starts after each of those. A plus followed only
// by digits and spaces is a telephone number, which stays as it is. Cells are quoted as in RFC 4180.

/** Marks a file as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF';

const FORMULA = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/;
const TELEPHONE_NUMBER = /^\+\d[\d ]*$/;

const AFTER_SEPARATOR = /([;\t])(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const quote = (text: string): string => {
  const start = FORMULA.test(text) && !TELEPHONE_NUMBER.test(text) ? `'${text}` : text;
  const harmless = start.replace(AFTER_SEPARATOR, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** One line of a CSV file with its line end. Numbers, even negative ones, are not formulas. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quote(cell))).join(',')}\r\n`;

/** The headers that make a browser save the response as this file. */
export const csvHeaders = (fileName: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${fileName}"`,
  'x-content-type-options': 'nosniff',
});
