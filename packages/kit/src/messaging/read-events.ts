import type { Bus } from './bus.ts';
import { type EventHandlers, parseMessage } from './handle-batch.ts';

/** Handles the events that a topic has now, from its beginning, without a consumer group; others than those of the handlers are left out. */
export const readEvents = (bus: Bus, topic: string, handlers: EventHandlers): Promise<void> =>
  bus.readAll(topic, async ({ value }) => {
    const parsed = parseMessage(handlers, value);
    await parsed?.handler.handle(parsed.event);
  });
