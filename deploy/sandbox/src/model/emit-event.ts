import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../state.ts';
import { shortenLists } from './embedded-lists.ts';

export const API_VERSION = '2026-10-28.endive';

type ObjectOf<T extends Stripe.Event['type']> = Extract<Stripe.Event, { type: T }>['data']['object'];

const storeEvent = (context: Context, type: Stripe.Event['type'], data: Stripe.Event.Data): void => {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: now(context),
    data: shortenLists(data),
    livemode: false,
    pending_webhooks: 1,
    request: { ...context.currentRequest },
    type,
  };
  // `emit` and `emitUpdate` tie the object to the event type, so the discriminated union holds.
  context.state.events.set(event.id, event as unknown as Stripe.Event);
  context.deliveries.enqueue(event.id);
};

/** Stores an event with a copy of the object and enqueues its delivery. */
export const emit = <T extends Stripe.Event['type']>(
  context: Context,
  type: T,
  object: ObjectOf<T>,
): void => {
  storeEvent(context, type, { object: structuredClone(object) });
};

type Change<T> = {
  object: T;
  previous: object;
};

export const emitUpdate = <T extends Stripe.Event['type']>(
  context: Context,
  type: T,
  { object, previous }: Change<ObjectOf<T>>,
): void => {
  storeEvent(context, type, { object: structuredClone(object), previous_attributes: previous });
};

/** Runs the change and returns the previous values of the changed fields, as `*.updated` events carry them. */
export const captureChanges = <T extends object>(object: T, change: () => void): Partial<T> => {
  const before = structuredClone(object);
  change();
  const names = Object.keys(before) as (keyof T)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(object[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name]])) as Partial<T>;
};
