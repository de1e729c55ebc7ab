import type { EntitySchema } from 'typeorm';
import { createTestDb } from './test-db.ts';

type Columns = Record<string, string[]>;

/** Tables of kit and TypeORM, which have no entity. */
const INTERNAL = ['inbox', 'migrations', 'outbox'];

const columnsOfEntities = (entities: readonly EntitySchema[]): Columns =>
  Object.fromEntries(
    entities.map(({ options: { tableName = '', columns } }) => [
      tableName,
      Object.entries(columns)
        .map(([property, column]) => column?.name ?? property)
        .toSorted(),
    ]),
  );

/** The columns of each table as the migrations create them, and as the service's entities state them. */
export const compareEntities = async (
  schema: Parameters<typeof createTestDb>[0],
): Promise<{ tables: Columns; entities: Columns }> => {
  const { db, drop } = await createTestDb(schema);
  const rows = await db.query<{ tableName: string; columnName: string }[]>(
    `SELECT table_name AS tableName, column_name AS columnName FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name NOT IN (?)`,
    [INTERNAL],
  );
  await drop();
  const tables: Columns = {};
  for (const { tableName, columnName } of rows)
    tables[tableName] = [...(tables[tableName] ?? []), columnName].toSorted();
  return { tables, entities: columnsOfEntities(schema.entities) };
};
