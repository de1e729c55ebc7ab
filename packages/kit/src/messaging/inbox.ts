import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { type Db, inTransaction, isDuplicate, type Tx } from '../data/db.ts';
import { change, integer, selectRow, selectRows, text } from '../data/sql.ts';
import type { Clock } from '../process/clock.ts';
import { failPoint } from '../process/fail-point.ts';
import { type EventEffect, type EventHandler, on } from './handle-batch.ts';

/** The inbox of one consumer. */
export type Inbox = { db: Db; consumer: string; clock: Clock };

// Hot: one insert for each consumed event, or for a batch of them.
const insertRows = (tx: Tx, rows: readonly (readonly unknown[])[]): Promise<unknown> =>
  change(tx, { sql: 'INSERT INTO inbox (consumer, event_id, handled_at) VALUES ?', values: [rows] });

const wasHandled = async (db: Db, consumer: string, eventId: string): Promise<boolean> => {
  const sql = 'SELECT 1 AS found FROM inbox WHERE consumer = ? AND event_id = ?';
  return (await selectRow(db, { found: integer }, { sql, values: [consumer, eventId] })) !== null;
};

/** Of these events, those that the consumer has not handled. */
export const listUnhandled = async (
  db: Db,
  consumer: string,
  eventIds: readonly string[],
): Promise<string[]> => {
  if (eventIds.length === 0) return [];
  const sql = 'SELECT event_id AS id FROM inbox WHERE consumer = ? AND event_id IN (?)';
  const rows = await selectRows(db, { id: text }, { sql, values: [consumer, eventIds] });
  const handled = new Set(rows.map(({ id }) => id));
  return eventIds.filter((id) => !handled.has(id));
};

/** Adds events to a consumer's inbox without handling them. Those that it has stay as they are. */
export const addHandled = async (
  { db, consumer, clock }: Inbox,
  eventIds: readonly string[],
): Promise<void> => {
  if (eventIds.length === 0) return;
  const rows = eventIds.map((id) => [consumer, id, clock()]);
  const sql = 'INSERT IGNORE INTO inbox (consumer, event_id, handled_at) VALUES ?';
  await change(db, { sql, values: [rows] });
};

/**
 * Handles an event once: its id and its effect are written in one transaction, so a redelivery finds the id and changes
 * nothing. Returns whether this was the first time.
 */
export const handleOnce = async <Data>(
  { db, consumer, clock }: Inbox,
  event: CloudEvent<Data>,
  effect: (tx: Tx, event: CloudEvent<Data>) => Promise<void>,
): Promise<boolean> => {
  try {
    await inTransaction(db, async (tx) => {
      await insertRows(tx, [[consumer, event.id, clock()]]);
      await effect(tx, event);
      failPoint('inbox.before_commit');
    });
    return true;
  } catch (error) {
    if (isDuplicate(error) && (await wasHandled(db, consumer, event.id))) return false;
    throw error;
  }
};

/**
 * Handles several events in one transaction, in order. Throws without writing anything if an effect fails or one of the events was handled before.
 */
const handleAllOnce = async (
  { db, consumer, clock }: Inbox,
  events: readonly EventEffect[],
): Promise<void> => {
  await inTransaction(db, async (tx) => {
    const now = clock();
    await insertRows(
      tx,
      events.map(({ event }) => [consumer, event.id, now]),
    );
    for (const { event, effect } of events) await effect(tx, event);
    failPoint('inbox.before_commit');
  });
};

/** A handler that changes the database, exactly once, in one transaction with the event's inbox row. */
export const onOnce =
  (inbox: Inbox) =>
  <Data>(
    event: EventType<Data>,
    effect: (tx: Tx, event: CloudEvent<Data>) => Promise<void>,
  ): EventHandler => ({
    ...on(event, (received) => handleOnce(inbox, received, effect)),
    batch: { inbox, effect, handleAll: (effects) => handleAllOnce(inbox, effects) },
  });
