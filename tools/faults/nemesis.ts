import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';
import type { Message } from '@shortlist/kit/messaging/bus';
import { shuffle } from '@shortlist/kit/testing/sample';
import type { System } from '@shortlist/local/system';
import type { ProcessName } from '@shortlist/local/system/ports';
import { openBus } from '../../harness/broker.ts';
import { callApi, setWebhooks } from '../../harness/client.ts';
import type { Injection } from './injection.ts';

type FaultContext = {
  system: System;
  injection: Injection;
  random: () => number;
  print: (line: string) => void;
};
/** Injects one fault. A fault that takes time runs beside the others, and ends and is repaired soon after the signal. */
type Fault = (context: FaultContext, signal: AbortSignal) => Promise<unknown>;

const VICTIMS: readonly ProcessName[] = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'];
const CONSUMERS: readonly ProcessName[] = ['profile', 'billing', 'credits', 'worker'];
const EMITTERS = ['identity', 'billing', 'credits'] as const;
const DRIFT_STEPS = 20;

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;

/** Sleeps until the time is over or the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const setFault = ({ system }: FaultContext, body: Record<string, unknown>): Promise<unknown> =>
  callApi(`${system.sandboxUrl}/_sandbox/faults`, 'PUT', { body });

const killOne: Fault = ({ system, random, print }) => {
  const name = pick(VICTIMS, random);
  print(`kill -9 ${name}`);
  system.process(name).kill('SIGKILL');
  return Promise.resolve();
};

/** X10 Freezes a process for longer than its group session: its partitions are reassigned, if another member exists; then it resumes. */
const freezeOne: Fault = async ({ system, random, print }, signal) => {
  const name = pick(CONSUMERS, random);
  print(`freeze ${name}`);
  system.process(name).kill('SIGSTOP');
  await pause(13_000, signal);
  system.process(name).kill('SIGCONT');
};

/** X22 Delays the mail provider and kills the worker while it waits for the response. */
const killBusyWorker: Fault = async (context, signal) => {
  context.print('kill -9 worker during a mail job');
  await setFault(context, { method: 'POST', path: '/v3/mail/send', times: 5, delayMs: 2_000 });
  await pause(1_500, signal);
  context.system.process('worker').kill('SIGKILL');
};

/** X19 Of these faults, a connection reset and a delay beyond our timeout occur after the provider has done the work. */
const breakProvider: Fault = (context) => {
  const { random, print } = context;
  const fault = pick([{ status: 500 }, { status: 429 }, { delayMs: 4_000 }, { reset: true }], random);
  print(`provider fault: ${JSON.stringify(fault)}`);
  return setFault(context, { method: pick(['GET', 'POST'], random), path: '/v1/', times: 3, ...fault });
};

const breakMail: Fault = (context) => {
  const fault = pick([{ status: 500 }, { status: 429 }, { reset: true }], context.random);
  context.print(`mail provider fault: ${JSON.stringify(fault)}`);
  return setFault(context, { method: 'POST', path: '/v3/mail/send', times: 2, ...fault });
};

/** X18 Resends old webhooks of all users in random order, ten times each, including the oldest ones. */
const repeatWebhooks: Fault = async ({ system, random, print }) => {
  const events = `${system.sandboxUrl}/_sandbox/events`;
  const { body } = await callApi<{ data: { id: string }[] }>(events, 'GET');
  const resent = [...body.data.slice(0, 10), ...shuffle(body.data, random).slice(0, 10)];
  print(`${resent.length} old webhooks resent, ten times each`);
  const times = { body: { times: 10, parallel: 5 } };
  await Promise.all(
    shuffle(resent, random).map(({ id }) => callApi(`${events}/${id}/resend`, 'POST', times)),
  );
};

/** X11 Publishes events of a topic again in random order, as after a repeated batch or a reset offset. */
const repeatEvents: Fault = async ({ system, random, print }) => {
  const topic = `${pick(EMITTERS, random)}.events`;
  const bus = openBus(system.backing.kafkaBrokers);
  try {
    const events: Message[] = [];
    await bus.readAll(topic, ({ key, value }) => events.push({ key, value }));
    const repeated = shuffle(events, random).slice(0, 200);
    print(`${repeated.length} events of ${topic} published again`);
    if (repeated.length > 0) await bus.publish(topic, repeated);
  } finally {
    await bus.close();
  }
};

/** X23 Lets a clock jump by ten minutes, or drift at twice or half the speed, and then corrects it. */
const skewClock: Fault = async ({ injection, random, print }, signal) => {
  const name = pick(VICTIMS, random);
  const sign = random() < 0.5 ? 1 : -1;
  const drifts = random() < 0.4;
  print(`the clock of ${name} ${drifts ? 'drifts' : 'jumps'} ${sign > 0 ? 'ahead' : 'back'}`);
  const steps = drifts ? DRIFT_STEPS : 1;
  const [shiftMs, lastsMs] = drifts ? [500, 500] : [minutes(10), 10_000];
  try {
    for (let step = 1; step <= steps && !signal.aborted; step += 1) {
      await injection.shiftClock(name, sign * step * shiftMs);
      await pause(lastsMs, signal);
    }
  } finally {
    await injection.shiftClock(name, 0);
  }
};

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

/** Injects faults at random moments until the signal aborts, then repairs everything. */
export const runNemesis = async (context: FaultContext, signal: AbortSignal): Promise<void> => {
  const { system, random, print } = context;
  const running = new Map<Fault, Promise<unknown>>();
  await setWebhooks(system, { drop: 0.2, duplicate: 2, shuffle: true, delayMs: 100 });
  while (!signal.aborted) {
    await sleep(500 + random() * 1_500);
    const fault = pick(DRAWS, random);
    if (ONE_AT_A_TIME.has(fault) && running.has(fault)) continue;
    const run = fault(context, signal)
      .catch((error: unknown) => print(`fault failed: ${String(error)}`))
      .finally(() => running.delete(fault));
    running.set(fault, run);
  }
  await Promise.all(running.values());
  await setWebhooks(system, { drop: false, duplicate: 0, shuffle: false, delayMs: 0 });
  await callApi(`${system.sandboxUrl}/_sandbox/faults`, 'DELETE');
};
