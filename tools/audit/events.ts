import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { deadLetterTopic, ensureDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { type Breach, breachesOf, type Invariant, select, type Sources } from './sources.ts';

const EMITTERS = ['identity', 'profile', 'billing', 'credits'] as const;
/** bff has no table: it keeps sessions, whose own rule is V7, and tells pages what to read again. */
const CONSUMERS = ['profile', 'billing', 'credits', 'worker'] as const;

const consumedBy = (consumer: string): string[] =>
  eventCatalogue
    .filter((entry) => (entry.consumedBy as readonly string[]).includes(consumer))
    .map(({ event }) => event.type);

/** H1 Nothing lies in an outbox for long. */
export const outboxesAreDrained: Invariant = async ({ db, now }) => {
  const before = new Date(now.getTime() - 60_000);
  const found = await Promise.all(
    EMITTERS.map((emitter) =>
      breachesOf<{ id: number; at: Date }>(db, {
        invariant: 'V5',
        sql: `SELECT id, created_at AS at FROM ${emitter}.outbox WHERE published_at IS NULL AND created_at < ?`,
        values: [before],
        describe: ({ id, at }) => `${emitter}'s outbox row ${id} waits since ${at.toISOString()}`,
      }),
    ),
  );
  return found.flat();
};

type Read = Map<string, Set<string>>;

/** The ids of all facts that lie in the given topics. */
const readTopics = async ({ bus }: Sources, topics: string[]): Promise<Read> => {
  const read: Read = new Map(topics.map((topic) => [topic, new Set()]));
  const readOne = (topic: string): Promise<void> =>
    bus.readAll(topic, ({ value }) => {
      const id = /"id":"([0-9a-f-]{36})"/.exec(value)?.[1];
      if (id) read.get(topic)?.add(id);
    });
  await Promise.all(topics.map(readOne));
  return read;
};

type Sent = { id: string; type: string };

const sentBy = (emitter: string, { db }: Sources): Promise<Sent[]> =>
  select(
    db,
    `SELECT event_id AS id, JSON_VALUE(payload, '$.type') AS type FROM ${emitter}.outbox WHERE published_at IS NOT NULL`,
  );

const notConsumed = async (
  sources: Sources,
  { emitter, sent, deadLettered }: { emitter: string; sent: Sent[]; deadLettered: Read },
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
    const dead = deadLettered.get(deadLetterTopic(consumer));
    for (const { id, type } of sent) {
      if (!types.has(type) || handled.has(id) || dead?.has(id)) continue;
      breaches.push({ invariant: 'V5', what: `${type} ${id} of ${emitter} never reached ${consumer}` });
    }
  }
  return breaches;
};

/** V5 Each fact that was published lies in its topic and in the inbox of each who hears it, or is parked with its cause. */
export const eventsArrived: Invariant = async (sources) => {
  const topics = EMITTERS.map((emitter) => `${emitter}.events`);
  const dead = CONSUMERS.map(deadLetterTopic);
  await sources.bus.ensureTopics(topics);
  for (const consumer of CONSUMERS) await ensureDeadLetters(sources.bus, consumer);
  const read = await readTopics(sources, [...topics, ...dead]);
  const breaches: Breach[] = [];
  for (const emitter of EMITTERS) {
    const sent = await sentBy(emitter, sources);
    const inTopic = read.get(`${emitter}.events`);
    for (const { id, type } of sent) {
      if (!inTopic?.has(id))
        breaches.push({ invariant: 'V5', what: `${type} ${id} was marked as sent and is not in its topic` });
    }
    breaches.push(...(await notConsumed(sources, { emitter, sent, deadLettered: read })));
  }
  return breaches;
};
