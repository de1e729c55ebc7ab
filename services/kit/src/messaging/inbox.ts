import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Clock } from '../process/clock.ts';
import { failPoint } from '../process/fail-point.ts';
import { type Db, inTransaction, isDuplicate, type Tx } from '../data/db.ts';

export type HandleOnceContext = { db: Db; consumer: string; clock: Clock };

/** Days for which a repeated fact is recognised; longer than any topic keeps its messages. */
export const INBOX_DAYS = 30;

/**
 * Hears a fact once: its id and its effect are written in one transaction, so a redelivery finds the id and changes
 * nothing. Answers whether this was the first time.
 */
export const handleOnce = async <Data>(
  { db, consumer, clock }: HandleOnceContext,
  event: CloudEvent<Data>,
  effect: (tx: Tx, event: CloudEvent<Data>) => Promise<void>,
): Promise<boolean> => {
  try {
    await inTransaction(db, async (tx) => {
      await tx.query('INSERT INTO inbox (consumer, event_id, handled_at) VALUES (?, ?, ?)', [
        consumer,
        event.id,
        clock(),
      ]);
      await effect(tx, event);
      failPoint('inbox.before_commit');
    });
    return true;
  } catch (error) {
    if (isDuplicate(error) && (await wasHandled(db, consumer, event.id))) return false;
    throw error;
  }
};

export type EventEffect = {
  event: CloudEvent<never>;
  effect: (tx: Tx, event: CloudEvent<never>) => Promise<void>;
};

/**
 * Hears several facts in one transaction, each once, their effects in order: one commit for all of them. Fails with nothing
 * written when an effect fails or one of them was heard before.
 */
export const handleAllOnce = async (
  { db, consumer, clock }: HandleOnceContext,
  events: readonly EventEffect[],
): Promise<void> => {
  await inTransaction(db, async (tx) => {
    const now = clock();
    const rows = events.map(({ event }) => [consumer, event.id, now]);
    await tx.query('INSERT INTO inbox (consumer, event_id, handled_at) VALUES ?', [rows]);
    for (const { event, effect } of events) await effect(tx, event);
    failPoint('inbox.before_commit');
  });
};

const wasHandled = async (db: Db, consumer: string, eventId: string): Promise<boolean> => {
  const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE consumer = ? AND event_id = ?', [
    consumer,
    eventId,
  ]);
  return rows.length > 0;
};
