// The topic `<consumer>.dead` has the messages that could not be handled. A replay is recorded in the same topic, as a message
// that names the position of the dead letter: no second store can be lost, restored or restarted apart from it. It names the
// position and not the event id, since an event that fails again is dead-lettered again and must be listed. The record follows
// the publication: after a crash in between, the event is replayed twice, which inboxes make harmless.
import { type Bus, INBOX_DAYS, type Message, type ReceivedMessage } from './bus.ts';

export type DeadLetter = {
  /** The event's id; for an invalid message, its original topic, partition and offset. */
  id: string;
  /** Partition and offset in the dead-letter topic. */
  position: string;
  topic: string;
  cause: string;
  type: string;
  subject: string;
  time: string;
  message: Message;
};

/** Headers of a dead letter. */
type DeadLetterHeaders = {
  cause?: string;
  topic?: string;
  partition?: string;
  offset?: string;
  replayed?: string;
};

/** Shorter than the inbox, so that consumers which handled the event still recognise a replay. */
const RETENTION_DAYS = INBOX_DAYS - 2;

export const deadLetterTopic = (consumer: string): string => `${consumer}.dead`;

export const ensureDeadLetters = (bus: Bus, consumer: string): Promise<void> =>
  bus.ensureTopics([deadLetterTopic(consumer)], { keepDays: RETENTION_DAYS });

/** A dead letter: the message's own key and bytes, with its cause and origin in headers. */
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

const parseFields = (value: string): Record<string, unknown> => {
  try {
    const event: unknown = JSON.parse(value);
    return typeof event === 'object' && event !== null ? (event as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);
const positionOf = ({ partition, offset }: ReceivedMessage): string => `${partition}:${offset}`;

const parseDeadLetter = (message: ReceivedMessage): DeadLetter => {
  const { key, value } = message;
  const { topic = '', partition, offset, cause = '' } = (message.headers ?? {}) as DeadLetterHeaders;
  const fields = parseFields(value);
  return {
    id: textOr(fields['id'], `${topic}:${partition}:${offset}`),
    position: positionOf(message),
    topic,
    cause,
    type: textOr(fields['type'], 'unreadable'),
    subject: textOr(fields['subject'], key),
    time: textOr(fields['time'], 'no time'),
    message: { key, value },
  };
};

/** The dead letters of a consumer that have not been replayed. */
export const listDeadLetters = async (bus: Bus, consumer: string): Promise<DeadLetter[]> => {
  await ensureDeadLetters(bus, consumer);
  const deadLetters = new Map<string, DeadLetter>();
  const replayed = new Set<string>();
  await bus.readAll(deadLetterTopic(consumer), (message) => {
    const position = message.headers?.['replayed'];
    if (position === undefined) deadLetters.set(positionOf(message), parseDeadLetter(message));
    else replayed.add(position);
  });
  for (const position of replayed) deadLetters.delete(position);
  return [...deadLetters.values()];
};

/** Publishes dead letters to their original topics: those with this id, or 'all'. Returns what it replayed. */
export const replayDeadLetters = async (
  bus: Bus,
  consumer: string,
  selection: string,
): Promise<DeadLetter[]> => {
  const deadLetters = await listDeadLetters(bus, consumer);
  const selected = deadLetters.filter(({ id }) => selection === 'all' || id === selection);
  for (const { topic, message, position } of selected) {
    await bus.publish(topic, [message]);
    await bus.publish(deadLetterTopic(consumer), [
      { key: message.key, value: '', headers: { replayed: position } },
    ]);
  }
  return selected;
};
