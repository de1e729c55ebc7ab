import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { uuidv7 } from 'uuidv7';
import type { Clock } from '../process/clock.ts';
import { afterCommit, type Db, type Tx } from '../data/db.ts';
import { failPoint } from '../process/fail-point.ts';
import { currentTraceparent } from '../process/trace.ts';

const wakers = new WeakMap<Db, Set<() => void>>();

/** Calls `wake` after each commit that left facts in this database's outbox. Returns the way to stop. */
export const onEventsCommitted = (db: Db, wake: () => void): (() => void) => {
  const set = wakers.get(db) ?? new Set();
  wakers.set(db, set.add(wake));
  return () => void set.delete(wake);
};

/**
 * Writes a fact in the same transaction as the change it tells of: both become true, or neither. `subject` is the user
 * id. Throws when `data` is not what the fact's schema says. Returns the fact as it will be published.
 */
export const emit = async <Data>(
  tx: Tx,
  type: EventType<Data>,
  { subject, data, clock }: { subject: string; data: Data; clock: Clock },
): Promise<CloudEvent<Data>> => {
  const { value, error } = type.schema.validate(data, { convert: false });
  if (error !== undefined) throw new TypeError(`${type.type}: ${error.message}`);
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
    data: value,
  };
  failPoint('outbox.before_insert');
  await tx.query(
    'INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES (?, ?, ?, ?, ?)',
    [event.id, type.topic, subject, JSON.stringify(event), now],
  );
  afterCommit(tx, () => wakers.get(tx.dataSource)?.forEach((wake) => wake()));
  return event;
};
