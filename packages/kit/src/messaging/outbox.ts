import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import type { QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { afterCommit, type Db, type Tx } from '../data/db.ts';
import { releaseLock, takeLock } from '../data/named-lock.ts';
import {
  change,
  changeInChunks,
  instant,
  integer,
  type RowOf,
  selectRow,
  selectRows,
  text,
} from '../data/sql.ts';
import type { Clock } from '../process/clock.ts';
import { outboxAge, outboxRows } from '../process/declared-metrics.ts';
import { failPoint } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { settleAll } from '../process/settle-all.ts';
import { currentTraceparent } from '../process/trace.ts';
import type { Bus } from './bus.ts';
import { startPublication } from './event-spans.ts';

const listeners = new WeakMap<Db, Set<() => void>>();

/** Calls `listener` after each commit that added events to this database's outbox. Returns a function that stops it. */
export const onEventsCommitted = (db: Db, listener: () => void): (() => void) => {
  const ofDb = listeners.get(db) ?? new Set();
  listeners.set(db, ofDb.add(listener));
  return () => void ofDb.delete(listener);
};

/**
 * Adds an event to the outbox in the transaction of the change that it reports, so that both are committed or neither. `subject` is the user
 * id. Returns the event as it will be published. Throws a TypeError when `data` does not match the event's schema.
 */
export const emit = async <Data>(
  tx: Tx,
  type: EventType<Data>,
  { subject, data, clock }: { subject: string; data: Data; clock: Clock },
): Promise<CloudEvent<Data>> => {
  const result = type.schema.validate(data, { convert: false });
  if (result.error !== undefined) throw new TypeError(`${type.type}: ${result.error.message}`);
  const now = clock();
  const event: CloudEvent<Data> = {
    specversion: '1.0',
    id: uuidv7(),
    source: `/${type.emitter}`,
    type: type.type,
    subject,
    time: now.toISOString(),
    datacontenttype: 'application/json',
    traceparent: currentTraceparent(),
    data: result.value,
  };
  failPoint('outbox.before_insert');
  // Hot: part of every change.
  await change(tx, {
    sql: 'INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES (?, ?, ?, ?, ?)',
    values: [event.id, type.topic, subject, JSON.stringify(event), now],
  });
  afterCommit(tx, () => listeners.get(tx.dataSource)?.forEach((listener) => listener()));
  return event;
};

/** The statements that create the outbox (events to publish) and the inbox (events already handled) of a service's database. */
export const OUTBOX_AND_INBOX: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS outbox (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    event_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    topic VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_key VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    published_at DATETIME(3) NULL,
    UNIQUE KEY outbox_event (event_id),
    KEY outbox_unsent (published_at, id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS inbox (
    consumer VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    handled_at DATETIME(3) NOT NULL,
    PRIMARY KEY (consumer, event_id),
    KEY inbox_handled (handled_at)
  ) ENGINE=InnoDB`,
];

/**
 * Makes the relay republish the events that were published from `since` to `until`, for a broker that has lost its topics: oldest first, under
 * the same ids, so that inboxes ignore those already handled. `until` excludes what the relay publishes in the meantime. Returns their number.
 */
export const republishEvents = (db: Db, { since, until }: { since: Date; until: Date }): Promise<number> =>
  changeInChunks(db, {
    sql: 'UPDATE outbox SET published_at = NULL WHERE published_at >= ? AND published_at <= ? ORDER BY id LIMIT ?',
    values: [since, until],
  });

// The relay publishes the outbox. One is active per database.

type RelayParts = {
  db: Db;
  bus: Bus;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  pollMs?: number;
};

const outboxRow = { id: integer, topic: text, key: text, payload: text };
type OutboxRow = RowOf<typeof outboxRow>;
/** `emit` wrote the payload. */
type OutboxEvent = OutboxRow & { event: CloudEvent<unknown> };

const BATCH = 500;
/** Commits wake the relay; polling finds the events of other processes. */
const POLL_MS = 1_000;
/** After several events at once, more usually follow: they wait this long to be published together, with one request and one commit. */
const GATHER_MS = 25;
const MAX_DELAY_MS = 5_000;

const LOCK = 'relay';
const LOCK_WAIT_SECONDS = 1;

/** Takes the lock that makes this connection the only active relay of its database; null while another has it. */
const acquireRelayLock = async (db: Db): Promise<QueryRunner | null> => {
  const runner = db.createQueryRunner();
  try {
    if (await takeLock(runner, LOCK, LOCK_WAIT_SECONDS)) return runner;
    await runner.release();
    return null;
  } catch (error) {
    await runner.release().catch(() => undefined);
    throw error;
  }
};

const releaseRelayLock = async (runner: QueryRunner | null): Promise<void> => {
  if (runner === null) return;
  await releaseLock(runner, LOCK);
  await runner.release().catch(() => undefined);
};

const publish = async (bus: Bus, rows: readonly OutboxEvent[]): Promise<void> => {
  for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
    const publications = ofTopic.map(startPublication);
    await bus.publish(
      topic,
      publications.map(({ message }) => message),
    );
    // A failed attempt is repeated but not recorded: an outage of the broker would fill the traces.
    for (const { span } of publications) span?.end();
  }
};

/** The oldest unsent rows in id order, except those being published. Hot: once per batch. */
const readUnsent = async (runner: QueryRunner, publishing: readonly OutboxRow[]): Promise<OutboxEvent[]> => {
  const rows = await selectRows(runner, outboxRow, {
    sql: `SELECT id, topic, message_key AS \`key\`, payload FROM outbox WHERE published_at IS NULL
     ${publishing.length > 0 ? 'AND id NOT IN (?)' : ''} ORDER BY id LIMIT ?`,
    values: publishing.length > 0 ? [publishing.map(({ id }) => id), BATCH] : [BATCH],
  });
  return rows.map((row) => ({ ...row, event: JSON.parse(row.payload) as CloudEvent<unknown> }));
};

