import { type Connection, createConnection as createStreamingConnection } from 'mysql2';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { parseDatabaseUrl } from './variables.ts';

/** Rows buffered for the caller of a stream. */
const STREAMED_ROWS = 100;

/** A read-only connection for operators' programs; the caller states the type of the rows. */
export type Reader = {
  select: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Yields rows as the server sends them, a few in memory at a time, over another connection than `select`, which works in the meantime. */
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
const openStreams = (url: string): Pick<Reader, 'stream' | 'close'> => {
  /** Connections whose results were read to their end. */
  const idle = new Set<Connection>();
  const connect = (): Connection => {
    const connection = createStreamingConnection(settingsOf(url));
    connection.on('error', () => idle.delete(connection));
    for (const statement of SESSION) connection.query(statement);
    return connection;
  };
  const take = (): Connection => {
    const [connection = connect()] = idle;
    idle.delete(connection);
    return connection;
  };
  return {
    stream: async function* <Row>(sql: string, values: readonly unknown[] = []) {
      const connection = take();
      const rows = connection.query(sql, [...values]).stream({ highWaterMark: STREAMED_ROWS });
      const fail = (error: Error): void => void rows.destroy(error);
      connection.on('error', fail);
      let isComplete = false;
      try {
        for await (const row of rows) yield row as Row;
        isComplete = true;
      } finally {
        connection.off('error', fail);
        if (isComplete) idle.add(connection);
        else connection.destroy(); // in the middle of a result
      }
    },
    close: async () => {
      await Promise.all([...idle].map((connection) => connection.promise().end()));
    },
  };
};

/** Connects to the database at this address. */
export const openReader = async (url: string): Promise<Reader> => {
  const connection = await createConnection(settingsOf(url));
  for (const statement of SESSION) await connection.query(statement);
  const streams = openStreams(url);
  return {
    select: async <Row>(sql: string, values: readonly unknown[] = []) => {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values]);
      return rows as Row[];
    },
    stream: streams.stream,
    close: async () => {
      await streams.close();
      await connection.end();
    },
  };
};
