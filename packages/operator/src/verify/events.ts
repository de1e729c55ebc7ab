import { days, minutes } from '@shortlist/contracts/durations';
import { eventCatalogue, topicsOf } from '@shortlist/contracts/events/catalogue';
import type { Reader } from '@shortlist/kit/data/reader';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { deadLetterTopic, ensureDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { EVENT_DAYS } from '@shortlist/kit/messaging/bus';
import { CHUNK } from './pages.ts';
import { createRowSet, type RowSet } from './row-set.ts';
import { defineInvariant, withoutMatch } from './sources.ts';

const EMITTERS = ['identity', 'profile', 'billing', 'credits'] as const;
/** bff has no inbox: it ends sessions, which V7 covers, and notifies open pages. */
const CONSUMERS = ['profile', 'billing', 'credits', 'worker'] as const;

/** Shorter than the retention of outbox and topics, so that neither has deleted the event yet. */
const AGE_LIMIT_MS = days(EVENT_DAYS - 1);

const consumedBy = (consumer: string): Set<string> =>
  new Set(
    eventCatalogue
      .filter((entry) => (entry.consumedBy as readonly string[]).includes(consumer))
      .map(({ event }) => event.type),
  );

/** V5 No outbox row stays unpublished for more than a minute. */
export const outboxesAreEmpty = EMITTERS.map((emitter) =>
  defineInvariant({
    id: 'V5',
    about: `the outbox of ${emitter} is empty`,
    needs: [emitter],
    find: async ({ [emitter]: db, now }) => {
      const rows = await db.select<{ id: number; at: Date }>(
        'SELECT id, created_at AS at FROM outbox WHERE published_at IS NULL AND created_at < ?',
        [new Date(now.getTime() - minutes(1))],
      );
      return rows.map(
        ({ id, at }) => `${emitter}'s outbox row ${id} is unpublished since ${at.toISOString()}`,
      );
    },
  }),
);

/** The most breaches of one kind reported; more would not add anything. */
const REPORTED = 100;

/** Reads the ids of a topic's events, in chunks. */
const readIds = async (
  bus: Bus,
  topic: string,
  onIds: (ids: readonly string[]) => Promise<void> | void,
): Promise<void> => {
  let ids: string[] = [];
  await bus.readAll(topic, async ({ value }) => {
    const id = /"id":"([0-9a-f-]{36})"/.exec(value)?.[1];
    if (id === undefined || ids.push(id) < CHUNK) return;
    await onIds(ids);
    ids = [];
  });
  if (ids.length > 0) await onIds(ids);
};

type Range = { first: number; last: number };

const outboxRange = async (db: Reader): Promise<Range | null> => {
  const [row] = await db.select<{ first: number | null; last: number | null }>(
    'SELECT MIN(id) AS first, MAX(id) AS last FROM outbox',
  );
  if (row === undefined || row.first === null || row.last === null) return null;
  return { first: Number(row.first), last: Number(row.last) };
};

/** The outbox rows whose event is in one of its topics. */
const rowsInTopics = async (bus: Bus, { topics, db }: Outbox, { first, last }: Range): Promise<RowSet> => {
  const rows = createRowSet(first, last);
  const addFound = async (ids: readonly string[]): Promise<void> => {
    const found = await db.select<{ id: number }>('SELECT id FROM outbox WHERE event_id IN (?)', [ids]);
    for (const { id } of found) rows.add(Number(id));
  };
  for (const topic of topics) await readIds(bus, topic, addFound);
  return rows;
};

type Outbox = { emitter: string; topics: readonly string[]; db: Reader };
type PublishedEvent = { row: number; id: string; type: string };

/** Yields the recently published events of an outbox, by ranges of ids. */
async function* readPublished(
  db: Reader,
  { first, last }: Range,
  now: Date,
): AsyncGenerator<PublishedEvent[]> {
  const since = new Date(now.getTime() - AGE_LIMIT_MS);
  for (let from = first; from <= last; from += CHUNK)
    yield await db.select<PublishedEvent>(
      `SELECT id AS \`row\`, event_id AS id, JSON_VALUE(payload, '$.type') AS type FROM outbox
       WHERE id >= ? AND id < ? AND published_at > ? AND published_at <= ?`,
      [from, from + CHUNK, since, now],
    );
}

type Consumer = { name: string; db: Reader; types: Set<string> };

/** The events that a consumer should have handled, but that are not in its inbox. */
const findUnhandled = async (
  { name, db, types }: Consumer,
  published: readonly PublishedEvent[],
): Promise<PublishedEvent[]> => {
  const expected = published.filter(({ type }) => types.has(type));
  if (expected.length === 0) return [];
  const handled = await db.select<{ id: string }>(
    'SELECT event_id AS id FROM inbox WHERE consumer = ? AND event_id IN (?)',
    [name, expected.map(({ id }) => id)],
  );
  return withoutMatch(expected, new Set(handled.map(({ id }) => id)), ({ id }) => id);
};

/** The events that are not among the consumer's dead letters. */
const withoutDeadLetters = async (
  bus: Bus,
  consumer: string,
  events: readonly PublishedEvent[],
): Promise<PublishedEvent[]> => {
  const remaining = new Map(events.map((event) => [event.id, event]));
  if (remaining.size > 0)
    await readIds(bus, deadLetterTopic(consumer), (ids) => ids.forEach((id) => void remaining.delete(id)));
  return [...remaining.values()];
};

/** Collects the events that never reached a consumer. Dead letters are read only if a chunk has unhandled events. */
const createMissing = (bus: Bus, emitter: string, consumer: Consumer) => {
  const lost: string[] = [];
  let unhandled: PublishedEvent[] = [];
  const settle = async (): Promise<string[]> => {
    const missing = await withoutDeadLetters(bus, consumer.name, unhandled);
    lost.push(...missing.map(({ id, type }) => `${type} ${id} of ${emitter} never reached ${consumer.name}`));
    unhandled = [];
    return lost.slice(0, REPORTED);
  };
  return {
    check: async (published: readonly PublishedEvent[]): Promise<void> => {
      if (lost.length >= REPORTED) return;
      unhandled.push(...(await findUnhandled(consumer, published)));
      if (unhandled.length >= CHUNK) await settle();
    },
    settle,
  };
};

const findLost = async (
  outbox: Outbox,
  { bus, consumers, now }: { bus: Bus; consumers: readonly Consumer[]; now: Date },
): Promise<string[]> => {
  const range = await outboxRange(outbox.db);
  if (range === null) return [];
  const inTopics = await rowsInTopics(bus, outbox, range);
  const missing = consumers.map((consumer) => createMissing(bus, outbox.emitter, consumer));
  const lost: string[] = [];
  for await (const published of readPublished(outbox.db, range, now)) {
    for (const { row, id, type } of published)
      if (lost.length < REPORTED && !inTopics.has(Number(row)))
        lost.push(`${type} ${id} is marked as published and is not in its topic`);
    for (const { check } of missing) await check(published);
  }
  for (const { settle } of missing) lost.push(...(await settle()));
  return lost;
};

/**
 * V5 Each published event is in its topic and in the inbox of each of its consumers, or dead-lettered. Memory is bounded, except for one bit
 * per row.
 */
export const eventsArrived = defineInvariant({
  id: 'V5',
  about: 'each published event arrived',
  needs: ['identity', 'profile', 'billing', 'credits', 'worker', 'bus'],
  find: async ({ bus, now, ...databases }) => {
    const outboxes = EMITTERS.map((emitter) => ({
      emitter,
      topics: topicsOf(emitter),
      db: databases[emitter],
    }));
    const consumers = CONSUMERS.map((name) => ({ name, db: databases[name], types: consumedBy(name) }));
    await bus.ensureTopics(outboxes.flatMap(({ topics }) => topics));
    for (const { name } of consumers) await ensureDeadLetters(bus, name);
    const found: string[] = [];
    for (const outbox of outboxes) found.push(...(await findLost(outbox, { bus, consumers, now })));
    return found;
  },
});
