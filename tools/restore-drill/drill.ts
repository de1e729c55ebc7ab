// Databases that are set back to earlier instants while the product is used, lost data of Redis and Kafka, and what follows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { randomFrom } from '@shortlist/kit/testing/sample';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import type { Breach } from '@shortlist/operator/verify/sources';
import { callApi, logInAdmin } from '../../harness/client.ts';
import { createHistory, type History, type Operation } from '../../harness/history.ts';
import { waitUntilSettled } from '../../harness/settled.ts';
import { simulateWhile } from '../faults/recruiter.ts';
import { type Service, SERVICES } from '@shortlist/operator/backup/manifest';
import { type Backups, openBackups } from './backups.ts';
import { findUnreported, followsFrom, readRows } from './lost-for-good.ts';
import { dumpRedis, emptyKafka, EMITTERS, republish, setRedisBack, untilPublished } from './set-back.ts';

const RECRUITERS = 4;
const LIMIT_MS = minutes(5);
/** Settled before the round, so that a breach is of the restore. */
const BEFORE_MS = minutes(1);

/** A database, and the instant to which it is set back, in seconds from the beginning of the round. */
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

/** Whether nothing is left that could tell what a database has lost: then `verify` names these rows, and everything else must hold. */
const losesRows = ({ databases, kafka }: Loss): boolean => databases.length > 0 && kafka === 'emptied';

/** Whether nothing is left that could tell which sessions have ended: then the Redis of the sessions has to be emptied. */
const losesEndedSessions = (loss: Loss): boolean =>
  losesRows(loss) && loss.databases.some(({ service }) => service === 'identity');

/** Whether profile alone can tell which accounts identity has lost. */
const losesAccounts = (loss: Loss): boolean => {
  const lost = new Set(loss.databases.map(({ service }) => service));
  return losesRows(loss) && lost.has('identity') && !lost.has('profile');
};

const describe = ({ databases, queue, sessions, kafka }: Loss): string =>
  [
    `set back: ${databases.map(({ service, atSeconds }) => `${service} (to ${atSeconds.toFixed(1)} s)`).join(', ') || 'no database'}`,
    `queue ${queue}, sessions ${sessions}, Kafka ${kafka}`,
  ].join('; ');

type Round = { system: System; backups: Backups; loss: Loss; random: () => number; history: History };

/** The instant to which each database is set back. */
type Instants = Map<Service, Date>;

/** Users who registered first, and whom an admin deletes at the end: most databases are set back to an instant in between. */
const DELETED = 3;

const deleteSome = async ({ system, history }: Round): Promise<void> => {
  const token = await logInAdmin(system);
  const isOf = (wanted: Operation['kind']) => (operation: Operation) =>
    operation.kind === wanted && operation.outcome === 'acked';
  const left = new Set(
    history
      .all()
      .filter(isOf('deletion'))
      .map(({ userId }) => userId),
  );
  const users = history
    .all()
    .filter(isOf('sign_up'))
    .filter(({ userId }) => !left.has(userId));
  for (const { userId } of users.slice(0, DELETED)) {
    const { status } = await callApi(`${system.publicUrl}/users/${userId}`, 'DELETE', { token });
    if (status === 404) continue; // deleted in the meantime
    if (status !== 200) throw new Error(`the deletion returned ${status}`);
    history.record({ kind: 'deletion', id: userId, userId, outcome: 'acked' });
  }
};

/** Uses the product after a backup, and notes the instants meanwhile. */
const useProduct = async (
  round: Round,
): Promise<{ instants: Instants; queue: Awaited<ReturnType<typeof dumpRedis>> }> => {
  const { system, backups, loss, random } = round;
  await backups.create();
  const instants: Instants = new Map();
  const after = random();
  let queue: Awaited<ReturnType<typeof dumpRedis>> = [];
  await simulateWhile(round, RECRUITERS, async () => {
    await settleAll([
      ...loss.databases.map(async ({ service, atSeconds }) => {
        await sleep(seconds(atSeconds));
        instants.set(service, new Date(Math.floor(Date.now() / 1_000) * 1_000));
      }),
      sleep(seconds(5)).then(async () => void (queue = await dumpRedis(system.backing.queueRedisUrl))),
    ]);
    await sleep(seconds(3 + after * 8));
    await deleteSome(round);
  });
  return { instants, queue: loss.queue === 'set back' ? queue : [] };
};

