import type { Connection, RowDataPacket } from 'mysql2/promise';

/** Runs a SELECT; the caller states the type of the rows. */
export const select = async <Row>(db: Connection, sql: string, values: unknown[] = []): Promise<Row[]> => {
  const [rows] = await db.query<RowDataPacket[]>(sql, values);
  return rows as Row[];
};
