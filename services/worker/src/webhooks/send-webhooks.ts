// Sends messages to users' webhooks: spread → one delivery for each endpoint → claim → send → settle.
import {
  type TryOutcome,
  webhookEndpoints,
  type WebhookTarget,
  type WebhookTry,
} from '@shortlist/contracts/api/webhooks';
import { hours, minutes, seconds } from '@shortlist/contracts/durations';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { type JobQueue, startWorker } from '@shortlist/kit/messaging/jobs';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { uuidv7 } from 'uuidv7';
import { QUEUES } from '../jobs.ts';
import { webhookTries } from '../metrics.ts';
import {
  claimDelivery,
  deleteMessage,
  type DeliveryRow,
  findDue,
  findMessage,
  insertDeliveries,
  lockUnspread,
  markSpread,
  settleDelivery,
} from './queries.ts';
import type { Receiver } from './receiver.ts';

export const SPREAD_JOB = 'webhook.spread';
const DELIVER_JOB = 'webhook.deliver';
type Endpoint = { userId: string; endpointId: string };
type Message = { messageId: string };
/** Of `SPREAD_JOB`, or of `DELIVER_JOB`. */
export type WebhookJob = Message | Endpoint;

export type WebhookParts = {
  db: Db;
  clock: Clock;
  /** For due times and claims, which all processes compare. */
  sharedClock: SharedClock;
  log: Log;
  identity: ServiceClient;
  receiver: Receiver;
  webhookQueue: JobQueue<WebhookJob>;
  countTry: (outcome: TryOutcome) => void;
};

/** Endpoints that one process sends to at a time. Each has at most one request in progress, so that a slow one does not block others. */
const ENDPOINTS_AT_ONCE = 100;
/** Longer than a try can take, including the calls to identity. */
const CLAIM_MS = minutes(1);
/** The pauses after failed tries, as proposed by Standard Webhooks: the last try is three days after the first. */
export const PAUSES_MS: readonly number[] = [
  seconds(5),
  minutes(5),
  minutes(30),
  hours(2),
  hours(5),
  hours(10),
  hours(14),
  hours(20),
  hours(20),
];
/** Pauses vary randomly, so that tries that failed together are not repeated together. */
const SPREAD = 0.05;
/** The number of stored tries per delivery. */
const TRIES_KEPT = 30;

/** Starts the worker of the queue of webhooks. */
export const startWebhookWorker = (
  parts: Omit<WebhookParts, 'countTry'>,
  queue: { url: string; metrics: Metrics },
): ReturnType<typeof startWorker> => {
  const counter = queue.metrics.counter(webhookTries);
  const deliver = createDeliver({ ...parts, countTry: (outcome) => counter.inc({ outcome }) });
  return startWorker<WebhookJob>(QUEUES.webhooks, {
    ...queue,
    log: parts.log,
    clock: parts.clock,
    concurrency: ENDPOINTS_AT_ONCE,
    handlers: {
      [SPREAD_JOB]: (job) => spreadMessage(parts, (job as Message).messageId),
      [DELIVER_JOB]: (job) => deliver(job as Endpoint),
    },
  });
};

type Spreading = Pick<WebhookParts, 'db' | 'clock' | 'sharedClock' | 'log' | 'identity' | 'webhookQueue'>;

const listTargets = async (identity: ServiceClient, userId: string): Promise<WebhookTarget[]> =>
  (await identity(webhookEndpoints.listTargets, { userId }, asService())).data;

/** Adds the job that sends an endpoint's due deliveries. The sweep adds lost ones. */
export const enqueueEndpoint = (
  { webhookQueue, clock, log }: Pick<WebhookParts, 'webhookQueue' | 'clock' | 'log'>,
  endpoint: Endpoint,
): Promise<void> =>
  webhookQueue
    .add(DELIVER_JOB, endpoint, { id: `${endpoint.endpointId}-${clock().getTime()}` })
    .catch((error: unknown) => log.warn({ err: error }, 'webhook job not enqueued'));

