import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { uuidv7 } from 'uuidv7';
import { afterCommit, type Db, type Tx } from '../data/db.ts';
import { change } from '../data/sql.ts';
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