const markPublished = async (
  runner: QueryRunner,
  rows: readonly OutboxEvent[],
  { clock, metrics }: RelayParts,
): Promise<void> => {
  if (rows.length === 0) return;
  await change(runner, {
    sql: 'UPDATE outbox SET published_at = ? WHERE id IN (?)',
    values: [clock(), rows.map(({ id }) => id)],
  });
  for (const [type, { length }] of Map.groupBy(rows, ({ event }) => event.type))
    metrics.relaySent.inc({ type }, length);
};

/**
 * Publishes the unsent rows in id order and marks them. After a crash in between, they are published again under the same ids.
 * While a full batch is published, the previous one is marked and the next is read. Returns the number of rows.
 */
const relayUnsent = async (
  runner: QueryRunner,
  parts: RelayParts,
  isStopped: () => boolean,
): Promise<number> => {
  let published: OutboxEvent[] = [];
  let count = 0;
  for (let rows = await readUnsent(runner, []); rows.length > 0;) {
    const batch = rows;
    const previous = published;
    const markAndRead = async (): Promise<OutboxEvent[]> => {
      await markPublished(runner, previous, parts);
      return batch.length < BATCH || isStopped() ? [] : readUnsent(runner, batch);
    };
    failPoint('relay.before_publish');
    [, rows] = await settleAll([publish(parts.bus, batch), markAndRead()]);
    failPoint('relay.after_publish');
    published = batch;
    count += batch.length;
  }
  await markPublished(runner, published, parts);
  return count;
};

export const countUnsent = async (db: Db): Promise<number> => {
  const sql = 'SELECT COUNT(*) AS unsent FROM outbox WHERE published_at IS NULL';
  return (await selectRow(db, { unsent: integer }, { sql }))?.unsent ?? 0;
};

/** In seconds; 0 without an unsent row. */
export const ageOfOldest = async ({ db, clock }: Pick<RelayParts, 'db' | 'clock'>): Promise<number> => {
  const sql = 'SELECT created_at AS createdAt FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 1';
  const oldest = await selectRow(db, { createdAt: instant }, { sql });
  return oldest === null ? 0 : Math.max(0, (clock().getTime() - oldest.createdAt.getTime()) / 1_000);
};

/** Publishes the outbox of a database in order. After any failure it retries, without limit, and loses nothing. */
export const startRelay = (parts: RelayParts): { stop: () => Promise<void> } => {
  const { db, log, metrics, pollMs = POLL_MS } = parts;
  let stopped = false;
  let wakeUp = Promise.withResolvers<void>();
  const wake = (): void => wakeUp.resolve();
  const stopListening = onEventsCommitted(db, wake);
  let failures = 0;
  metrics.gauge(outboxRows, () => countUnsent(db));
  metrics.gauge(outboxAge, () => ageOfOldest(parts));

  const drain = async (runner: QueryRunner): Promise<void> => {
    while (!stopped) {
      wakeUp = Promise.withResolvers();
      const count = await relayUnsent(runner, parts, () => stopped);
      failures = 0;
      if (count === 0) await Promise.race([wakeUp.promise, sleep(pollMs, undefined, { ref: false })]);
      if (count > 1) await sleep(GATHER_MS);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      let runner: QueryRunner | null = null;
      try {
        runner = await acquireRelayLock(db);
        if (runner === null) continue;
        await drain(runner);
      } catch (error) {
        failures += 1;
        metrics.relayFailures.inc();
        if (failures === 1 || failures % 20 === 0)
          log.warn({ err: error, failures }, 'outbox not published; retrying');
        await sleep(Math.min(100 * 2 ** failures, MAX_DELAY_MS));
      } finally {
        await releaseRelayLock(runner);
      }
    }
  };

  const running = run();
  return {
    stop: async () => {
      stopped = true;
      wake();
      stopListening();
      await running;
    },
  };
};
