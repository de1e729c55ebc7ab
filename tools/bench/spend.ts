import { randomUUID } from 'node:crypto';
import { days } from '@shortlist/contracts/durations';
// It measures the action beside its bare statements, so no endpoint stands between.
import { bucketEntity } from '@shortlist/credits/buckets/bucket.entity';
import { Charges } from '@shortlist/credits/charges/charge-credit';
import { schema } from '@shortlist/credits/db';
import { ledgerEntryEntity } from '@shortlist/credits/ledger/queries';
import * as column from '@shortlist/kit/data/columns';
import type { Db } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';
import { createPool, type Pool, type ResultSetHeader } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { saveCeiling } from '../capacity/measured.ts';
import { benchLongHistory } from './long-history.ts';
import { calling, measureInTurns, type Print, printCompared, rateOf } from './measure.ts';
import { clock, log, withDatabase } from './surroundings.ts';

const USERS = 2_000;
const LIMIT = 4_000_000_000;
const SOURCE = 'SAVE=yes make bench b=spend';
/** As long as the event of a charge. */
const PAYLOAD = `{"padding":"${'x'.repeat(420)}"}`;

type Bucket = { id: number; userId: string };
type Charge = (bucket: Bucket) => Promise<unknown>;

const seedBuckets = async (db: Db): Promise<Bucket[]> => {
  const [begin, end] = [new Date(Date.now() - 1_000), new Date(Date.now() + days(20))];
  const rows = Array.from({ length: USERS }, (_, index) => [
    uuidv7(),
    `free:${index}`,
    'free',
    LIMIT,
    0,
    begin,
    end,
  ]);
  await db.query(
    'INSERT INTO credit_buckets (user_id, source_key, plan, credit_limit, used, starts_at, ends_at) VALUES ?',
    [rows],
  );
  return db.query('SELECT id, user_id AS userId FROM credit_buckets');
};

/** Only the three statements, with the bare driver: the limit of the database itself. */
const chargeBare =
  (pool: Pool): Charge =>
  async ({ id, userId }) => {
    const connection = await pool.getConnection();
    try {
      await connection.query('START TRANSACTION');
      const now = clock();
      const [updated] = await connection.query<ResultSetHeader>(
        'UPDATE credit_buckets SET used = LAST_INSERT_ID(used + 1) WHERE id = ? AND used < credit_limit AND starts_at <= ? AND ends_at > ?',
        [id, now, now],
      );
      await connection.query(
        'INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at) VALUES (?, ?, ?, -1, ?, NULL, ?, ?)',
        [userId, id, randomUUID(), 'email_found', updated.insertId, now],
      );
      await connection.query(
        'INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES (?, ?, ?, ?, ?)',
        [uuidv7(), 'credits.events', userId, PAYLOAD, now],
      );
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
  };

const outboxEntity = defineEntity('bench_outbox', 'outbox', {
  id: { ...column.bigint, primary: true, generated: 'increment' },
  eventId: column.uuid,
  topic: column.varchar(100),
  key: { ...column.varchar(100), name: 'message_key' },
  payload: column.text,
  createdAt: column.dateTime,
});

/** TypeORM with default settings, without the optimisations of `createDb`. */
const openPlainTypeorm = (url: string): Promise<Db> => {
  const entities = [...schema.entities, outboxEntity];
  return new DataSource({ type: 'mysql', url, entities, timezone: 'Z', poolSize: 32 }).initialize();
};

/** The usual way with entities: lock a row, change it, then save three entities. */
const chargeBySaving =
  (db: Db): Charge =>
  ({ id }) =>
    db.transaction(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const bucket = await tx.findOneOrFail(bucketEntity, { where: { id }, lock });
      bucket.used += 1;
      await tx.save(bucketEntity, bucket);
      const { userId, used: usedAfter } = bucket;
      const [createdAt, operationId] = [clock(), randomUUID()];
      const entry = {
        userId,
        bucketId: id,
        operationId,
        amount: -1,
        reason: 'email_found',
        usedAfter,
        createdAt,
      };
      await tx.save(ledgerEntryEntity, entry);
      const event = { eventId: uuidv7(), topic: 'credits.events', key: userId, payload: PAYLOAD, createdAt };
      await tx.save(outboxEntity, event);
    });

const openCharges = (db: Db): Charges => new Charges(db, clock, log, () => Promise.resolve());

const charging = (db: Db): Charge => {
  const charges = openCharges(db);
  return ({ userId }) =>
    charges.charge({ userId, reason: 'email_found', operationId: randomUUID(), clientId: null });
};

/** P6 Compares a charge with its three bare statements and with save(). P7 does the same for the row of one user. Then P18. */
export const benchSpend = (print: Print): Promise<void> =>
  withDatabase({ name: 'credits', schema }, async ({ db, url }) => {
    const plain = await openPlainTypeorm(url);
    const pool = createPool({ uri: url, connectionLimit: 32, timezone: 'Z' });
    const buckets = await seedBuckets(db);
    const compare = async (title: string, atOnce: number, users: number): Promise<number> => {
      const subject = (name: string, charge: Charge) =>
        calling(name, atOnce, (index) => charge(buckets[(index * 7919) % users] as Bucket));
      const measured = await measureInTurns([
        subject('mysql2, three statements', chargeBare(pool)),
        subject('credits: a charge', charging(db)),
        subject('TypeORM lock and save()', chargeBySaving(plain)),
      ]);
      printCompared(print, `${title}, ${atOnce} concurrent`, measured);
      const [, charge, entities] = measured;
      if (charge && entities)
        print(`  a charge / save() = ${(rateOf(charge) / rateOf(entities)).toFixed(2)}`);
      return charge === undefined ? 0 : rateOf(charge);
    };
    try {
      await compare('P6 many users', 1, USERS);
      const perSecond = await compare('P6 many users', 32, USERS);
      await saveCeiling('chargesPerSecond', SOURCE, perSecond);
      await compare('P7 one user', 32, 1);
      await benchLongHistory(print, { url, pool, openCharges });
    } finally {
      await pool.end();
      await plain.destroy();
    }
  });
