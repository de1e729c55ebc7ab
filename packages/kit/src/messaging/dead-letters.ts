// The topic `<consumer>.dead` has the messages that could not be handled, and the positions of batches that could not be read. A replay is
// recorded in the same topic, as a message with the position of the dead letter, so that no second store can diverge from it. It names the
// position instead of the event id, because an event that fails again is dead-lettered again and must be listed. The record follows the
// publication: after a crash in between, the event is replayed twice, which inboxes tolerate. An operator can also record a dead letter as
// settled without a replay.
import { type Bus, INBOX_DAYS, type Message, type ReceivedMessage } from './bus.ts';

export type DeadLetter = {
  /** The event's id; for an invalid message, its original topic, partition and offset; for an unreadable batch, both its offsets. */
  id: string;
  /** Whether it is an unreadable batch, which cannot be replayed. Its message is the batch in Base64, if small. */
  isUnreadable: boolean;
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
  /** The offset of an unreadable batch's last message. */
  last?: string;
  replayed?: string;
};

/** Shorter than the inbox, so that consumers that handled the event still recognise a replay. */
const RETENTION_DAYS = INBOX_DAYS - 2;

export const deadLetterTopic = (consumer: string): string => `${consumer}.dead`;

export const ensureDeadLetters = (bus: Bus, consumer: string): Promise<void> =>
  bus.ensureTopics([deadLetterTopic(consumer)], { keepDays: RETENTION_DAYS });

/** A dead letter: the message's own key and bytes, with its cause and origin in headers. */
export const deadLetterOf = (message: ReceivedMessage, cause: string): Message => {
  const { key, value, topic, partition, offset, unreadable } = message;
  const origin = unreadable ? { offset: unreadable.first, last: unreadable.last } : { offset };
  const headers = { cause: cause.slice(0, 500), topic, partition: String(partition), ...origin };
  return { key, value, headers };
};

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

/** The headers of a dead letter. For an unreadable batch of dead letters, those that it would get. */
const headersOf = ({ headers, ...message }: ReceivedMessage): DeadLetterHeaders =>
  (message.unreadable ? deadLetterOf(message, message.unreadable.cause).headers : headers) ?? {};

const parseDeadLetter = (message: ReceivedMessage): DeadLetter => {
  const { key, value } = message;
  const { topic = '', partition, offset, last, cause = '' } = headersOf(message);
  const origin = { position: positionOf(message), topic, cause, message: { key, value } };
  if (last !== undefined)
    return {
      ...origin,
      id: `${topic}:${partition}:${offset}-${last}`,
      isUnreadable: true,
      type: 'unreadable batch',
      subject: `partition ${partition}, offsets ${offset} to ${last}`,
      time: 'no time',
    };
  const fields = parseFields(value);
  return {
    ...origin,
    id: textOr(fields['id'], `${topic}:${partition}:${offset}`),
    isUnreadable: false,
    type: textOr(fields['type'], 'unreadable'),
    subject: textOr(fields['subject'], key),
    time: textOr(fields['time'], 'no time'),
  };
};

/** The dead letters of a consumer that have been neither replayed nor settled. */
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

/** Records a dead letter as done without publishing it. */
export const settleDeadLetter = (
  bus: Bus,
  consumer: string,
  { message, position }: DeadLetter,
): Promise<void> =>
  bus.publish(deadLetterTopic(consumer), [{ key: message.key, value: '', headers: { replayed: position } }]);

/** Publishes a dead letter to its original topic, and records it as done. */
export const replayDeadLetter = async (bus: Bus, consumer: string, deadLetter: DeadLetter): Promise<void> => {
  await bus.publish(deadLetter.topic, [deadLetter.message]);
  await settleDeadLetter(bus, consumer, deadLetter);
};

/** Negative if the first is of an earlier event. The ids of events of one millisecond are in the order in which they were emitted. */
export const compareDeadLetters = (one: DeadLetter, other: DeadLetter): number => {
  const [a, b] = one.time === other.time ? [one.id, other.id] : [one.time, other.time];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** Whether another dead letter is of an earlier event about the same user, which must be handled first. */
export const hasEarlier = (deadLetters: readonly DeadLetter[], deadLetter: DeadLetter): boolean =>
  deadLetters.some(
    (other) =>
      !other.isUnreadable &&
      other.topic === deadLetter.topic &&
      other.message.key === deadLetter.message.key &&
      compareDeadLetters(other, deadLetter) < 0,
  );

/** Publishes dead letters to their original topics: those with this id, or 'all' except unreadable batches. Returns them. */
export const replayDeadLetters = async (
  bus: Bus,
  consumer: string,
  selection: string,
): Promise<DeadLetter[]> => {
  const deadLetters = await listDeadLetters(bus, consumer);
  const selected = deadLetters.filter(
    ({ id, isUnreadable }) => !isUnreadable && (selection === 'all' || id === selection),
  );
  for (const deadLetter of selected) await replayDeadLetter(bus, consumer, deadLetter);
  return selected;
};

/** Records the dead letters with this id as done without publishing them. Returns them. */
export const settleDeadLetters = async (bus: Bus, consumer: string, id: string): Promise<DeadLetter[]> => {
  const deadLetters = await listDeadLetters(bus, consumer);
  const selected = deadLetters.filter((deadLetter) => deadLetter.id === id);
  for (const deadLetter of selected) await settleDeadLetter(bus, consumer, deadLetter);
  return selected;
};
