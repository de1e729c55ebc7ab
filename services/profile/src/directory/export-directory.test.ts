import type { DirectoryRow } from '@shortlist/contracts/api/directory';
import { expect, it } from 'vitest';
import { createCsvLine } from './export-directory.ts';

const row: DirectoryRow = {
  id: '0198a0b0-0000-7000-8000-000000000001',
  firstName: 'Ada',
  lastName: 'King, "Countess"',
  email: 'ada@engines.test',
  organizationName: '=1+1',
  country: 'Norway',
  picture: null,
  plan: 'premium',
  paymentProblem: null,
  createdAt: '2026-11-21T23:30:00.000Z',
};

it.each([...'=+-@＝＋－＠\t\r\n'])('a cell that starts with %j is text to a spreadsheet', (first) => {
  const line = createCsvLine('UTC')({ ...row, organizationName: `${first}cmd|' /C calc'!A0` });
  expect(line).toMatch(new RegExp(`,"?'\\${first}cmd`));
});

it.each([
  ['+47 22 12 34 56', '+47 22 12 34 56'],
  ['+1-2', "'+1-2"],
  ['+1 A1', "'+1 A1"],
])('a cell of %j is written as %j, as a telephone number', (name, cell) => {
  expect(createCsvLine('UTC')({ ...row, organizationName: name })).toContain(`,${cell},`);
});

it.each([
  ['UTC', '2026-11-21'],
  ['Pacific/Auckland', '2026-11-22'],
  ['America/New_York', '2026-11-21'],
])('in %s the day of joining is %s, as on the screen there', (timeZone, day) => {
  expect(createCsvLine(timeZone)(row)).toBe(
    `"Ada King, ""Countess""",ada@engines.test,'=1+1,Norway,premium,${day}\r\n`,
  );
});
