import { Readable } from 'node:stream';
import type { Connection } from 'mysql2/promise';

export type Cell = string | number | Date | null;

const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };

const cellText = (cell: Cell): string => {
  if (cell === null) return '\\N';
  if (cell instanceof Date) return cell.toISOString().slice(0, 23).replace('T', ' ');
  return String(cell).replace(/[\\\t\n]/g, (character) => ESCAPED[character] ?? character);
};

const lineOf = (row: readonly Cell[]): string => `${row.map(cellText).join('\t')}\n`;

type Load = { table: string; columns: string; rows: Iterable<readonly (readonly Cell[])[]> };

/** Streams rows into a table with LOAD DATA, with one chunk in memory at a time. */
export const bulkLoad = async (db: Connection, { table, columns, rows }: Load): Promise<void> => {
  const text = function* (): Generator<string> {
    for (const chunk of rows) yield chunk.map(lineOf).join('');
  };
  await db.query({
    sql: `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table} CHARACTER SET utf8mb4 (${columns})`,
    infileStreamFactory: () => Readable.from(text(), { objectMode: false }),
  });
};
