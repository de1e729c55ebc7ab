import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
// Sessions begin in Redis as bff begins them: log-ins are limited, and an admin has at most 20 streams.
import { createSessions } from '@shortlist/bff/session/sessions';
import { publicPaths } from '@shortlist/contracts/api/public';
import { creditsSpent } from '@shortlist/contracts/events/credits';
import { createRedis } from '@shortlist/kit/data/redis';
import { eventOf } from '@shortlist/kit/testing/event-of';
import type { System } from '@shortlist/local/system';
import { uuidv7 } from 'uuidv7';
import { openBus } from '../../harness/broker.ts';
import { benchLivePage } from './live-page.ts';
import type { Print } from './measure.ts';
import { clock, log, processorMs, withSystem } from './surroundings.ts';

const PAGES = 50;
const PER_SECOND = 1_000;
const SECONDS = 20;
/** Events published at once, as a relay does. */
const BATCH = 100;

const AT = '2026-11-01T00:00:00.000Z';
const WINDOW = { plan: 'free', limit: 20, used: 1, windowStart: AT, windowEnd: AT } as const;

/** Opens the stream of live updates of as many admins as there are pages. */
const openPages = async ({ publicUrl, backing }: System, signal: AbortSignal): Promise<void> => {
  const redis = createRedis(backing.sessionsRedisUrl, log);
  await once(redis, 'ready');
  const sessions = createSessions(redis, clock);
  for (let page = 0; page < PAGES; page += 1) {
    const { token } = await sessions.begin({
      userId: uuidv7(),
      role: 'admin',
      generation: 0,
      access: { role: 'owner', version: 0 },
    });
    const headers = { authorization: `Bearer ${token}` };
    const { body, status } = await fetch(`${publicUrl}${publicPaths.live}`, { headers, signal });
    if (status !== 200) throw new Error(`a stream was refused with ${status}`);
    body?.pipeTo(new WritableStream()).catch(() => undefined); // it ends with the benchmark
  }
  redis.disconnect();
};

/** The processor time of bff for changes of many users while admins have pages open. */
const benchStreams = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    const bus = openBus(system.backing.kafkaBrokers);
    const end = new AbortController();
    await openPages(system, end.signal);
    const { pid } = system.process('bff');
    const shareOf = async (work: () => Promise<unknown>): Promise<number> => {
      const [before, startedAt] = [processorMs(pid), performance.now()];
      await work();
      return (100 * (processorMs(pid) - before)) / (performance.now() - startedAt);
    };
    const rest = await shareOf(() => sleep(10_000));
    const share = await shareOf(async () => {
      const startedAt = performance.now();
      for (let sent = 0; sent < PER_SECOND * SECONDS; sent += BATCH) {
        await sleep(startedAt + (1_000 * sent) / PER_SECOND - performance.now());
        const events = Array.from({ length: BATCH }, () =>
          eventOf(creditsSpent, uuidv7(), { ...WINDOW, charge: null }),
        );
        await bus.publish(
          creditsSpent.topic,
          events.map((event) => ({ key: event.subject, value: JSON.stringify(event) })),
        );
      }
    });
    print(
      `J4 ${PER_SECOND} changes a second, ${PAGES} pages of admins: ${share.toFixed(1)} % of a core in bff, at rest ${rest.toFixed(1)} %`,
    );
    end.abort();
    await bus.close();
  });

/** J4 Measures live updates in bff, and in the browser. */
export const benchLive = async (print: Print): Promise<void> => {
  await benchStreams(print);
  await benchLivePage(print);
};
