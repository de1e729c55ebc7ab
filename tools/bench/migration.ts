// The migration of credits' two tables of buckets into one, which runs in steps, while charges go on.
import { setTimeout as sleep } from 'node:timers/promises';
import { migrations } from '@shortlist/credits/migrations';
import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { minutes } from '@shortlist/contracts/durations';
import { describeTimes, type Print, timed } from './measure.ts';
import { clock, log, userIdAt, withDatabase } from './surroundings.ts';

const ROWS = Number(process.env.ROWS ?? 10_000_000);
/** Of three rows one is a pack's. */
const PACKS = Math.floor(ROWS / 3);
const WINDOWS = ROWS - PACKS;
const CHUNK = 200_000;
const EVERY_MS = 20;
const MEMORY_MB = 4_096;

const first = migrations.findIndex((migration) => new migration().name?.startsWith('OneTable'));

const inChunks = async (db: Db, count: number, statement: string): Promise<void> => {
  for (let from = 1; from <= count; from += CHUNK)
    await db.query(`${statement} FROM seq_${from}_to_${Math.min(count, from + CHUNK - 1)}`);
};

const fill = async (db: Db): Promise<void> => {
  await inChunks(
    db,
    WINDOWS,
    `INSERT INTO windows (user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     SELECT ${userIdAt('seq')}, CONCAT('in_', seq), 'premium', 500, seq % 400, NOW(3), NOW(3) + INTERVAL 1 MONTH`,
  );
  await inChunks(
    db,
    PACKS,
    `INSERT INTO buckets (user_id, id, kind, credits, usable, used, ends_at, version, created_at)
     SELECT ${userIdAt('seq')}, ${userIdAt(`seq + ${ROWS}`)}, 'pack', 250, 250, seq % 200, NULL, 1, NOW(3)`,
  );
};

/** Charges random windows by the statement of the release before, until the signal. Returns how long each took. */
const chargeUntil = async (db: Db, signal: AbortSignal): Promise<number[]> => {
  const times: number[] = [];
  const charge = 'UPDATE windows SET used = used + 1 WHERE id = ? AND used < credit_limit';
  while (!signal.aborted) {
    const id = 1 + Math.floor(Math.random() * WINDOWS);
    times.push(await timed(() => db.query(charge, [id])));
    await sleep(EVERY_MS);
  }
  return times;
};

/** Times of the migration and of charges meanwhile. ROWS can be set. */
export const benchMigration = (print: Print): Promise<void> =>
  withDatabase(
    { name: 'credits', schema: { entities: [], migrations: migrations.slice(0, first) } },
    async ({ db, url }) => {
      await db.query(`SET GLOBAL innodb_buffer_pool_size = ${MEMORY_MB * 1024 * 1024}`);
      await fill(db);
      const limits = { acquireMs: minutes(1), statementMs: minutes(60) };
      const next = createDb({ url, entities: [], migrations, poolSize: 2, limits });
      const ended = new AbortController();
      const charges = chargeUntil(db, ended.signal);
      const startedAt = clock().getTime();
      await connect(next, log);
      const seconds = (clock().getTime() - startedAt) / 1_000;
      ended.abort();
      const times = await charges;
      const [row] = await next.query<[{ count: string }]>('SELECT COUNT(*) AS count FROM credit_buckets');
      print(
        `${row.count} rows of two tables in one after ${seconds.toFixed(0)} s, ${Math.round(ROWS / seconds)} rows/s`,
      );
      print(
        `  charges meanwhile ${describeTimes(times)}, slowest ${Math.max(...times).toFixed(0)} ms, n ${times.length}`,
      );
      await next.destroy();
    },
  );
