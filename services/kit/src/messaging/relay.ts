import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import type { Bus } from './bus.ts';
import type { Clock } from '../process/clock.ts';
import type { Db } from '../data/db.ts';
import { failPoint } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { onEventsCommitted } from './outbox.ts';

type RelayParts = { db: Db; bus: Bus; log: Log; metrics: Metrics; clock: Clock };
type Row = { id: number; topic: string; message_key: string; payload: string };

const BATCH = 500;
/** Commits wake the relay; this is the safety net for a wake-up that was missed. */
const POLL_MS = 1_000;
const BACK_OFF_MAX_MS = 5_000;

/**
 * A connection that is this database's one active relay for as long as it lives. READ COMMITTED, because at the
 * default isolation the polling read's gap locks make the writers deadlock.
 */
const becomeActive = async (db: Db): Promise<QueryRunner | null> => {
  const runner = db.createQueryRunner();
  try {
    await runner.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    const [row]: { won: number | string | null }[] = await runner.query(
      "SELECT GET_LOCK(CONCAT('relay:', DATABASE()), 1) AS won",
    );
    if (Number(row?.won) === 1) return runner;
    await runner.release();
    return null;
  } catch (error) {
    await runner.release().catch(() => undefined);
    throw error;
  }
};

const publish = async (bus: Bus, rows: readonly Row[]): Promise<void> => {
  for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
    await bus.publish(
      topic,
      ofTopic.map((row) => ({ key: row.message_key, value: row.payload })),
    );
  }
};

/** The oldest unsent facts, without those that are on their way. */
const readUnsent = (runner: QueryRunner, underWay: readonly Row[]): Promise<Row[]> =>
  runner.query(
    `SELECT id, topic, message_key, payload FROM outbox WHERE published_at IS NULL
     ${underWay.length > 0 ? 'AND id NOT IN (?)' : ''} ORDER BY id LIMIT ?`,
    underWay.length > 0 ? [underWay.map(({ id }) => id), BATCH] : [BATCH],
  );

const markSent = async (
  runner: QueryRunner,
  sent: readonly Row[],
  { clock, metrics }: RelayParts,
): Promise<void> => {
  if (sent.length === 0) return;
  await runner.query('UPDATE outbox SET published_at = ? WHERE id IN (?)', [
    clock(),
    sent.map(({ id }) => id),
  ]);
  metrics.relaySent.inc(sent.length);
};

/** Both at once; fails when one does, but only once both have ended. */
const together = async <One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> => {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
};

/**
 * Publishes the oldest unsent facts, then marks them. Killed in between, it publishes them again under the same ids. While a
 * full batch is published, the one before it is marked and the next is read. Answers how many were sent.
 */
const relayUnsent = async (
  runner: QueryRunner,
  parts: RelayParts,
  isStopped: () => boolean,
): Promise<number> => {
  let sent: Row[] = [];
  let count = 0;
  for (let rows = await readUnsent(runner, []); rows.length > 0;) {
    const batch = rows;
    const previous = sent;
    const markAndRead = async (): Promise<Row[]> => {
      await markSent(runner, previous, parts);
      return batch.length < BATCH || isStopped() ? [] : readUnsent(runner, batch);
    };
    failPoint('relay.before_publish');
    [, rows] = await together(publish(parts.bus, batch), markAndRead());
    failPoint('relay.after_publish');
    sent = batch;
    count += batch.length;
  }
  await markSent(runner, sent, parts);
  return count;
};

const countUnsent = async (db: Db): Promise<number> => {
  const [row]: { unsent: number }[] = await db.query(
    'SELECT COUNT(*) AS unsent FROM outbox WHERE published_at IS NULL',
  );
  return Number(row?.unsent ?? 0);
};

const resign = async (runner: QueryRunner | null): Promise<void> => {
  await runner?.query("SELECT RELEASE_LOCK(CONCAT('relay:', DATABASE()))").catch(() => undefined);
  await runner?.release().catch(() => undefined);
};

/** Publishes this database's outbox in order, for ever: it waits out every failure and gives nothing up. */
export const startRelay = (parts: RelayParts): { stop: () => Promise<void> } => {
  const { db, log, metrics } = parts;
  let stopped = false;
  let pending = Promise.withResolvers<void>();
  const wake = (): void => pending.resolve();
  const stopConsuming = onEventsCommitted(db, wake);
  let failures = 0;
  metrics.gauge('outbox_unsent_rows', 'Facts committed and not yet published', () => countUnsent(db));

  const drain = async (runner: QueryRunner): Promise<void> => {
    while (!stopped) {
      pending = Promise.withResolvers();
      const sent = await relayUnsent(runner, parts, () => stopped);
      failures = 0;
      if (sent > 0) continue;
      await Promise.race([pending.promise, sleep(POLL_MS, undefined, { ref: false })]);
    }
  };

  const live = async (): Promise<void> => {
    while (!stopped) {
      let runner: QueryRunner | null = null;
      try {
        runner = await becomeActive(db);
        if (runner === null) continue;
        await drain(runner);
      } catch (error) {
        failures += 1;
        metrics.relayFailures.inc();
        if (failures === 1 || failures % 20 === 0)
          log.warn({ err: error, failures }, 'facts wait in the outbox');
        await sleep(Math.min(100 * 2 ** failures, BACK_OFF_MAX_MS));
      } finally {
        await resign(runner);
      }
    }
  };

  const living = live();
  return {
    stop: async () => {
      stopped = true;
      wake();
      stopConsuming();
      await living;
    },
  };
};
