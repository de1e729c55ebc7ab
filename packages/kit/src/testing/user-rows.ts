// Rows about a user in every table that can have one, found in the database's schema, so that new tables are included.
import { randomUUID } from 'node:crypto';
import type { Db } from '../data/db.ts';

/** The columns that name the user of a row. */
const USER_COLUMNS = ['user_id', 'account_id', 'target_id'];

/** Its rows go when the service starts. */
const PENDING = 'deletions_to_repeat';

type Column = {
  tableName: string;
  name: string;
  type: string;
  length: number | null;
  isRequired: number;
};

const columnsOf = async (db: Db): Promise<Map<string, Column[]>> => {
  const columns = await db.query<Column[]>(
    `SELECT table_name AS tableName, column_name AS name, column_type AS type, character_maximum_length AS length,
       is_nullable = 'NO' AND column_default IS NULL AND extra NOT LIKE '%auto_increment%' AS isRequired
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND table_name <> '${PENDING}'
     ORDER BY table_name, ordinal_position`,
  );
  const tables = Map.groupBy(columns, ({ tableName }) => tableName);
  return new Map(
    [...tables].filter(([, ofTable]) => ofTable.some(({ name }) => USER_COLUMNS.includes(name))),
  );
};

const valueOf = ({ type, length }: Column): unknown => {
  if (type.startsWith('enum(')) return type.slice(6, -2).split("','")[0];
  if (type.startsWith('date')) return new Date();
  if (length === null) return 1;
  return length > 200 ? '{}' : randomUUID().slice(0, Number(length));
};

const userColumnOf = (columns: Column[]): string =>
  USER_COLUMNS.find((candidate) => columns.some(({ name }) => name === candidate)) ?? '';

/** The tables that have a row about the user. */
export const listTablesWith = async (db: Db, userId: string): Promise<string[]> => {
  const found: string[] = [];
  for (const [table, columns] of await columnsOf(db)) {
    const rows: unknown[] = await db.query(
      `SELECT 1 FROM \`${table}\` WHERE \`${userColumnOf(columns)}\` = ? LIMIT 1`,
      [userId],
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
};

/** Adds a row about the user, with dummy values, to every table that has none. Returns the tables that can have one. */
export const insertUserRows = async (db: Db, userId: string): Promise<string[]> => {
  const filled = await listTablesWith(db, userId);
  const tables = await columnsOf(db);
  for (const [table, columns] of tables) {
    if (filled.includes(table)) continue;
    const user = userColumnOf(columns);
    const required = columns.filter(({ name, isRequired }) => name === user || Number(isRequired) === 1);
    await db.query(
      `INSERT INTO \`${table}\` (${required.map(({ name }) => `\`${name}\``).join(', ')}) VALUES (${required.map(() => '?').join(', ')})`,
      required.map((column) => (column.name === user ? userId : valueOf(column))),
    );
  }
  return [...tables.keys()];
};
