// The ledger keeps LEDGER_DAYS. What older entries took from a bucket is added to its `pruned`, so that its use still adds up.
import { days, minutes } from '@shortlist/contracts/durations';
import { LEDGER_DAYS } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { withLock } from '@shortlist/kit/data/named-lock';
import { change, instant, integer, selectRows, sql } from '@shortlist/kit/data/sql';
import { type Clock, repeat, type Repetition } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';

/** Entries of one transaction: each is deleted from seven indexes, whose pages are rarely in memory. */
const BATCH = 100;
const IDLE_MS = minutes(10);

/** The last of the entries, BATCH at most, that are older than `before` and have no newer one among the ids below; null without one. */
const findLastOld = async (tx: Tx, before: Date): Promise<number | null> => {
  const first = sql`SELECT id, created_at AS createdAt FROM ledger ORDER BY id LIMIT ${BATCH}`;
  const entries = await selectRows(tx, { id: integer, createdAt: instant }, first);
  const kept = entries.findIndex(({ createdAt }) => createdAt >= before);
  const old = kept === -1 ? entries : entries.slice(0, kept);
  return old.at(-1)?.id ?? null;
};

/**
 * Deletes the entries up to one, with their parts and reservations, which were settled long ago. No charge waits: none locks an entry that is
 * older than itself, and the buckets are locked before the entries are deleted, as everywhere.
 */
const pruneUpTo = async (tx: Tx, last: number): Promise<void> => {
  await change(
    tx,
    sql`DELETE r FROM ledger l JOIN reservations r ON r.user_id = l.user_id AND r.operation_id = l.operation_id WHERE l.id <= ${last}`,
  );
  await change(
    tx,
    sql`UPDATE credit_buckets b JOIN (SELECT l.window_id, SUM(l.amount - COALESCE(
          (SELECT SUM(p.amount) FROM ledger_parts p WHERE p.entry_id = l.id), 0)) AS amount
        FROM ledger l WHERE l.id <= ${last} GROUP BY l.window_id) AS old ON old.window_id = b.id
      SET b.pruned = b.pruned - old.amount`,
  );
  await change(
    tx,
    sql`UPDATE credit_buckets b JOIN (SELECT user_id, bucket_id, SUM(amount) AS amount FROM ledger_parts WHERE entry_id <= ${last}
        GROUP BY user_id, bucket_id) AS old ON old.user_id = b.user_id AND old.bucket_id = b.source_key
      SET b.pruned = b.pruned - old.amount`,
  );
  await change(tx, sql`DELETE FROM ledger_parts WHERE entry_id <= ${last}`);
  await change(tx, sql`DELETE FROM ledger WHERE id <= ${last}`);
};

/** Deletes some entries that are older than LEDGER_DAYS, in one process at a time. Returns whether there may be more. */
export const pruneLedger = async (db: Db, clock: Clock): Promise<boolean> => {
  const before = new Date(clock().getTime() - days(LEDGER_DAYS));
  const last = await findLastOld(db.manager, before);
  if (last === null) return false;
  await withLock(db, 'prune-ledger', () => inTransaction(db, (tx) => pruneUpTo(tx, last)));
  return true;
};

export const startPruningLedger = ({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Repetition =>
  repeat(async () => {
    const startedAt = performance.now();
    try {
      // A pause as long as the batch leaves half of the disk's time to charges at least.
      return (await pruneLedger(db, clock)) ? performance.now() - startedAt : IDLE_MS;
    } catch (error) {
      log.warn({ err: error }, 'old entries of the ledger not deleted, next try in ten minutes');
      return IDLE_MS;
    }
  });
