// What could not be handled waits in `<hearer>.dead` for a person. That it was replayed is remembered in the same topic, by a
// message that names the place of the parked one: no other store can be lost, restored or restarted apart from it. The
// place, and not the fact's id, because a fact that fails again is parked again, perhaps before we have noted the first
// replay, and must show. Noted after the publishing: killed in between we replay twice, which inboxes make harmless.
import type { Bus, ReceivedMessage, Message } from './bus.ts';
import { INBOX_DAYS } from './inbox.ts';

export type DeadLetter = {
  /** The fact's id; for what cannot be read, the place in the topic that it came from. */
  id: string;
  /** Its place in the dead letters. */
  place: string;
  topic: string;
  cause: string;
  type: string;
  subject: string;
  time: string;
  message: Message;
};

/** Headers of a parked message, beside what it carried before. */
type DeadLettered = {
  cause?: string;
  topic?: string;
  partition?: string;
  offset?: string;
  replayed?: string;
};

/** For as long as inboxes know what they heard before, so that a replay is harmless for whoever heard it then. */
const KEEP_DAYS = INBOX_DAYS - 2;

export const deadLetterTopic = (consumer: string): string => `${consumer}.dead`;

export const ensureDeadLetters = (bus: Bus, consumer: string): Promise<void> =>
  bus.ensureTopics([deadLetterTopic(consumer)], { keepDays: KEEP_DAYS });

/** A message as it is parked: its own key and bytes, and in headers why and where it came from. */
export const deadLetterOf = (message: ReceivedMessage, cause: string): Message => ({
  key: message.key,
  value: message.value,
  headers: {
    cause: cause.slice(0, 500),
    topic: message.topic,
    partition: String(message.partition),
    offset: message.offset,
  },
});

const eventOf = (value: string): Record<string, unknown> => {
  try {
    const event: unknown = JSON.parse(value);
    return typeof event === 'object' && event !== null ? (event as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
const placeOf = ({ partition, offset }: ReceivedMessage): string => `${partition}:${offset}`;

const read = (heard: ReceivedMessage): DeadLetter => {
  const { key, value } = heard;
  const { topic = '', partition, offset, cause = '' } = (heard.headers ?? {}) as DeadLettered;
  const event = eventOf(value);
  return {
    id: textOr(event['id'], `${topic}:${partition}:${offset}`),
    place: placeOf(heard),
    topic,
    cause,
    type: textOr(event['type'], 'unreadable'),
    subject: textOr(event['subject'], key),
    time: textOr(event['time'], 'no time'),
    message: { key, value },
  };
};

/** What is parked and was not replayed since. */
export const listDeadLetters = async (bus: Bus, consumer: string): Promise<DeadLetter[]> => {
  await ensureDeadLetters(bus, consumer);
  const waiting = new Map<string, DeadLetter>();
  const replayed = new Set<string>();
  await bus.readAll(deadLetterTopic(consumer), (heard) => {
    const mark = heard.headers?.['replayed'];
    if (mark === undefined) waiting.set(placeOf(heard), read(heard));
    else replayed.add(mark);
  });
  for (const place of replayed) waiting.delete(place);
  return [...waiting.values()];
};

/** Publishes what was parked to where it came from: all of it, or what has this id. Answers what it replayed. */
export const replayDeadLetters = async (bus: Bus, consumer: string, which: string): Promise<DeadLetter[]> => {
  const chosen = (await listDeadLetters(bus, consumer)).filter(({ id }) => which === 'all' || id === which);
  for (const { topic, message, place } of chosen) {
    await bus.publish(topic, [message]);
    await bus.publish(deadLetterTopic(consumer), [
      { key: message.key, value: '', headers: { replayed: place } },
    ]);
  }
  return chosen;
};
