import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import type { Tx } from '../data/db.ts';
import { handleOnce, type Inbox } from './inbox.ts';

type Effect = (tx: Tx, event: CloudEvent<never>) => Promise<void>;
/** One row of a consumer's table. `batch` is there when several events may be handled in one transaction. */
export type EventHandler = {
  event: EventType<never>;
  handle: (event: CloudEvent<never>) => Promise<unknown>;
  batch?: { inbox: Inbox; effect: Effect };
};
export type EventHandlers = readonly EventHandler[];

/** A handler whose effect may be repeated without harm. */
export const on = <Data>(
  event: EventType<Data>,
  handle: (event: CloudEvent<Data>) => Promise<unknown>,
): EventHandler => ({
  event: event as unknown as EventType<never>, // a table has handlers of different data; the schema is checked before each
  handle,
});

/** A handler whose effect is a change of the database: applied once, in one transaction with the event's inbox row. */
export const onOnce =
  (inbox: Inbox) =>
  <Data>(
    event: EventType<Data>,
    effect: (tx: Tx, event: CloudEvent<Data>) => Promise<void>,
  ): EventHandler => ({
    ...on(event, (received) => handleOnce(inbox, received, effect)),
    batch: { inbox, effect },
  });

/** A message that can never be handled, however often it is retried. */
class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage';
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidMessage('not JSON', { cause });
  }
};

const isCloudEvent = (value: unknown): value is CloudEvent<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'type' in value &&
  'subject' in value &&
  'data' in value;

export type ParsedEvent = { handler: EventHandler; event: CloudEvent<never> };

/** The event in a message and its handler; null without a handler. Throws when the message is not a valid event. */
export const parseMessage = (handlers: EventHandlers, value: string): ParsedEvent | null => {
  const event = parseJson(value);
  if (!isCloudEvent(event)) throw new InvalidMessage('not a CloudEvent');
  const handler = handlers.find((candidate) => candidate.event.type === event.type);
  if (handler === undefined) return null;
  const result = handler.event.schema.validate(event.data, { stripUnknown: true, convert: false });
  if (result.error) throw new InvalidMessage(result.error.message);
  return { handler, event: { ...event, data: result.value } };
};
