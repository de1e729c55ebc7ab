import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import type { Message } from '@shortlist/kit/messaging/bus';
import type { ProcessName } from '@shortlist/local/system/ports';
import type { System } from '@shortlist/local/system';
import { callApi } from '../../tests/journeys/client.ts';
import type { Clocks } from './clocks.ts';

export type FaultContext = {
  system: System;
  clocks: Clocks;
  random: () => number;
  print: (line: string) => void;
};
/** Injects one fault. A fault that takes time runs beside the others, and ends and is repaired soon after the signal. */
export type Fault = (context: FaultContext, signal: AbortSignal) => Promise<unknown>;

const VICTIMS: readonly ProcessName[] = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'];
const CONSUMERS: readonly ProcessName[] = ['profile', 'billing', 'credits', 'worker'];
const EMITTERS = ['identity', 'billing', 'credits'] as const;

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;

const shuffle = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item): [number, T] => [random(), item])
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

/** Sleeps until the time is over or the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const setFault = ({ system }: FaultContext, fault: Record<string, unknown>): Promise<unknown> =>
  callApi(`${system.sandboxUrl}/_sandbox/faults`, 'PUT', { body: fault });

export const killOne: Fault = ({ system, random, print }) => {
  const name = pick(VICTIMS, random);
  print(`kill -9 ${name}`);
  system.process(name).kill('SIGKILL');
  return Promise.resolve();
};

/** X10 Freezes a process for longer than its group session: its partitions are reassigned, if another member exists; then it resumes. */
export const freezeOne: Fault = async ({ system, random, print }, signal) => {
  const name = pick(CONSUMERS, random);
  print(`freeze ${name}`);
  system.process(name).kill('SIGSTOP');
  await pause(13_000, signal);
  system.process(name).kill('SIGCONT');
};

/** X22 Delays the mail provider and kills the worker while it waits for the response. */
export const killBusyWorker: Fault = async (context, signal) => {
  context.print('kill -9 worker during a mail job');
  await setFault(context, { method: 'POST', path: '/v3/mail/send', times: 5, delayMs: 2_000 });
  await pause(1_500, signal);
  context.system.process('worker').kill('SIGKILL');
};

/** X19 Of these faults, a connection reset and a delay beyond our timeout occur after the provider has done the work. */
export const breakProvider: Fault = (context) => {
  const { random, print } = context;
  const fault = pick([{ status: 500 }, { status: 429 }, { delayMs: 4_000 }, { reset: true }], random);
  print(`provider fault: ${JSON.stringify(fault)}`);
  return setFault(context, { method: pick(['GET', 'POST'], random), path: '/v1/', times: 3, ...fault });
};

export const breakMail: Fault = (context) => {
  const fault = pick([{ status: 500 }, { status: 429 }, { reset: true }], context.random);
  context.print(`mail provider fault: ${JSON.stringify(fault)}`);
  return setFault(context, { method: 'POST', path: '/v3/mail/send', times: 2, ...fault });
};

/** X18 Resends old webhooks of all users in random order, ten times each, including the oldest ones. */
export const repeatWebhooks: Fault = async ({ system, random, print }) => {
  const { body } = await callApi<{ data: { id: string }[] }>(`${system.sandboxUrl}/_sandbox/events`, 'GET');
  const resent = [...body.data.slice(0, 10), ...shuffle(body.data, random).slice(0, 10)];
  print(`${resent.length} old webhooks resent, ten times each`);
  const resend = (id: string): Promise<unknown> =>
    callApi(`${system.sandboxUrl}/_sandbox/events/${id}/resend`, 'POST', {
      body: { times: 10, parallel: 5 },
    });
  await Promise.all(shuffle(resent, random).map(({ id }) => resend(id)));
};

/** X11 Publishes events of a topic again in random order, as after a repeated batch or a reset offset. */
export const repeatEvents: Fault = async ({ system, random, print }) => {
  const topic = `${pick(EMITTERS, random)}.events`;
  const log = createLog('nemesis', 'silent');
  const bus = createKafka({
    ...{ clientId: 'nemesis', log },
    settings: readKafkaSettings({ KAFKA_BROKERS: system.backing.kafkaBrokers }),
  });
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

const TEN_MINUTES = 600_000;
const DRIFT_STEPS = 20;

/** X23 Lets a clock jump by ten minutes, or drift at twice or half the speed, and then corrects it. */
export const skewClock: Fault = async ({ clocks, random, print }, signal) => {
  const name = pick(VICTIMS, random);
  const sign = random() < 0.5 ? 1 : -1;
  const drifts = random() < 0.4;
  print(`the clock of ${name} ${drifts ? 'drifts' : 'jumps'} ${sign > 0 ? 'ahead' : 'back'}`);
  try {
    if (drifts)
      for (let step = 1; step <= DRIFT_STEPS && !signal.aborted; step += 1) {
        await clocks.shift(name, sign * step * 500);
        await pause(500, signal);
      }
    else {
      await clocks.shift(name, sign * TEN_MINUTES);
      await pause(10_000, signal);
    }
  } finally {
    await clocks.shift(name, 0);
  }
};
