// Databases that are set back to earlier instants while the product is used, lost data of Redis and Kafka, and what follows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hours, minutes, seconds } from '@shortlist/contracts/durations';
import { randomFrom } from '@shortlist/kit/testing/sample';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import type { Breach } from '@shortlist/operator/verify/sources';
import { createHistory, type History } from '../../harness/history.ts';
import { waitUntilSettled } from '../../harness/settled.ts';
import { simulateWhile } from '../faults/recruiter.ts';
import {
  dumpDatabase,
  dumpRedis,
  emptyKafka,
  EMITTERS,
  type Service,
  SERVICES,
  setDatabaseBack,
  setRedisBack,
  untilPublished,
} from './set-back.ts';

const RECRUITERS = 4;
const LIMIT_MS = minutes(5);
/** After this time, what can come back has come back. */
const BEYOND_REPAIR_MS = minutes(2);
/** Settled before the round, so that a breach is of the restore. */
const BEFORE_MS = minutes(1);

/** A database and when its copy is made, in seconds from the beginning of the round. */
type SetBack = { service: Service; atSeconds: number };
/** What a round loses. The Redis of the sessions is emptied also after it was set back: sessions that were ended since would be valid. */
type Loss = {
  databases: SetBack[];
  queue: 'kept' | 'set back' | 'emptied';
  sessions: 'kept' | 'emptied';
  kafka: 'kept' | 'emptied';
};

const chooseLoss = (random: () => number, losesKafka: boolean): Loss => {
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const chosen = SERVICES.map((service) => ({
    service,
    atSeconds: 3 + random() * 8,
    isSetBack: random() < 0.4,
  }));
  const setBack = chosen.filter(({ isSetBack }) => isSetBack);
  const kafka = pick('kept', 'kept', 'kept', losesKafka ? 'emptied' : 'kept');
  const onlyKafka = kafka === 'emptied' && random() < 0.5;
  const databases = setBack.length > 0 ? setBack : [pick(...chosen)];
  return {
    databases: onlyKafka ? [] : databases,
    queue: pick('kept', 'set back', 'emptied'),
    sessions: pick('kept', 'emptied'),
    kafka,
  };
};

/** Whether nothing is left that could tell what a database has lost: then `verify` names the differences, which no command can repair. */
const isBeyondRepair = ({ databases, kafka }: Loss): boolean => databases.length > 0 && kafka === 'emptied';

/** What holds all the same: nobody pays twice or has less than was paid for, and no credit counts twice. */
const ALWAYS = new Set(['V1', 'V2', 'V3']);

const describe = ({ databases, queue, sessions, kafka }: Loss): string =>
  [
    `set back: ${databases.map(({ service, atSeconds }) => `${service} (copied after ${atSeconds.toFixed(1)} s)`).join(', ') || 'no database'}`,
    `queue ${queue}, sessions ${sessions}, Kafka ${kafka}`,
  ].join('; ');

type Round = { system: System; loss: Loss; random: () => number; history: History };

/** Uses the product and makes the copies meanwhile. */
const copyDuringUse = async (round: Round): Promise<Awaited<ReturnType<typeof dumpRedis>>> => {
  const { system, loss, random } = round;
  const after = random();
  let queue: Awaited<ReturnType<typeof dumpRedis>> = [];
  await simulateWhile(round, RECRUITERS, async () => {
    await settleAll([
      ...loss.databases.map(async ({ service, atSeconds }) => {
        await sleep(seconds(atSeconds));
        await dumpDatabase(system, service);
      }),
      sleep(seconds(5)).then(async () => void (queue = await dumpRedis(system.backing.queueRedisUrl))),
    ]);
    await sleep(seconds(3 + after * 8));
  });
  return loss.queue === 'set back' ? queue : [];
};

/** What the command printed of this restore. */
const reportOf = async ({ directory }: System, service: Service): Promise<string> => {
  const log = await readFile(join(directory, `logs/${service}-operator.log`), 'utf8');
  return log.slice(log.lastIndexOf(`Bringing ${service}`)); // other commands have written before
};

/** Kafka loses everything; the services publish what their outboxes have, those that were set back when they start. */
const emptyAndRepublish = async (system: System, stopped: readonly Service[]): Promise<void> => {
  await emptyKafka(system);
  const since = new Date(Date.now() - hours(1)).toISOString();
  for (const emitter of EMITTERS) await system.operate(emitter, ['outbox', 'republish', since, '--yes']);
  await untilPublished(
    system,
    EMITTERS.filter((emitter) => !stopped.includes(emitter)),
  );
};

/** Loses the data while the product is used, as far as it still runs, and brings everything up to date as docs/backup.md says. */
const loseAndRestore = async (round: Round): Promise<string[]> => {
  const { system, loss } = round;
  const queue = await copyDuringUse(round);
  await waitUntilSettled(system, createHistory(), BEFORE_MS);
  const services = loss.databases.map(({ service }) => service);
  await settleAll(services.map((service) => system.process(service).stop()));
  for (const service of services) await setDatabaseBack(system, service);
  if (loss.queue !== 'kept') await setRedisBack(system.backing.queueRedisUrl, queue);
  if (loss.sessions === 'emptied') await setRedisBack(system.backing.sessionsRedisUrl);
  if (loss.kafka === 'emptied') await emptyAndRepublish(system, services);
  for (const service of services) await system.operate(service, ['restored', '--yes']);
  await settleAll(services.map((service) => system.process(service).restart()));
  return Promise.all(services.map((service) => reportOf(system, service)));
};

/** `losesKafka`: whether some rounds lose Kafka as well, which take minutes longer. */
type Drill = { seed: number; rounds: number; losesKafka: boolean; print: (line: string) => void };

/** Runs rounds, each with a random loss. Returns the breaches of the first round that has some. */
export const runDrill = async ({ seed, rounds, losesKafka, print }: Drill): Promise<Breach[]> => {
  const random = randomFrom(seed);
  const start = (): Promise<System> => startSystem({ restart: true, env: { bff: WITHOUT_LIMITS } });
  let system = await start();
  try {
    for (let index = 0; index < rounds; index += 1) {
      const loss = chooseLoss(random, losesKafka);
      const history = createHistory();
      print(`round ${index + 1}: ${describe(loss)}`);
      const reports = await loseAndRestore({ system, loss, random, history });
      const limitMs = isBeyondRepair(loss) ? BEYOND_REPAIR_MS : LIMIT_MS;
      const { breaches, ms } = await waitUntilSettled(system, history, limitMs);
      print(`    ${breaches.length} breaches after ${(ms / 1_000).toFixed(1)} s`);
      for (const line of reports.join('').trimEnd().split('\n')) print(`    ${line}`);
      if (!isBeyondRepair(loss) && breaches.length > 0) return breaches;
      if (!isBeyondRepair(loss)) continue;
      for (const { invariant, detail } of breaches) print(`    named by verify: ${invariant} ${detail}`);
      const repairable = breaches.filter(({ invariant }) => ALWAYS.has(invariant));
      if (repairable.length > 0) return repairable;
      if (index === rounds - 1) return [];
      await system.stop();
      system = await start();
    }
    return [];
  } finally {
    await system.stop();
  }
};
