import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { parseDatabaseUrl } from './database-url.ts';

/** A connection that only reads, for programs of operators; the caller states the type of the rows. */
export type Reader = {
  select: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
};

/** Connects to the database at this address. The server refuses every change over this connection. */
export const openReader = async (url: string): Promise<Reader> => {
  const { username: user, ...address } = parseDatabaseUrl(url);
  const connection = await createConnection({ ...address, user, timezone: 'Z', connectTimeout: 10_000 });
  await connection.query("SET SESSION time_zone = '+00:00'");
  await connection.query('SET SESSION TRANSACTION READ ONLY');
  return {
    select: async <Row>(sql: string, values: readonly unknown[] = []) => {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values]);
      return rows as Row[];
    },
    close: () => connection.end(),
  };
};
