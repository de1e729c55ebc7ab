import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { createLog } from '@shortlist/kit/process/log';
import type { Message } from '@shortlist/kit/messaging/bus';
import type { ProcessName } from '@shortlist/local/processes';
import type { System } from '@shortlist/local/system';
import { ask } from '../../tests/journeys/client.ts';
import type { Clocks } from './clocks.ts';

export type Harm = { system: System; clocks: Clocks; random: () => number; tell: (line: string) => void };
/** Some harm; what takes time goes on beside the others, and is over, and made good, soon after the signal. */
export type Fault = (harm: Harm, signal: AbortSignal) => Promise<unknown>;

const VICTIMS: readonly ProcessName[] = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'];
const CONSUMERS: readonly ProcessName[] = ['profile', 'billing', 'credits', 'worker'];
const EMITTERS = ['identity', 'billing', 'credits'] as const;

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;

const shuffle = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item): [number, T] => [random(), item])
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);

/** Sleeps, or less if all is to end. */
const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const setFault = ({ system }: Harm, fault: Record<string, unknown>): Promise<unknown> =>
  ask(`${system.sandboxUrl}/_sandbox/faults`, 'PUT', { body: fault });

export const killOne: Fault = ({ system, random, tell }) => {
  const name = pick(VICTIMS, random);
  tell(`kill -9 ${name}`);
  system.process(name).kill('SIGKILL');
  return Promise.resolve();
};

/** X10 For longer than a session lives: its partitions go to nobody, or to an heir, and then the zombie goes on. */
export const freezeOne: Fault = async ({ system, random, tell }, signal) => {
  const name = pick(CONSUMERS, random);
  tell(`freeze ${name}`);
  system.process(name).kill('SIGSTOP');
  await pause(13_000, signal);
  system.process(name).kill('SIGCONT');
};

/** X22 The provider takes its time over mails, and the worker dies while it waits for it. */
export const killWorkerAtWork: Fault = async (harm, signal) => {
  harm.tell('kill -9 worker in the middle of its jobs');
  await setFault(harm, { method: 'POST', path: '/v3/mail/send', times: 5, delayMs: 2_000 });
  await pause(1_500, signal);
  harm.system.process('worker').kill('SIGKILL');
};

/** X19 Of these a cut line comes after the work is done, and so does what is later than our patience. */
export const breakProvider: Fault = (harm) => {
  const { random, tell } = harm;
  const fault = pick([{ status: 500 }, { status: 429 }, { delayMs: 4_000 }, { reset: true }], random);
  tell(`the provider: ${JSON.stringify(fault)}`);
  return setFault(harm, { method: pick(['GET', 'POST'], random), path: '/v1/', times: 3, ...fault });
};

export const breakMail: Fault = (harm) => {
  const fault = pick([{ status: 500 }, { status: 429 }, { reset: true }], harm.random);
  harm.tell(`the mail provider: ${JSON.stringify(fault)}`);
  return setFault(harm, { method: 'POST', path: '/v3/mail/send', times: 2, ...fault });
};

/** X18 Old deliveries come once more, each ten times, those of all people mixed, the oldest of the whole run among them. */
export const repeatWebhooks: Fault = async ({ system, random, tell }) => {
  const { body } = await ask<{ data: { id: string }[] }>(`${system.sandboxUrl}/_sandbox/events`, 'GET');
  const again = [...body.data.slice(0, 10), ...shuffle(body.data, random).slice(0, 10)];
  tell(`${again.length} old deliveries, ten times each`);
  const resend = (id: string): Promise<unknown> =>
    ask(`${system.sandboxUrl}/_sandbox/events/${id}/resend`, 'POST', { body: { times: 10, parallel: 5 } });
  await Promise.all(shuffle(again, random).map(({ id }) => resend(id)));
};

/** X11 A topic's facts are published once more, in no order: a batch twice, or a topic read again from its beginning. */
export const repeatEvents: Fault = async ({ system, random, tell }) => {
  const topic = `${pick(EMITTERS, random)}.events`;
  const log = createLog('nemesis', 'silent');
  const bus = createKafka({ brokers: system.backing.kafkaBrokers.split(','), clientId: 'nemesis', log });
  try {
    const events: Message[] = [];
    await bus.readAll(topic, ({ key, value }) => events.push({ key, value }));
    const again = shuffle(events, random).slice(0, 200);
    tell(`${again.length} of ${topic} once more`);
    if (again.length > 0) await bus.publish(topic, again);
  } finally {
    await bus.close();
  }
};

const TEN_MINUTES = 600_000;
const DRIFT_STEPS = 20;

/** X23 A clock jumps by ten minutes, or runs away at twice or half the pace, and is set right again. */
export const skewClock: Fault = async ({ clocks, random, tell }, signal) => {
  const name = pick(VICTIMS, random);
  const sign = random() < 0.5 ? 1 : -1;
  const drifts = random() < 0.4;
  tell(`the clock of ${name} ${drifts ? 'drifts' : 'jumps'} ${sign > 0 ? 'ahead' : 'back'}`);
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
