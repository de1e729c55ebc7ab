import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  deadLetterEndpoints,
  type DeadLetterView,
  type ProcessStatus,
  type RequestReport,
  statusEndpoint,
} from '@shortlist/contracts/api/status';
import {
  type ConsumerName,
  CONSUMERS,
  jobEndpoints,
  PROCESSES,
  type ProcessName,
  stripeEventEndpoints,
  type SystemRecord,
  systemRecordEndpoint,
} from '@shortlist/contracts/api/system';
import { days, inSeconds, seconds } from '@shortlist/contracts/durations';
import { describeRedis } from '@shortlist/kit/data/describe-server';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Health } from '@shortlist/kit/http/health';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import {
  createDeadLetterActions,
  type DeadLetterActions,
} from '@shortlist/kit/messaging/dead-letter-actions';
import { createConsumptionReader } from '@shortlist/kit/messaging/measure';
import { type Clock, withTimeout } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { readRequests } from '@shortlist/kit/process/count-requests';
import { partOf, readConsumption, readDependencies } from '@shortlist/kit/process-status';
import { composed, type Route } from '../http/endpoint.ts';
import { createRequestStore } from '../http/request-counts.ts';
import type { Services } from '../services.ts';

/** How long the page waits for each process. */
const PATIENCE_MS = seconds(2);
/** The dead letters of a service are read from its topic, from the beginning. The page itself waits ten seconds. */
const READ_MS = seconds(8);

const CONSUMER = 'bff';

type Parts = {
  services: Services;
  redis: Redis;
  log: Log;
  clock: Clock;
  version: string;
  /** What this process consumes, and where. */
  bus: Bus;
  topics: readonly string[];
  health: Health;
};

/** Null for what does not respond in time or fails, such as a service of the release before, which lacks the endpoint. */
const waitIn =
  (log: Log, timeoutMs: number) =>
  <Reply>(call: Promise<Reply>): Promise<Reply | null> =>
    withTimeout(call, timeoutMs, () => createError('service.timeout')).catch((error: unknown) => {
      log.warn({ err: error }, 'state of a process not read');
      return null;
    });

/** When each process last responded to this page, so that one that does not has a time since which nothing is known of it. */
const SEEN_KEY = 'system-seen';
const SEEN_SECONDS = inSeconds(days(30));

const requestsField = (name: ProcessName): string => `${name}:half-hours`;

const noteSeen = async (
  redis: Redis,
  statuses: readonly (readonly [ProcessName, ProcessStatus | null])[],
  now: string,
): Promise<Record<string, string>> => {
  const seen = await redis.hgetall(SEEN_KEY);
  const responding = statuses.flatMap(([name, status]) => {
    if (status === null) return [];
    const { requests = null } = status;
    const said = [requestsField(name), JSON.stringify(requests)] as const;
    return requests === null ? [[name, now] as const] : [[name, now] as const, said];
  });
  await redis.hset(SEEN_KEY, Object.fromEntries(responding)); // bff itself always responds
  await redis.expire(SEEN_KEY, SEEN_SECONDS);
  return { ...seen, ...Object.fromEntries(responding) };
};

const requestsOf = (seen: Record<string, string>, name: ProcessName): RequestReport | null => {
  const said = seen[requestsField(name)];
  return said === undefined ? null : (JSON.parse(said) as RequestReport);
};

const statusEndpointOf = (parts: Parts): Route => {
  const { services, redis, log, clock, version, bus, topics, health } = parts;
  const wait = waitIn(log, PATIENCE_MS);
  const read = createConsumptionReader(bus, CONSUMER, topics);
  const counts = createRequestStore(redis);
  const readOwn = async (): Promise<ProcessStatus> => {
    const [reached, { consumption, kafka }, requests, brokers] = await Promise.all([
      readDependencies(health, { sessions: () => describeRedis(redis) }),
      readConsumption(read),
      partOf(readRequests(counts, clock)),
      partOf(bus.countBrokers()),
    ]);
    const details = brokers === null ? null : { server: null, used: brokers, limit: null };
    const dependencies = [...reached, { ...kafka, details }];
    return { version, dependencies, migration: null, outbox: null, consumption, requests };
  };
  const readOne = async (name: ProcessName, caller: Caller): Promise<ProcessStatus | null> => {
    if (name === 'bff') return readOwn();
    return (await wait(services[name](statusEndpoint, {}, { caller })))?.data ?? null;
  };
  return composed(publicEndpoints.systemStatus, async ({ caller }) => {
    const [stripe, work, ...statuses] = await Promise.all([
      wait(services.billing(stripeEventEndpoints.getStripeStatus, {}, { caller })),
      wait(services.worker(jobEndpoints.getWorkStatus, {}, { caller })),
      ...PROCESSES.map(async (name) => [name, await readOne(name, caller)] as const),
    ]);
    const checkedAt = clock().toISOString();
    const seen = await noteSeen(redis, statuses, checkedAt);
    return {
      data: {
        checkedAt,
        processes: statuses.map(([name, status]) => ({
          name,
          status,
          seenAt: seen[name] ?? null,
          requests: requestsOf(seen, name),
        })),
        stripe: stripe?.data ?? null,
        work: work?.data ?? null,
      },
    };
  });
};

