import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  deliveryEndpoints,
  type TryOutcome,
  webhookEndpoints,
  type WebhookTarget,
} from '@shortlist/contracts/api/webhooks';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { createError } from '@shortlist/kit/process/errors';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createLog } from '@shortlist/kit/process/log';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { openTestService } from '@shortlist/kit/testing/open-service';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { createWorker } from '../src/app.ts';
import { schema } from '../src/db.ts';
import type { ExportJob } from '../src/jobs.ts';
import type { MailJob } from '../src/mail/send-mail.ts';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe.ts';
import { createReceiver, type WebhookTargets } from '../src/webhooks/receiver.ts';
import { createDeliver, spreadMessage, type WebhookJob } from '../src/webhooks/send-webhooks.ts';
import { sweepWebhooks } from '../src/webhooks/sweep-webhooks.ts';
import { createJobList, START } from './support.ts';

const log = createLog('test', 'silent');

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
/** The status of a response, or null for none: the request hangs. */
type Responding = (received: Received) => number | null;

/** A user's own system, which stores what it receives and responds as the test defines for the path. */
export const openReceivingServer = async () => {
  const received: Received[] = [];
  const responses = new Map<string, Responding>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      const message = { path: request.url ?? '', headers: request.headers, body };
      received.push(message);
      const status = (responses.get(message.path) ?? (() => 204))(message);
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    receivedAt: (path: string) => received.filter((message) => message.path === path),
    respond: (path: string, responding: Responding) => void responses.set(path, responding),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** identity's webhooks, and the tries reported to it. */
const createEndpoints = () => {
  const targets = new Map<string, WebhookTarget[]>();
  const outcomes: { endpointId: string; outcome: TryOutcome }[] = [];
  let isDown = false;
  const identity = (({ path }: { path: string }, input: Record<string, string>) => {
    if (isDown) return Promise.reject(createError('service.unavailable'));
    const { userId = '', endpointId = '', outcome } = input;
    if (path === webhookEndpoints.recordTry.path)
      outcomes.push({ endpointId, outcome: outcome as TryOutcome });
    return Promise.resolve({ data: targets.get(userId) ?? [] });
  }) as unknown as ServiceClient;
  return {
    identity,
    setIdentityDown: (down: boolean) => void (isDown = down),
    outcomesOf: (id: string) =>
      outcomes.flatMap(({ endpointId, outcome }) => (endpointId === id ? [outcome] : [])),
    setTargets: (userId: string, list: WebhookTarget[]) => void targets.set(userId, list),
  };
};

/** worker's webhooks in the test's process, with a clock that the test moves and jobs that it runs. */
export const openWebhooks = async ({
  targets = 'any',
  tryMs = 2_000,
}: { targets?: WebhookTargets; tryMs?: number } = {}) => {
  const { db, drop } = await createTestDb(schema);
  const server = await openReceivingServer();
  const { identity, ...endpoints } = createEndpoints();
  const { jobs, queue: webhookQueue } = createJobList<WebhookJob>();
  let now = START.getTime();
  const clock = (): Date => new Date(now);
  const sharedClock = () => Promise.resolve(clock());
  const receiver = createReceiver({ clock, targets, tryMs });
  const countTry = (): void => undefined;
  const parts = { db, clock, sharedClock, log, identity, receiver, webhookQueue, countTry };
  const service = createWorker({
    ...parts,
    mailQueue: createJobList<MailJob>().queue,
    exportQueue: createJobList<ExportJob>().queue,
    maintenanceQueue: createJobList<Record<never, never>>().queue,
    metrics: createMetrics('worker'),
    eventKey: null,
    unsuppress: () => Promise.resolve(),
    credits: () => Promise.resolve({} as never),
    unsubscribeTokens: createUnsubscribeTokens([{ id: '1', secret: 'u'.repeat(64) }]),
    brand: 'Shortlist',
    publicUrl: 'https://shortlist.test',
  });
  const opened = await openTestService(service, { db, clock });
  const deliver = createDeliver(parts);

  const publish = async <Data>(
    type: EventType<Data>,
    subject: string,
    data: Data,
  ): Promise<CloudEvent<Data>> => {
    const event = eventOf(type, subject, data, { time: clock().toISOString() });
    await opened.bus.publish(type.topic, [{ key: subject, value: JSON.stringify(event) }]);
    await until('the event to be consumed', async () => {
      const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE event_id = ?', [event.id]);
      return rows.length > 0;
    });
    return event;
  };

  return {
    ...endpoints,
    db,
    clock,
    jobs,
    server,
    parts,
    deliver,
    publish,
    bus: opened.bus,
    url: opened.url,
    sign: opened.sign,
    ask: opened.ask,
    pass: (milliseconds: number): void => void (now += milliseconds),
    /** A user with an endpoint for each path, which wants these events. */
    addUser: (paths: string[], events: WebhookTarget['events'] = ['credits.low', 'plan.changed']) => {
      const userId = uuidv7();
      const list = paths.map((path) => ({
        id: uuidv7(),
        url: path.startsWith('/') ? server.url + path : path,
        events,
        secrets: [`whsec_${Buffer.from(`${path} and more than 24 bytes`).toString('base64')}`],
      }));
      endpoints.setTargets(userId, list);
      return { userId, endpoints: list, caller: { role: 'user', userId } as const };
    },
    spread: (messageId: string) => spreadMessage(parts, messageId),
    /** Runs the existing jobs and those that they add. */
    work: async (): Promise<void> => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
        await ('messageId' in job ? spreadMessage(parts, job.messageId) : deliver(job));
    },
    /** Spreads all messages, and starts sending all due deliveries concurrently. */
    startAll: async (): Promise<Promise<void>[]> => {
      const running: Promise<void>[] = [];
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
        if ('messageId' in job) await spreadMessage(parts, job.messageId);
        else running.push(deliver(job));
      return running;
    },
    sweep: () => sweepWebhooks(parts),
    log: async (user: { userId: string; caller: { role: 'user'; userId: string } }, endpointId: string) => {
      const { userId, caller } = user;
      return (await opened.ask(deliveryEndpoints.listDeliveries, { userId, endpointId }, { caller })).data;
    },
    close: async () => {
      await receiver.close();
      server.close();
      await opened.stop();
      await drop();
    },
  };
};

export type OpenedWebhooks = Awaited<ReturnType<typeof openWebhooks>>;
