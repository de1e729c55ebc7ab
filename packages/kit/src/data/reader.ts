import { createConnection as createStreamingConnection } from 'mysql2';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { parseDatabaseUrl } from './variables.ts';

/** Rows buffered for the caller of a stream. */
const STREAMED_ROWS = 100;

/** A read-only connection for operators' programs; the caller states the type of the rows. */
export type Reader = {
  select: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Yields rows as the server sends them, a few in memory at a time, over its own connection, so that `select` works in the meantime. */
  stream: <Row>(sql: string, values?: readonly unknown[]) => AsyncGenerator<Row>;
  close: () => Promise<void>;
};

/** Makes the server refuse every change over the connection. */
const SESSION = ["SET SESSION time_zone = '+00:00'", 'SET SESSION TRANSACTION READ ONLY'];

const settingsOf = (url: string) => {
  const { username: user, ...address } = parseDatabaseUrl(url);
  return { ...address, user, timezone: 'Z', connectTimeout: 10_000 };
};

// The package's promise API has no streams.
const streamOver = (url: string): Reader['stream'] =>
  async function* <Row>(sql: string, values: readonly unknown[] = []) {
    const connection = createStreamingConnection(settingsOf(url));
    for (const statement of SESSION) connection.query(statement);
    const rows = connection.query(sql, [...values]).stream({ highWaterMark: STREAMED_ROWS });
    connection.on('error', (error: Error) => rows.destroy(error));
    try {
      for await (const row of rows) yield row as Row;
    } finally {
      connection.destroy(); // even in the middle of a result
    }
  };

/** Connects to the database at this address. */
export const openReader = async (url: string): Promise<Reader> => {
  const connection = await createConnection(settingsOf(url));
  for (const statement of SESSION) await connection.query(statement);
  return {
    select: async <Row>(sql: string, values: readonly unknown[] = []) => {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values]);
      return rows as Row[];
    },
    stream: streamOver(url),
    close: () => connection.end(),
  };
};
