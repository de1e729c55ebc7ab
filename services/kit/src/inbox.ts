import type { Fact } from '@shortlist/contracts/events/define';
import type { Clock } from './clock.ts';
import { failPoint } from './fail-point.ts';
import { type Db, inTransaction, isDuplicate, type Tx } from './db.ts';

export type Once = { db: Db; hearer: string; clock: Clock };

/** Days for which a repeated fact is recognised; longer than any topic keeps its messages. */
export const INBOX_DAYS = 30;

/**
 * Hears a fact once: its id and its effect are written in one transaction, so a redelivery finds the id and changes
 * nothing. Answers whether this was the first time.
 */
export const handleOnce = async <Data>(
  { db, hearer, clock }: Once,
  fact: Fact<Data>,
  effect: (tx: Tx, fact: Fact<Data>) => Promise<void>,
): Promise<boolean> => {
  try {
    await inTransaction(db, async (tx) => {
      await tx.query('INSERT INTO inbox (hearer, event_id, heard_at) VALUES (?, ?, ?)', [
        hearer,
        fact.id,
        clock(),
      ]);
      await effect(tx, fact);
      failPoint('inbox.before_commit');
    });
    return true;
  } catch (error) {
    if (isDuplicate(error) && (await wasHeard(db, hearer, fact.id))) return false;
    throw error;
  }
};

export type OnceEffect = { fact: Fact<never>; effect: (tx: Tx, fact: Fact<never>) => Promise<void> };

/**
 * Hears several facts in one transaction, each once, their effects in order: one commit for all of them. Fails with nothing
 * written when an effect fails or one of them was heard before.
 */
export const handleAllOnce = async (
  { db, hearer, clock }: Once,
  facts: readonly OnceEffect[],
): Promise<void> => {
  await inTransaction(db, async (tx) => {
    const now = clock();
    const rows = facts.map(({ fact }) => [hearer, fact.id, now]);
    await tx.query('INSERT INTO inbox (hearer, event_id, heard_at) VALUES ?', [rows]);
    for (const { fact, effect } of facts) await effect(tx, fact);
    failPoint('inbox.before_commit');
  });
};

const wasHeard = async (db: Db, hearer: string, eventId: string): Promise<boolean> => {
  const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE hearer = ? AND event_id = ?', [
    hearer,
    eventId,
  ]);
  return rows.length > 0;
};