/** The dead letters of a service, or of bff itself. */
const actionsOf = (own: DeadLetterActions, services: Services) => {
  const ofService = (consumer: Exclude<ConsumerName, 'bff'>, caller: Caller): DeadLetterActions => {
    const service = services[consumer];
    const { listDeadLetters, getDeadLetter, replayDeadLetter, discardDeadLetter } = deadLetterEndpoints;
    const options = { caller, timeoutMs: READ_MS };
    return {
      list: async () => (await service(listDeadLetters, {}, options)).data,
      get: async (position) => (await service(getDeadLetter, { position }, options)).data,
      replay: async (position) => void (await service(replayDeadLetter, { position }, options)),
      discard: async (position) => void (await service(discardDeadLetter, { position }, options)),
    };
  };
  return (consumer: ConsumerName, caller: Caller): DeadLetterActions =>
    consumer === 'bff' ? own : ofService(consumer, caller);
};

/**
 * Records an action before it is done: one that is not recorded must not happen. identity commits it only with a live right of the admin, which
 * a topic or a queue could not check.
 */
const record = ({ identity }: Services, caller: Caller, entry: SystemRecord): Promise<unknown> =>
  identity(systemRecordEndpoint, entry, { caller });

const deadLetterEndpointsOf = ({ services, log, bus }: Parts): Route[] => {
  const actions = actionsOf(createDeadLetterActions(bus, CONSUMER), services);
  const wait = waitIn(log, READ_MS);
  const detailsOf = (consumer: ConsumerName, { eventId: event, type }: DeadLetterView) => ({
    consumer,
    event,
    type,
  });
  return [
    composed(publicEndpoints.deadLetters, async ({ caller }) => {
      const lists = await Promise.all(
        CONSUMERS.map(async (consumer) => {
          const letters = await wait(actions(consumer, caller).list());
          return { consumer, letters };
        }),
      );
      return {
        data: lists.flatMap(({ consumer, letters }) => (letters ?? []).map((one) => ({ consumer, ...one }))),
        missing: lists.filter(({ letters }) => letters === null).map(({ consumer }) => consumer),
      };
    }),

    composed(publicEndpoints.deadLetter, async ({ input: { consumer, position }, caller }) => ({
      data: await actions(consumer, caller).get(position),
    })),

    composed(publicEndpoints.replayDeadLetter, async ({ input: { consumer, position }, caller }) => {
      const { get, replay } = actions(consumer, caller);
      const letter = await get(position);
      // Refused before it is recorded.
      if (letter.isUnreadable) throw createError('service.unreadable_dead_letter');
      if (letter.hasEarlier) throw createError('service.earlier_dead_letter');
      const details = detailsOf(consumer, letter);
      await record(services, caller, { action: 'system.replay_dead_letter', details });
      await replay(position);
      return { message: 'replayed' };
    }),

    composed(publicEndpoints.discardDeadLetter, async ({ input: { consumer, position, reason }, caller }) => {
      const { get, discard } = actions(consumer, caller);
      const details = { ...detailsOf(consumer, await get(position)), reason };
      await record(services, caller, { action: 'system.discard_dead_letter', details });
      await discard(position);
      return { message: 'discarded' };
    }),
  ];
};

const retryJobEndpoint = ({ services }: Parts): Route =>
  composed(publicEndpoints.retryJob, async ({ input: { queue, jobId }, caller }) => {
    const { data: failed } = await services.worker(jobEndpoints.listFailedJobs, {}, { caller });
    const job = failed.find((one) => one.queue === queue && one.jobId === jobId);
    if (job === undefined) throw createError('worker.job_not_failed');
    const details = { queue, job: jobId, name: job.name };
    await record(services, caller, { action: 'system.retry_job', details });
    await services.worker(jobEndpoints.retryJob, { queue, jobId }, { caller });
    return { message: 'retried' };
  });

/** How every process is, and what an owner does about what has failed. */
export const systemStatusEndpoints = (parts: Parts): Route[] => [
  statusEndpointOf(parts),
  ...deadLetterEndpointsOf(parts),
  retryJobEndpoint(parts),
];
