import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { uuidv7 } from 'uuidv7';
import { afterCommit, type Db, type Tx } from '../data/db.ts';
import { change, changeInChunks } from '../data/sql.ts';
import type { Clock } from '../process/clock.ts';
import { failPoint } from '../process/fail-point.ts';
import { currentTraceparent } from '../process/trace.ts';

const listeners = new WeakMap<Db, Set<() => void>>();

/** Calls `listener` after each commit that added events to this database's outbox. Returns a function that stops it. */
export const onEventsCommitted = (db: Db, listener: () => void): (() => void) => {
  const ofDb = listeners.get(db) ?? new Set();
  listeners.set(db, ofDb.add(listener));
  return () => void ofDb.delete(listener);
};

/**
 * Adds an event to the outbox, in the transaction of the change that it reports: both are committed, or neither. `subject` is
 * the user id. Returns the event as it will be published. Throws a TypeError when `data` does not match the event's schema.
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
 * Has the relay publish the events again that were published from `since` to `until`, for a broker that has lost its topics: oldest
 * first, under the same ids, so that inboxes ignore those that were handled. `until` keeps out what the relay publishes meanwhile.
 * Returns how many they are.
 */
export const republishEvents = (db: Db, { since, until }: { since: Date; until: Date }): Promise<number> =>
  changeInChunks(db, {
    sql: 'UPDATE outbox SET published_at = NULL WHERE published_at >= ? AND published_at <= ? ORDER BY id LIMIT ?',
    values: [since, until],
  });

/** Days after which a published event is deleted: in the outbox, and on its topic. Some events name a person (decision 26). */
export const EVENT_DAYS = 7;
