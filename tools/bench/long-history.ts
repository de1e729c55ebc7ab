// One user with two million ledger entries beside others, compared with the same without them, on one server and by turns.
import { randomUUID } from 'node:crypto';
import { days } from '@shortlist/contracts/durations';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { TIMELINE_PAGE } from '@shortlist/contracts/limits';
import type { Charges } from '@shortlist/credits/charges/charge-credit';
import { schema } from '@shortlist/credits/db';
import { eraseRemaining, eraseUser } from '@shortlist/credits/erase-user';
import { listHistory, listTimelineEntries } from '@shortlist/credits/ledger/queries';
import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { numbersBelow } from '@shortlist/kit/testing/numbers';
import type { Pool } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { calling, describeTimes, percentile, type Print, timed } from './measure.ts';
import { clock, log } from './surroundings.ts';

/** Ledger entries of the one user. */
const ENTRIES = 2_000_000;
/** Entries of one statement. */
const CHUNK = 200_000;
/** Short and many, since other work of the machine shows in a 99th percentile. */
const ROUNDS = 11;
const SECONDS = 2;
const OTHERS_AT_ONCE = 4;
const TOOLS = [uuidv7(), uuidv7()];

/** A database with its users, and the one who also charges and reads the history all the time. */
type Side = { name: string; db: Db; charges: Charges; users: string[]; busy: string };

const insertEntries = async (pool: Pool, database: string, userId: string): Promise<void> => {
  for (let first = 0; first < ENTRIES; first += CHUNK)
    await pool.query(
      `INSERT INTO ${database}.ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at, client_id)
       SELECT ?, 0, CONCAT('old-', ? + n), -1, IF(n % 3 = 0, 'message_composed', 'email_found'), 0,
         NOW(3) - INTERVAL (? - n) SECOND, IF(n % 2 = 0, ?, ?) FROM ${numbersBelow(CHUNK)}`,
      [userId, first, ENTRIES - first, ...TOOLS],
    );
};

const insertBuckets = async (db: Db, users: readonly string[]): Promise<void> => {
  const [begin, end] = [new Date(Date.now() - 1_000), new Date(Date.now() + days(20))];
  const rows = users.map((userId) => [userId, 'free:0', 'free', 4_000_000_000, 0, begin, end]);
  await db.query(
    'INSERT INTO credit_buckets (user_id, source_key, plan, credit_limit, used, starts_at, ends_at) VALUES ?',
    [rows],
  );
};

const charge = ({ charges }: Side, userId: string, reference?: string): Promise<unknown> =>
  charges.charge({
    userId,
    reason: 'email_found',
    operationId: randomUUID(),
    clientId: null,
    ...(reference !== undefined && { reference }),
  });

/** What the busy user does in turn, with the time that it takes. */
const createBusyUser = (side: Side) => {
  const { busy: userId, db } = side;
  const times: Record<string, number[]> = {};
  const actions: Record<string, () => Promise<unknown>> = {
    'a charge': () => charge(side, userId),
    'a charge of a contact': () => charge(side, userId, randomUUID()),
    'a history page': () => listHistory(db.manager, userId, {}),
    'a timeline page': () =>
      listTimelineEntries(db.manager, { userId, items: 'credits', limit: TIMELINE_PAGE + 1, position: null }),
    'a page by tool and reason': () =>
      listHistory(db.manager, userId, { client: TOOLS[0] ?? '', reason: 'message_composed' }),
    'a page of a past day': () =>
      listHistory(db.manager, userId, {
        to: new Date(Date.now() - days(9)).toISOString().slice(0, 10),
      }),
  };
  return {
    times,
    run: async (untilMs: number): Promise<void> => {
      while (performance.now() < untilMs)
        for (const [name, act] of Object.entries(actions)) (times[name] ??= []).push(await timed(act));
    },
  };
};

/** The 99th percentile of the others' charges while the busy user acts. */
const measureOthers = async (side: Side, run: (untilMs: number) => Promise<void>): Promise<number> => {
  const call = (index: number) => charge(side, side.users[(index * 7919) % side.users.length] ?? '');
  const { measure } = calling(side.name, OTHERS_AT_ONCE, call);
  const [{ p99 }] = await Promise.all([measure(SECONDS), run(performance.now() + SECONDS * 1_000)]);
  return p99;
};

const printRatios = (print: Print, title: string, rounds: readonly (readonly [number, number])[]): void => {
  const ratios = rounds.map(([without, beside]) => beside / without);
  const median = percentile(ratios, 0.5).toFixed(2);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const [without, beside] = [0, 1].map((index) =>
    percentile(
      rounds.map((round) => round[index] ?? 0),
      0.5,
    ).toFixed(1),
  );
  print(`  ${title}: p99 ${beside} ms, without ${without} ms, ratio ${median} (${spread})`);
};

const measureErasing = async (print: Print, alone: Side, beside: Side): Promise<void> => {
  const { db } = beside;
  const event = eventOf(userDeleted, beside.busy, { by: 'user', generation: 1 });
  const handledMs = await timed(() => eraseUser({ db, clock, consumer: 'credits' })(event));
  let isStopped = false;
  const erasing = (async () => {
    while (!isStopped && (await eraseRemaining(db)));
  })();
  const idle = (): Promise<void> => Promise.resolve();
  const rounds: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push([await measureOthers(alone, idle), await measureOthers(beside, idle)]);
  isStopped = true;
  await erasing;
  print(`  its deletion: handled in ${(handledMs / 1_000).toFixed(1)} s, then in the background`);
  printRatios(print, `others’ charges during its deletion`, rounds);
};

/** P18 Compares others' charges beside a user with two million entries, and during the deletion of that user, with those without. */
export const benchLongHistory = async (
  print: Print,
  { url, pool, openCharges }: { url: string; pool: Pool; openCharges: (db: Db) => Charges },
): Promise<void> => {
  const dbs: Db[] = [];
  const open = async (name: string): Promise<Side> => {
    await pool.query(`CREATE DATABASE ${name}`);
    const db = createDb({
      url: Object.assign(new URL(url), { pathname: `/${name}` }).href,
      ...schema,
      poolSize: 32,
    });
    await connect(db, log);
    dbs.push(db);
    const users = Array.from({ length: 500 }, () => uuidv7());
    const busy = uuidv7();
    await insertBuckets(db, [...users, busy]);
    return { name, db, charges: openCharges(db), users, busy };
  };
  try {
    const [alone, beside] = [await open('credits_alone'), await open('credits_beside')];
    const insertMs = await timed(() => insertEntries(pool, beside.name, beside.busy));
    print(`P18 one user with ${ENTRIES} entries, inserted in ${(insertMs / 1_000).toFixed(0)} s`);
    const [ordinary, large] = [createBusyUser(alone), createBusyUser(beside)];
    const rounds: [number, number][] = [];
    for (const [side, { run }] of [[alone, ordinary] as const, [beside, large] as const])
      await measureOthers(side, run);
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await measureOthers(alone, ordinary.run), await measureOthers(beside, large.run)]);
    printRatios(print, 'others’ charges', rounds);
    for (const [name, times] of Object.entries(large.times))
      print(
        `  its own: ${name}: ${describeTimes(times)}; of an ordinary user: ${describeTimes(ordinary.times[name] ?? [])}`,
      );
    await measureErasing(print, alone, beside);
  } finally {
    for (const db of dbs) await db.destroy();
  }
};
