import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, setWebhooks } from '../../tests/journeys/client.ts';
import {
  breakMail,
  breakProvider,
  type Fault,
  freezeOne,
  type FaultContext,
  killOne,
  killBusyWorker,
  repeatEvents,
  repeatWebhooks,
  skewClock,
} from './faults.ts';

/** The faults, with their relative frequency. */
const FAULTS: readonly [Fault, number][] = [
  [killOne, 6],
  [breakProvider, 3],
  [breakMail, 2],
  [killBusyWorker, 1],
  [freezeOne, 1],
  [repeatWebhooks, 1],
  [repeatEvents, 1],
  [skewClock, 2],
];
const DRAWS = FAULTS.flatMap(([fault, share]) => Array.from({ length: share }, () => fault));
/** Faults that run at most once at a time, so that the repair by one run does not undo another run. */
const ONE_AT_A_TIME = new Set<Fault>([freezeOne, skewClock, killBusyWorker, repeatEvents, repeatWebhooks]);

const drawFault = (random: () => number): Fault => DRAWS[Math.floor(random() * DRAWS.length)] as Fault;

/** Injects faults at random moments until the signal aborts, then repairs everything. */
export const runNemesis = async (context: FaultContext, signal: AbortSignal): Promise<void> => {
  const { system, random } = context;
  const running = new Map<Fault, Promise<unknown>>();
  await setWebhooks(system, { drop: 0.2, duplicate: 2, shuffle: true, delayMs: 100 });
  while (!signal.aborted) {
    await sleep(500 + random() * 1_500);
    const fault = drawFault(random);
    if (ONE_AT_A_TIME.has(fault) && running.has(fault)) continue;
    const run = fault(context, signal).catch((error: unknown) =>
      context.print(`fault failed: ${String(error)}`),
    );
    running.set(
      fault,
      run.finally(() => running.delete(fault)),
    );
  }
  await Promise.all(running.values());
  await setWebhooks(system, { drop: false, duplicate: 0, shuffle: false, delayMs: 0 });
  await callApi(`${system.sandboxUrl}/_sandbox/faults`, 'DELETE');
};
