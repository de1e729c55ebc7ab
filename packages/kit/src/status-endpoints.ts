import { deadLetterEndpoints, type ProcessStatus, statusEndpoint } from '@shortlist/contracts/api/status';
import type { Db } from './data/db.ts';
import { describeDatabase } from './data/describe-server.ts';
import { selectRow, text } from './data/sql.ts';
import type { Health } from './http/health.ts';
import type { Router } from './http/router.ts';
import type { Bus } from './messaging/bus.ts';
import { createDeadLetterActions } from './messaging/dead-letter-actions.ts';
import type { EventHandlers } from './messaging/handle-batch.ts';
import { createConsumptionReader } from './messaging/measure.ts';
import { ageOfOldest, countUnsent } from './messaging/outbox.ts';
import type { Clock } from './process/clock.ts';
import { type RequestStore, readRequests } from './process/count-requests.ts';
import { type Descriptions, partOf, readConsumption, readDependencies } from './process-status.ts';

type Store = { db: Db; clock: Clock };

const readOutbox = async (store: Store): Promise<NonNullable<ProcessStatus['outbox']>> => {
  const [waiting, age] = await Promise.all([countUnsent(store.db), ageOfOldest(store)]);
  return { waiting, oldestSeconds: Math.round(age) };
};

const findMigration = async ({ db }: Store): Promise<string | null> => {
  const sql = 'SELECT name FROM migrations ORDER BY id DESC LIMIT 1';
  return (await selectRow(db, { name: text }, { sql }))?.name ?? null;
};

type Parts = Store & {
  name: string;
  version: string;
  hasOutbox: boolean;
  handlers: EventHandlers;
  bus: Bus;
  health: Health;
  requests: RequestStore;
  descriptions: Descriptions;
};

const addDeadLetterEndpoints = (router: Router, { bus, name }: Parts): void => {
  const actions = createDeadLetterActions(bus, name);
  router.add(deadLetterEndpoints.listDeadLetters, async () => ({ data: await actions.list() }));
  router.add(deadLetterEndpoints.getDeadLetter, async ({ input: { position } }) => ({
    data: await actions.get(position),
  }));
  router.add(deadLetterEndpoints.replayDeadLetter, async ({ input: { position } }) => {
    await actions.replay(position);
    return {};
  });
  router.add(deadLetterEndpoints.discardDeadLetter, async ({ input: { position } }) => {
    await actions.discard(position);
    return {};
  });
};

/** The endpoints through which a service says how it is, and what its consumer could not handle. */
export const addStatusEndpoints = (router: Router, parts: Parts): void => {
  const { name, version, hasOutbox, handlers, bus, health, requests } = parts;
  const descriptions = { database: () => describeDatabase(parts.db), ...parts.descriptions };
  const topics = [...new Set(handlers.map(({ event }) => event.topic))];
  const read = topics.length === 0 ? null : createConsumptionReader(bus, name, topics);
  router.add(statusEndpoint, async () => {
    const [probed, migration, outbox, consumed, counted] = await Promise.all([
      readDependencies(health, descriptions),
      partOf(findMigration(parts)),
      hasOutbox ? partOf(readOutbox(parts)) : null,
      read === null ? null : readConsumption(read),
      partOf(readRequests(requests, parts.clock)),
    ]);
    // A database that responds to the probe alone is not up: what it did not say would look like nothing.
    const isRead = migration !== null && (outbox !== null || !hasOutbox);
    const dependencies = probed.map((dependency) => ({
      ...dependency,
      isUp: dependency.isUp && (isRead || dependency.name !== 'database'),
    }));
    return {
      data: {
        version,
        dependencies: consumed === null ? dependencies : [...dependencies, consumed.kafka],
        migration,
        outbox,
        consumption: consumed?.consumption ?? null,
        requests: counted,
      },
    };
  });
  if (topics.length > 0) addDeadLetterEndpoints(router, parts);
};