/** What the command printed of this restore. */
const reportOf = async ({ directory }: System, service: Service): Promise<string> => {
  const log = await readFile(join(directory, `logs/${service}-operator.log`), 'utf8');
  return log.slice(log.lastIndexOf(`Bringing ${service}`)); // other commands have written before
};

/** Kafka loses everything; the services publish what their outboxes have, those that were set back when they start. */
const emptyAndRepublish = async (system: System, stopped: readonly Service[]): Promise<void> => {
  await emptyKafka(system);
  await republish(system);
  await untilPublished(
    system,
    EMITTERS.filter((emitter) => !stopped.includes(emitter)),
  );
};

type Restored = { reports: string[]; isExpected: (breach: Breach) => boolean };

/** Loses the data while the product is used, as far as it still runs, and brings everything up to date as docs/backup.md says. */
const loseAndRestore = async (round: Round): Promise<Restored> => {
  const { system, backups, loss } = round;
  const { instants, queue } = await useProduct(round);
  await waitUntilSettled(system, createHistory(), BEFORE_MS);
  const services = loss.databases.map(({ service }) => service);
  await settleAll(services.map((service) => system.process(service).stop()));
  const before = await readRows(system, services);
  await backups.copyLogs();
  for (const [service, at] of instants) await backups.restore(at, service);
  const after = await readRows(system, services);
  if (loss.queue !== 'kept') await setRedisBack(system.backing.queueRedisUrl, queue);
  if (loss.sessions === 'emptied' || losesEndedSessions(loss))
    await setRedisBack(system.backing.sessionsRedisUrl);
  if (loss.kafka === 'emptied') await emptyAndRepublish(system, services);
  for (const service of services) await system.operate(service, ['restored', '--yes']);
  await settleAll(services.map((service) => system.process(service).restart()));
  if (losesAccounts(loss)) {
    await system.operate('worker', ['accounts', 'recover', '--yes']);
    for (const [service, rows] of await readRows(system, ['identity'])) after.set(service, rows);
  }
  const reports = await Promise.all(services.map((service) => reportOf(system, service)));
  return { reports, isExpected: losesRows(loss) ? followsFrom(before, after) : () => false };
};

/** `losesKafka`: whether some rounds lose Kafka as well, which take minutes longer. */
type Drill = { seed: number; rounds: number; losesKafka: boolean; print: (line: string) => void };

/** Runs rounds, each with a random loss. Returns the breaches of the first round that has some. */
export const runDrill = async ({ seed, rounds, losesKafka, print }: Drill): Promise<Breach[]> => {
  const random = randomFrom(seed);
  const options = { restart: true, hasBinaryLog: true, env: { bff: WITHOUT_LIMITS } };
  let system = await startSystem(options);
  let backups = await openBackups(system);
  try {
    for (let index = 0; index < rounds; index += 1) {
      const loss = chooseLoss(random, losesKafka);
      const history = createHistory();
      print(`round ${index + 1}: ${describe(loss)}`);
      const { reports, isExpected } = await loseAndRestore({ system, backups, loss, random, history });
      const { breaches, ms } = await waitUntilSettled(system, history, LIMIT_MS, isExpected);
      const unexpected = [
        ...breaches.filter((breach) => !isExpected(breach)),
        ...(await findUnreported(system, breaches.filter(isExpected), LIMIT_MS)),
      ];
      print(`    ${unexpected.length} breaches after ${(ms / 1_000).toFixed(1)} s`);
      for (const line of reports.join('').trimEnd().split('\n')) print(`    ${line}`);
      for (const { invariant, detail } of breaches.filter(isExpected))
        print(`    lost for good: ${invariant} ${detail}`);
      if (unexpected.length > 0) return unexpected;
      if (!losesRows(loss) || index === rounds - 1) continue;
      await system.stop();
      system = await startSystem(options);
      backups = await openBackups(system);
    }
    return [];
  } finally {
    await system.stop();
  }
};
