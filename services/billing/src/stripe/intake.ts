import { processEvent, type ProcessParts } from './process-event.ts';

/** Works off stored events behind the answers, a few at a time. What it does not get to, the retry job does. */
export type Intake = { take: (eventId: string) => void; stop: () => Promise<void> };

const AT_ONCE = 4;
/** Beyond this the events stay where they are safe, in their table. */
const WAITING_MAX = 1_000;

export const createIntake = (parts: ProcessParts): Intake => {
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  const work = async (): Promise<void> => {
    for (let eventId = waiting.shift(); eventId !== undefined && !stopped; eventId = waiting.shift()) {
      await processEvent(parts, eventId).catch((error: unknown) =>
        parts.log.error({ err: error, eventId }, 'event left for later'),
      );
    }
  };

  return {
    take: (eventId) => {
      if (waiting.length < WAITING_MAX) waiting.push(eventId);
      if (running.size >= AT_ONCE || stopped) return;
      const one = work().finally(() => running.delete(one));
      running.add(one);
    },
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
};
