// A ledger of many rows beside one of a million, on one server and by turns, and the deletion of old entries during charges.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import { LEDGER_DAYS } from '@shortlist/contracts/limits';
import { Charges } from '@shortlist/credits/charges/charge-credit';
import { schema } from '@shortlist/credits/db';
import { pruneLedger } from '@shortlist/credits/ledger/prune-ledger';
import { listHistory } from '@shortlist/credits/ledger/queries';
import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { withDatabaseServer } from '@shortlist/operator/backup/database-server';
import { writeSealed } from '@shortlist/operator/backup/sealed-file';
import { openStore } from '@shortlist/operator/backup/store';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { makeAgeKey } from '../../harness/age-key.ts';
import { saveCeiling } from '../capacity/measured.ts';
import { calling, describeTimes, percentile, type Print, timed } from './measure.ts';
import { clock, log, withDatabase } from './surroundings.ts';

/** Rows of the two ledgers. A row takes about 800 bytes, so 100 million need 100 GB with the space to sort an index. */
const FEW = 1_000_000;
const MANY = Number(process.env.ROWS ?? 10_000_000);
const POOL_MB = Number(process.env.POOL_MB ?? 2_048);
const ENTRIES_OF_USER = 10;
/** Users who charge and read, so many that their pages are not all in memory. */
const ACTIVE = 50_000;
const CHUNK = 1_000_000;
const ROUNDS = 11;
const SECONDS = 3;
const AT_ONCE = 4;
/** The oldest entries, a twentieth, are old enough to be deleted. */
const SPREAD_DAYS = LEDGER_DAYS / 0.95;

type Side = { name: string; db: Db; charges: Charges; users: string[] };

/** Ids in no order, as those of users who charge at a time are. */
const userIdAt = (index: string): string =>
  `CONCAT(LEFT(MD5(${index}), 8), '-0000-7000-8000-', LPAD(HEX(${index}), 12, '0'))`;

type Index = RowDataPacket & { name: string; isUnique: number; columns: string };

/** Each index is sorted at once over all rows: to add each row to every index would take hours. */
const withoutIndexes = async (admin: Connection, work: () => Promise<void>): Promise<void> => {
  const [indexes] = await admin.query<Index[]>(
    `SELECT index_name AS name, MIN(non_unique) = 0 AS isUnique, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS columns
     FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 'ledger' AND index_name <> 'PRIMARY'
     GROUP BY index_name`,
  );
  for (const { name } of indexes) await admin.query(`ALTER TABLE ledger DROP INDEX ${name}`);
  await work();
  for (const { name, isUnique, columns } of indexes)
    await admin.query(`ALTER TABLE ledger ADD ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} (${columns})`);
};

const fill = async (admin: Connection, rows: number): Promise<void> => {
  const users = rows / ENTRIES_OF_USER;
  for (let first = 1; first <= rows; first += CHUNK)
    await admin.query(
      `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at, client_id)
       SELECT ${userIdAt(`seq % ${users}`)}, seq % ${users} + 1, CONCAT(LEFT(MD5(-seq), 24), LPAD(HEX(seq), 12, '0')), -1,
         IF(seq % 3 = 0, 'message_composed', 'email_found'), 1, NOW(3) - INTERVAL ${days(SPREAD_DAYS) / 1_000} * (1 - seq / ${rows}) SECOND,
         IF(seq % 2 = 0, NULL, '01900000-0000-7000-8000-000000000001')
       FROM seq_${first}_to_${Math.min(rows, first + CHUNK - 1)}`,
    );
};

const insertBuckets = async (admin: Connection, rows: number): Promise<string[]> => {
  const all = rows / ENTRIES_OF_USER;
  const step = Math.max(1, Math.floor(all / ACTIVE));
  await admin.query(
    `INSERT INTO credit_buckets (user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     SELECT ${userIdAt('seq')}, 'free:0', 'free', 4000000000, 0, NOW(3) - INTERVAL 1 SECOND, NOW(3) + INTERVAL 20 DAY
     FROM seq_0_to_${all - 1}_step_${step}`,
  );
  const [users] = await admin.query<(RowDataPacket & { id: string })[]>(
    'SELECT user_id AS id FROM credit_buckets ORDER BY MD5(user_id)',
  );
  return users.map(({ id }) => id);
};

const charging = ({ name, charges, users }: Side) =>
  calling(name, AT_ONCE, (index) =>
    charges.charge({
      userId: users[index % users.length] ?? '',
      reason: 'email_found',
      operationId: randomUUID(),
      clientId: null,
    }),
  );
const reading = ({ name, db, users }: Side) =>
  calling(name, AT_ONCE, (index) => listHistory(db.manager, users[index % users.length] ?? '', {}));

/** The 99th percentiles of one round, with and without what is measured. */
type Rounds = { with: number; without: number }[];

const printRatio = (print: Print, title: string, rounds: Rounds): void => {
  const median = (values: number[]): string => percentile(values, 0.5).toFixed(2);
  const ratios = rounds.map((round) => round.with / round.without);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const times = `p99 ${median(rounds.map((round) => round.with))} ms, otherwise ${median(rounds.map(({ without }) => without))} ms`;
  print(`  ${title}: ${times}, ratio ${median(ratios)} (${spread})`);
};

type Measure = { title: string; subject: typeof charging; sides: readonly [Side, Side] };

