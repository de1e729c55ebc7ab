import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import type { Tx } from '../data/db.ts';
import { handleOnce, type HandleOnceContext } from './inbox.ts';

type Effect = (tx: Tx, event: CloudEvent<never>) => Promise<void>;
/** `once` and `effect` are there where several facts may be heard in one transaction. */
export type EventHandler = {
  event: EventType<never>;
  on: (event: CloudEvent<never>) => Promise<unknown>;
  together?: { once: HandleOnceContext; effect: Effect };
};
export type EventHandlers = readonly EventHandler[];

/** A line of a service's table of what it hears, for an effect that may be repeated without harm. */
export const on = <Data>(
  event: EventType<Data>,
  effect: (event: CloudEvent<Data>) => Promise<unknown>,
): EventHandler => ({
  event: event as unknown as EventType<never>, // the table holds hearings of different data; each schema is checked before its effect
  on: effect,
});

/** A line for an effect on the database: written once, in one transaction with the fact's id. */
export const onOnce =
  (once: HandleOnceContext) =>
  <Data>(
    event: EventType<Data>,
    effect: (tx: Tx, event: CloudEvent<Data>) => Promise<void>,
  ): EventHandler => ({
    ...on(event, (heard) => handleOnce(once, heard, effect)),
    together: { once, effect },
  });

/** Why a message can never be understood, however often it is tried. */
class InvalidMessage extends Error {
  override readonly name = 'Unreadable';
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

/** What a message says and who hears it; null when nobody here does. Throws when it can never be understood. */
export const parseMessage = (handlers: EventHandlers, value: string): ParsedEvent | null => {
  const event = parseJson(value);
  if (!isCloudEvent(event)) throw new InvalidMessage('not a CloudEvent');
  const handler = handlers.find((candidate) => candidate.event.type === event.type);
  if (handler === undefined) return null;
  const result = handler.event.schema.validate(event.data, { stripUnknown: true, convert: false });
  if (result.error) throw new InvalidMessage(result.error.message);
  return { handler, event: { ...event, data: result.value } };
};
