import { describe, expect, it } from 'vitest';
import { csvLine } from '../src/data/csv.rules.ts';

/** What a program reads whose separator is a semicolon, as in most of Europe: it knows no quotes inside of a cell. */
const cellsOf = (line: string): string[] => line.trimEnd().split(/[;\t]/);

describe('a line of CSV', () => {
  it.each(['X;=1+1;x', 'X; =HYPERLINK("https://a.test")', 'X\t@SUM(1)', 'a;-2+3', 'a;\uff1d1'])(
    'has no formula in %j where the separator is a semicolon',
    (text) => {
      for (const line of [csvLine([text]), csvLine(['ana', text])])
        for (const cell of cellsOf(line)) expect(cell).not.toMatch(/^\s*[=+\-@\uff1d]/);
    },
  );

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', '+49 30 1234'],
    ['a;b', 'a;b'],
    ['a,b', '"a,b"'],
  ])('has %j as %j', (text, cell) => expect(csvLine([text])).toBe(`${cell}\r\n`));
});
