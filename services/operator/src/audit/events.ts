import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import type { Reader } from '@shortlist/kit/data/reader';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { deadLetterTopic, ensureDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { EVENT_DAYS } from '@shortlist/kit/messaging/outbox';
import { defineInvariant } from './sources.ts';

const EMITTERS = ['identity', 'profile', 'billing', 'credits'] as const;
/** bff has no inbox: it ends sessions, which V7 covers, and notifies open pages. */
const CONSUMERS = ['profile', 'billing', 'credits', 'worker'] as const;

const DAY_MS = 86_400_000;
/** Younger than the outbox and the topics keep an event, so that neither has deleted it yet. */
const AGE_LIMIT_MS = (EVENT_DAYS - 1) * DAY_MS;

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
        [new Date(now.getTime() - 60_000)],
      );
      return rows.map(
        ({ id, at }) => `${emitter}'s outbox row ${id} is unpublished since ${at.toISOString()}`,
      );
    },
  }),
);

type TopicIds = Map<string, Set<string>>;

/** Returns the ids of all events in the given topics. */
const readTopics = async (bus: Bus, topics: string[]): Promise<TopicIds> => {
  const idsByTopic: TopicIds = new Map(topics.map((topic) => [topic, new Set()]));
  const readTopic = (topic: string): Promise<void> =>
    bus.readAll(topic, ({ value }) => {
      const id = /"id":"([0-9a-f-]{36})"/.exec(value)?.[1];
      if (id) idsByTopic.get(topic)?.add(id);
    });
  await Promise.all(topics.map(readTopic));
  return idsByTopic;
};

type PublishedEvent = { id: string; type: string };

const listPublished = (db: Reader, now: Date): Promise<PublishedEvent[]> =>
  db.select(
    "SELECT event_id AS id, JSON_VALUE(payload, '$.type') AS type FROM outbox WHERE published_at > ?",
    [new Date(now.getTime() - AGE_LIMIT_MS)],
  );

type Handled = { consumer: string; types: Set<string>; ids: Set<string> };

/** The events that a consumer has handled or dead-lettered. */
const readHandled = async (db: Reader, consumer: string, idsByTopic: TopicIds): Promise<Handled> => {
  const sql = 'SELECT event_id AS id FROM inbox WHERE consumer = ?';
  const handled = (await db.select<{ id: string }>(sql, [consumer])).map(({ id }) => id);
  const deadLettered = idsByTopic.get(deadLetterTopic(consumer)) ?? [];
  return { consumer, types: consumedBy(consumer), ids: new Set([...handled, ...deadLettered]) };
};

const notConsumed = (emitter: string, published: PublishedEvent[], consumers: Handled[]): string[] =>
  consumers.flatMap(({ consumer, types, ids }) =>
    published
      .filter(({ id, type }) => types.has(type) && !ids.has(id))
      .map(({ id, type }) => `${type} ${id} of ${emitter} never reached ${consumer}`),
  );

/** V5 Each published event is in its topic and in the inbox of each of its consumers, or dead-lettered. */
export const eventsArrived = defineInvariant({
  id: 'V5',
  about: 'each published event arrived',
  needs: ['identity', 'profile', 'billing', 'credits', 'worker', 'bus'],
  find: async ({ bus, now, ...databases }) => {
    const topics = EMITTERS.map((emitter) => `${emitter}.events`);
    await bus.ensureTopics(topics);
    for (const consumer of CONSUMERS) await ensureDeadLetters(bus, consumer);
    const idsByTopic = await readTopics(bus, [...topics, ...CONSUMERS.map(deadLetterTopic)]);
    const consumers: Handled[] = [];
    for (const consumer of CONSUMERS)
      consumers.push(await readHandled(databases[consumer], consumer, idsByTopic));
    const found: string[] = [];
    for (const emitter of EMITTERS) {
      const published = await listPublished(databases[emitter], now);
      const missing = published.filter(({ id }) => !idsByTopic.get(`${emitter}.events`)?.has(id));
      found.push(
        ...missing.map(({ id, type }) => `${type} ${id} is marked as published and is not in its topic`),
        ...notConsumed(emitter, published, consumers),
      );
    }
    return found;
  },
});
