import type { SyncParts } from './event-action.ts';
import { processEvent } from './process-event.ts';

/** Processes stored events after the webhook's response, a few at a time. The retry job processes what it does not reach. */
export type Intake = { add: (eventId: string) => void; stop: () => Promise<void> };

const CONCURRENCY = 4;
/** Beyond this number events stay in their table for the retry job. */
const MAX_WAITING = 1_000;

export const createIntake = (parts: SyncParts): Intake => {
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  const processWaiting = async (): Promise<void> => {
    for (let eventId = waiting.shift(); eventId !== undefined && !stopped; eventId = waiting.shift()) {
      await processEvent(parts, eventId).catch((error: unknown) =>
        parts.log.error({ err: error, eventId }, 'event left to the retry job'),
      );
    }
  };

  return {
    add: (eventId) => {
      if (waiting.length < MAX_WAITING) waiting.push(eventId);
      if (running.size >= CONCURRENCY || stopped) return;
      const run = processWaiting().finally(() => running.delete(run));
      running.add(run);
    },
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
};
