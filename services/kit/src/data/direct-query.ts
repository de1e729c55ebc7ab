import type { DataSource, QueryRunner } from 'typeorm';

type Callback = (error: Error | null, rows: unknown) => void;
type Connection = { query: (sql: string, values: unknown[] | undefined, callback: Callback) => void };

const useDirectQuery = (runner: QueryRunner): QueryRunner => {
  const ordinary = runner.query.bind(runner);
  const direct = async (sql: string, values?: unknown[]): Promise<unknown> => {
    const connection = (await runner.connect()) as Connection;
    return new Promise((resolve, reject) => {
      connection.query(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  };
  const query = (sql: string, values?: unknown[], isStructured = false): Promise<unknown> =>
    isStructured || runner.isReleased ? ordinary(sql, values, true) : direct(sql, values);
  runner.query = query as QueryRunner['query']; // its overloads choose the result type by the third argument
  return runner;
};

/**
 * Sends raw statements directly to the driver. TypeORM's own path costs more than the statement itself, for subscribers and
 * query logs that are not used here (`make bench b=spend`). Statements of its query builder keep the ordinary path.
 */
export const withDirectQueries = (db: DataSource): DataSource => {
  const createQueryRunner = db.createQueryRunner.bind(db);
  db.createQueryRunner = (mode) => useDirectQuery(createQueryRunner(mode));
  return db;
};
