import { setTimeout as sleep } from 'node:timers/promises';
import { ask, setWebhooks } from '../../tests/journeys/client.ts';
import {
  breakMail,
  breakProvider,
  type Fault,
  freezeOne,
  type Harm,
  killOne,
  killWorkerAtWork,
  repeatEvents,
  repeatWebhooks,
  skewClock,
} from './operations.ts';

/** How often each is done, by its share in the sum. */
const FAULTS: readonly [Fault, number][] = [
  [killOne, 6],
  [breakProvider, 3],
  [breakMail, 2],
  [killWorkerAtWork, 1],
  [freezeOne, 1],
  [repeatWebhooks, 1],
  [repeatEvents, 1],
  [skewClock, 2],
];
const DRAWS = FAULTS.flatMap(([fault, share]) => Array.from({ length: share }, () => fault));
/** A frozen process, or a clock, is hurt once at a time, so that what one deed makes good another has not just broken. */
const ONE_AT_A_TIME = new Set<Fault>([freezeOne, skewClock, killWorkerAtWork, repeatEvents, repeatWebhooks]);

const drawFault = (random: () => number): Fault => DRAWS[Math.floor(random() * DRAWS.length)] as Fault;

/** Does harm at random moments until told to stop, then leaves everything whole again. */
export const runNemesis = async (harm: Harm, signal: AbortSignal): Promise<void> => {
  const { system, random } = harm;
  const running = new Map<Fault, Promise<unknown>>();
  await setWebhooks(system, { drop: 0.2, duplicate: 2, shuffle: true, delayMs: 100 });
  while (!signal.aborted) {
    await sleep(500 + random() * 1_500);
    const fault = drawFault(random);
    if (ONE_AT_A_TIME.has(fault) && running.has(fault)) continue;
    const run = fault(harm, signal).catch((error: unknown) => harm.tell(`in vain: ${String(error)}`));
    running.set(
      fault,
      run.finally(() => running.delete(fault)),
    );
  }
  await Promise.all(running.values());
  await setWebhooks(system, { drop: false, duplicate: 0, shuffle: false, delayMs: 0 });
  await ask(`${system.sandboxUrl}/_sandbox/faults`, 'DELETE');
};