const compare = async (print: Print, { title, subject, sides }: Measure): Promise<void> => {
  const [few, many] = [subject(sides[0]), subject(sides[1])];
  for (const side of [few, many]) await side.measure(SECONDS);
  const rounds: Rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { p99 } = await few.measure(SECONDS);
    rounds.push({ without: p99, with: (await many.measure(SECONDS)).p99 });
  }
  printRatio(print, title, rounds);
};

/** Charges while old entries are deleted as credits deletes them, by turns with charges alone. */
const comparePruning = async (print: Print, side: Side): Promise<void> => {
  const { measure } = charging(side);
  const batches: number[] = [];
  const rounds: Rounds = [];
  let isMore = true;
  for (let round = 0; round < ROUNDS && isMore; round += 1) {
    const { p99 } = await measure(SECONDS);
    let isOver = false;
    const pruning = (async () => {
      while (isMore && !isOver) {
        const batchMs = await timed(async () => (isMore = await pruneLedger(side.db, clock)));
        batches.push(batchMs);
        await sleep(batchMs); // as credits does
      }
    })();
    const during = await measure(SECONDS);
    isOver = true;
    await pruning;
    rounds.push({ without: p99, with: during.p99 });
  }
  printRatio(print, `charges while old entries are deleted (a batch: ${describeTimes(batches)})`, rounds);
};

/** The dump of the large ledger, as a backup writes it, while charges go on. */
const compareBackup = async (print: Print, side: Side, url: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'shortlist-bench-'));
  const signal = AbortSignal.timeout(hours(2));
  const { measure } = charging(side);
  try {
    const keyFile = join(folder, 'key.txt');
    const recipient = await makeAgeKey(keyFile);
    const { env } = process;
    const store = openStore(folder, { env, signal });
    const rest: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rest.push((await measure(SECONDS)).p99);
    const during: number[] = [];
    const startedAt = performance.now();
    let isOver = false;
    const backingUp = withDatabaseServer({ url, env, signal }, (server) =>
      writeSealed({ env, signal, store, recipients: [recipient] }, 'many.age', (target, limit) => {
        const dump = server.start('mariadb-dump', ['--single-transaction', '--quick', side.name], limit);
        dump.stdin.end();
        return [dump.ended, pipeline(dump.stdout, target, { signal: limit })];
      }),
    ).finally(() => (isOver = true));
    while (!isOver) during.push((await measure(SECONDS)).p99);
    const { bytes } = await backingUp;
    const took = ((performance.now() - startedAt) / 1_000).toFixed(0);
    print(`  a backup of the large ledger: ${took} s, ${(bytes / 1024 ** 2).toFixed(0)} MB`);
    const without = percentile(rest, 0.5);
    printRatio(
      print,
      'charges meanwhile',
      during.map((p99) => ({ with: p99, without })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
};

const open = async (url: string, name: string, rows: number): Promise<Side> => {
  const admin = await createConnection({ uri: url, timezone: 'Z' });
  await admin.query(`CREATE DATABASE ${name}`);
  const of = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const limits = { acquireMs: minutes(1), statementMs: minutes(1) };
  const db = createDb({ url: of, ...schema, poolSize: 16, limits });
  await connect(db, log);
  await admin.query(`USE ${name}`);
  await withoutIndexes(admin, () => fill(admin, rows));
  const users = await insertBuckets(admin, rows);
  await admin.query('ANALYZE TABLE ledger, credit_buckets');
  await admin.end();
  return { name, db, charges: new Charges(db, clock, log, () => Promise.resolve()), users };
};

const sizeOf = async ({ db, name }: Side): Promise<number> => {
  const [size] = await db.query<[{ bytes: string }]>(
    `SELECT data_length + index_length AS bytes FROM information_schema.tables WHERE table_schema = '${name}' AND table_name = 'ledger'`,
  );
  return Number(size.bytes);
};

/** The server has a buffer pool of a fraction of the large ledger, and flushes at each commit once the rows are there. */
const SETTINGS = [`innodb_buffer_pool_size = ${POOL_MB * 1024 * 1024}`, 'innodb_log_file_size = 2147483648'];

/** Compares charges and pages of the history with those of a ledger of a million rows, then charges with and without the deletion. */
export const benchLedger = (print: Print): Promise<void> =>
  withDatabase({ name: 'credits', schema }, async ({ backing: { databaseAdminUrl: url } }) => {
    const server = await createConnection(url);
    for (const setting of [...SETTINGS, 'innodb_flush_log_at_trx_commit = 2'])
      await server.query(`SET GLOBAL ${setting}`);
    const few = await open(url, 'few', FEW);
    const startedAt = performance.now();
    const many = await open(url, 'many', MANY);
    const minutesTaken = (performance.now() - startedAt) / minutes(1);
    await server.query('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    await server.end();
    const gigabytes = ((await sizeOf(many)) / 1024 ** 3).toFixed(1);
    print(
      `a ledger of ${MANY} rows, ${gigabytes} GB, filled in ${minutesTaken.toFixed(0)} minutes, beside one of ${FEW}`,
    );
    try {
      const sides = [few, many] as const;
      await compare(print, { title: 'charges', subject: charging, sides });
      await compare(print, { title: 'pages of the history', subject: reading, sides });
      await comparePruning(print, many);
      await compareBackup(print, many, url);
      await saveCeiling('ledgerRowsTried', 'SAVE=yes make bench b=ledger', MANY);
    } finally {
      await few.db.destroy();
      await many.db.destroy();
    }
  });
