import type { Fact, FactType } from '@shortlist/contracts/events/define';
import { uuidv7 } from 'uuidv7';
import type { Clock } from './clock.ts';
import { afterCommit, type Db, type Tx } from './db.ts';
import { failPoint } from './fail-point.ts';
import { currentTraceparent } from './trace.ts';

const wakers = new WeakMap<Db, Set<() => void>>();

/** Calls `wake` after each commit that left facts in this database's outbox. Returns the way to stop. */
export const onFactsCommitted = (db: Db, wake: () => void): (() => void) => {
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
  type: FactType<Data>,
  { subject, data, clock }: { subject: string; data: Data; clock: Clock },
): Promise<Fact<Data>> => {
  const { value, error } = type.schema.validate(data, { convert: false });
  if (error !== undefined) throw new TypeError(`${type.type}: ${error.message}`);
  const now = clock();
  const fact: Fact<Data> = {
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
    [fact.id, type.topic, subject, JSON.stringify(fact), now],
  );
  afterCommit(tx, () => wakers.get(tx.dataSource)?.forEach((wake) => wake()));
  return fact;
};
