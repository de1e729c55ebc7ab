// Named locks of the database server, for work that only one process at a time may do. A lock belongs to a connection and ends with it: when a
// process dies, the lock is free at once, without depending on a clock. Each database has its own names.
import type { DataSource, QueryRunner } from 'typeorm';

/** Takes a lock for this connection. Returns false if another connection still has it after the wait. */
export const takeLock = async (runner: QueryRunner, name: string, waitSeconds = 0): Promise<boolean> => {
  const sql = "SELECT GET_LOCK(CONCAT(?, ':', DATABASE()), ?) AS acquired";
  const [row] = (await runner.query(sql, [name, waitSeconds])) as { acquired: number | null }[];
  return row?.acquired === 1;
};

/** Releases the lock. If that fails, the connection is lost, and the lock with it. */
export const releaseLock = async (runner: QueryRunner, name: string): Promise<void> => {
  await runner.query("SELECT RELEASE_LOCK(CONCAT(?, ':', DATABASE()))", [name]).catch(() => undefined);
};

/**
 * Runs `work` while one of the pool's connections has the lock. Returns false without running it if another connection has the lock, in this or
 * another process.
 */
export const withLock = async (
  db: Pick<DataSource, 'createQueryRunner'>,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> => {
  const runner = db.createQueryRunner();
  try {
    if (!(await takeLock(runner, name))) return false;
    try {
      await work();
    } finally {
      await releaseLock(runner, name);
    }
    return true;
  } finally {
    await runner.release();
  }
};
