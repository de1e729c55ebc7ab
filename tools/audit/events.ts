import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { deadLetterTopic, ensureDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { type Breach, breachesOf, type Invariant, select, type Sources } from './sources.ts';

const EMITTERS = ['identity', 'profile', 'billing', 'credits'] as const;
/** bff has no inbox: it ends sessions, which V7 covers, and notifies open pages. */
const CONSUMERS = ['profile', 'billing', 'credits', 'worker'] as const;

const consumedBy = (consumer: string): string[] =>
  eventCatalogue
    .filter((entry) => (entry.consumedBy as readonly string[]).includes(consumer))
    .map(({ event }) => event.type);

/** V5 No outbox row stays unpublished for more than a minute. */
export const outboxesAreEmpty: Invariant = async ({ db, now }) => {
  const before = new Date(now.getTime() - 60_000);
  const found = await Promise.all(
    EMITTERS.map((emitter) =>
      breachesOf<{ id: number; at: Date }>(db, {
        invariant: 'V5',
        sql: `SELECT id, created_at AS at FROM ${emitter}.outbox WHERE published_at IS NULL AND created_at < ?`,
        values: [before],
        describe: ({ id, at }) => `${emitter}'s outbox row ${id} is unpublished since ${at.toISOString()}`,
      }),
    ),
  );
  return found.flat();
};

type TopicIds = Map<string, Set<string>>;

/** Returns the ids of all events in the given topics. */
const readTopics = async ({ bus }: Sources, topics: string[]): Promise<TopicIds> => {
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

const listPublished = (emitter: string, { db }: Sources): Promise<PublishedEvent[]> =>
  select(
    db,
    `SELECT event_id AS id, JSON_VALUE(payload, '$.type') AS type FROM ${emitter}.outbox WHERE published_at IS NOT NULL`,
  );

const notConsumed = async (
  sources: Sources,
  {
    emitter,
    published,
    deadLettered,
  }: { emitter: string; published: PublishedEvent[]; deadLettered: TopicIds },
): Promise<Breach[]> => {
  const breaches: Breach[] = [];
  for (const consumer of CONSUMERS) {
    const types = new Set(consumedBy(consumer));
    const rows = await select<{ id: string }>(
      sources.db,
      `SELECT event_id AS id FROM ${consumer}.inbox WHERE consumer = ?`,
      [consumer],
    );
    const handled = new Set(rows.map(({ id }) => id));
    const deadIds = deadLettered.get(deadLetterTopic(consumer));
    for (const { id, type } of published) {
      if (!types.has(type) || handled.has(id) || deadIds?.has(id)) continue;
      breaches.push({ invariant: 'V5', detail: `${type} ${id} of ${emitter} never reached ${consumer}` });
    }
  }
  return breaches;
};

/** V5 Each published event is in its topic and in the inbox of each of its consumers, or dead-lettered. */
export const eventsArrived: Invariant = async (sources) => {
  const topics = EMITTERS.map((emitter) => `${emitter}.events`);
  const deadTopics = CONSUMERS.map(deadLetterTopic);
  await sources.bus.ensureTopics(topics);
  for (const consumer of CONSUMERS) await ensureDeadLetters(sources.bus, consumer);
  const idsByTopic = await readTopics(sources, [...topics, ...deadTopics]);
  const breaches: Breach[] = [];
  for (const emitter of EMITTERS) {
    const published = await listPublished(emitter, sources);
    const inTopic = idsByTopic.get(`${emitter}.events`);
    for (const { id, type } of published) {
      if (!inTopic?.has(id))
        breaches.push({
          invariant: 'V5',
          detail: `${type} ${id} is marked as published and is not in its topic`,
        });
    }
    breaches.push(...(await notConsumed(sources, { emitter, published, deadLettered: idsByTopic })));
  }
  return breaches;
};