/** Creates a delivery for each of the user's endpoints that wants the event. A message without deliveries is deleted. */
export const spreadMessage = async (parts: Spreading, messageId: string): Promise<void> => {
  const { db, sharedClock, identity } = parts;
  const message = await findMessage(db.manager, messageId);
  if (message === null || message.spreadAt !== null) return;
  const { userId } = message;
  const targets = (await listTargets(identity, userId)).filter(({ events }) =>
    (events as readonly string[]).includes(message.event),
  );
  await inTransaction(db, async (tx) => {
    if ((await lockUnspread(tx, messageId)) === null) return;
    if (targets.length === 0) return deleteMessage(tx, messageId);
    const rows = targets.map(({ id: endpointId }) => ({ id: uuidv7(), messageId, endpointId, userId }));
    const now = await sharedClock(tx);
    await insertDeliveries(tx, rows, now);
    await markSpread(tx, messageId, now);
  });
  for (const { id: endpointId } of targets) await enqueueEndpoint(parts, { userId, endpointId });
};

type Delivering = Pick<WebhookParts, 'db' | 'sharedClock' | 'identity' | 'receiver' | 'countTry'>;

const outcomeOf = ({ status }: WebhookTry): TryOutcome => {
  if (status === 410) return 'gone';
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'failed';
};

/** The pause after a failed try; undefined after the last. Only scheduled tries count, so that manual ones do not affect the schedule. */
const nextPause = ({ tries, createdAt }: DeliveryRow, now: Date): number | undefined => {
  let due = 0;
  let earliest = createdAt.getTime();
  for (const pause of PAUSES_MS) {
    earliest += pause * (1 - SPREAD);
    if (earliest > now.getTime()) break;
    due += 1;
  }
  return PAUSES_MS[Math.min(tries.length, due)];
};

const settlementOf = (
  delivery: DeliveryRow,
  last: WebhookTry,
  { outcome, now }: { outcome: TryOutcome; now: Date },
) => {
  const tries = [...delivery.tries, last].slice(-TRIES_KEPT);
  if (outcome === 'delivered') return { state: 'delivered', nextTryAt: null, tries } as const;
  const pause = outcome === 'failed' ? nextPause(delivery, now) : undefined;
  if (pause === undefined) return { state: 'failed', nextTryAt: null, tries } as const;
  const nextTryAt = new Date(now.getTime() + pause * (1 - SPREAD + Math.random() * 2 * SPREAD));
  return { state: 'pending', nextTryAt, tries } as const;
};

/** Sends one claimed delivery. Returns whether it arrived. */
const sendDelivery = async (parts: Delivering, delivery: DeliveryRow): Promise<boolean> => {
  const { db, sharedClock, identity, receiver, countTry } = parts;
  const { userId, endpointId, tries } = delivery;
  const message = await findMessage(db.manager, delivery.messageId);
  const target = (await listTargets(identity, userId)).find(({ id }) => id === endpointId);
  if (message === null || target === undefined) {
    await settleDelivery(db.manager, delivery, { state: 'canceled', nextTryAt: null, tries });
    return true;
  }
  const { url, secrets } = target;
  const ended = await receiver.send({ id: message.id, url, secrets, payload: message.payload });
  const outcome = outcomeOf(ended);
  countTry(outcome);
  // Before the delivery is settled: a try without a recorded result is repeated, and its receiver recognizes the id.
  await identity(webhookEndpoints.recordTry, { userId, endpointId, outcome, at: ended.at }, asService());
  const now = await sharedClock(db.manager);
  await settleDelivery(db.manager, delivery, settlementOf(delivery, ended, { outcome, now }));
  return outcome === 'delivered';
};

const claimDue = async ({ db, sharedClock }: Delivering, endpointId: string): Promise<DeliveryRow | null> => {
  const now = await sharedClock(db.manager);
  const due = await findDue(db.manager, endpointId, now);
  if (due === null) return null;
  const isClaimed = await claimDelivery(db.manager, due, new Date(now.getTime() + CLAIM_MS));
  return isClaimed ? { ...due, claims: due.claims + 1 } : null;
};

/**
 * Returns the function that sends an endpoint's due deliveries one after the other until one fails; the sweep continues with the rest. While
 * this process is sending to an endpoint, a second job for it does nothing.
 */
export const createDeliver = (parts: Delivering): ((endpoint: Endpoint) => Promise<void>) => {
  const sending = new Set<string>();
  return async ({ endpointId }) => {
    if (sending.has(endpointId)) return;
    sending.add(endpointId);
    try {
      for (let isReceiving = true; isReceiving;) {
        const delivery = await claimDue(parts, endpointId);
        isReceiving = delivery !== null && (await sendDelivery(parts, delivery));
      }
    } finally {
      sending.delete(endpointId);
    }
  };
};
