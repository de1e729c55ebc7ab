import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { Bus } from '@shortlist/kit/messaging/bus';
import type { Redis } from '@shortlist/kit/data/redis';

/** The sources of the auditor: every database, the provider, the topics and the sessions. The auditor only reads them. */
export type Sources = {
  db: Connection;
  sandboxUrl: string;
  stripeKey: string;
  bus: Bus;
  sessions: Redis;
  now: Date;
};

/** A violated invariant, with the ids that show it. */
export type Breach = { invariant: string; detail: string };
export type Invariant = (sources: Sources) => Promise<Breach[]>;

export const select = async <Row>(db: Connection, sql: string, values: unknown[] = []): Promise<Row[]> => {
  const [rows] = await db.query<RowDataPacket[]>(sql, values);
  return rows as Row[];
};

/** Returns one breach for each row of a query, described by `describe`. */
export const breachesOf = async <Row>(
  db: Connection,
  {
    invariant,
    sql,
    values = [],
    describe,
  }: { invariant: string; sql: string; values?: unknown[]; describe: (row: Row) => string },
): Promise<Breach[]> =>
  (await select<Row>(db, sql, values)).map((row) => ({ invariant, detail: describe(row) }));
