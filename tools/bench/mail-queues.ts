import { randomUUID } from 'node:crypto';
import { QUEUES } from '@shortlist/contracts/jobs';
import { createServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createQueue, startWorker } from '@shortlist/kit/messaging/jobs';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { until } from '@shortlist/kit/testing/until';
import { type MailJob, measureMails, SEND_JOB } from '@shortlist/worker/mail/sweep-mails';
import { createMailProvider } from '@shortlist/worker/mail/provider';
import { insertMail } from '@shortlist/worker/mail/queries';
import { MAILS_AT_ONCE, sendMail } from '@shortlist/worker/mail/send-mail';
import { Queue, Worker } from 'bullmq';
import { Agent, request } from 'undici';
import { uuidv7 } from 'uuidv7';
import type { BenchDb } from './databases.ts';

type Hooks = { started: (id: string) => void; ended: (id: string) => void };

/** A queue with its worker. `prepare` stores what a job refers to and returns the id of the job. */
export type MailQueue = {
  name: string;
  /** How many jobs take about a second or two. */
  jobs: number;
  prepare: () => Promise<string>;
  add: (id: string) => Promise<unknown>;
  start: (hooks: Hooks) => { stop: () => Promise<void> };
  close: () => Promise<void>;
};

const log = createLog('bench', 'silent');
const clock = (): Date => new Date();
const FROM = { email: 'hello@shortlist.test', name: 'Shortlist' };
const KEY = 'SG.bench';
const RECEIPT = {
  ...{ invoiceId: 'in_bench', amount: '5900', currency: 'usd' },
  ...{ paidAt: '2026-01-01T00:00:00.000Z', periodEnd: '2026-02-01T00:00:00.000Z' },
};

/** The queue and the handler of worker, with their settings. */
export const openWorkerQueue = async ({ db, backing }: BenchDb, stubUrl: string): Promise<MailQueue> => {
  const url = backing.queueRedisUrl;
  const queue = createQueue<MailJob>(QUEUES.mail, { url, log, clock });
  await until('the queue', () =>
    queue.check().then(
      () => true,
      () => false,
    ),
  );
  const metrics = createMetrics('worker');
  const keys = [{ id: '1', secret: 'b'.repeat(64) }];
  const sign = createTokenSigner({ keys: { profile: keys, identity: keys }, clock });
  const parts = {
    ...{ db, log, brand: 'Shortlist', publicUrl: 'https://shortlist.test' },
    profile: createServiceClient({ audience: 'profile', pool: createServicePool(stubUrl), sign }),
    identity: createServiceClient({ audience: 'identity', pool: createServicePool(stubUrl), sign }),
    provider: createMailProvider({ key: KEY, apiBase: stubUrl, from: FROM }),
    count: measureMails(metrics, db),
  };
  return {
    name: "worker's mail jobs",
    jobs: 2_000,
    prepare: async () => {
      const id = uuidv7();
      const mail = { id, template: 'receipt', userId: uuidv7(), eventId: uuidv7(), data: RECEIPT } as const;
      await insertMail(db.manager, mail);
      return id;
    },
    add: (mailId) => queue.add(SEND_JOB, { mailId }, { id: mailId }),
    start: ({ started, ended }) =>
      startWorker<MailJob>(QUEUES.mail, {
        ...{ url, log, metrics, concurrency: MAILS_AT_ONCE },
        work: async (_name, { mailId }) => {
          started(mailId);
          await sendMail(parts, mailId);
          ended(mailId);
        },
      }),
    close: queue.close,
  };
};

type PlainQueue = { name: string; jobs: number; queueName: string; work: () => Promise<unknown> };

const openPlainQueue = ({ backing }: BenchDb, { name, jobs, queueName, work }: PlainQueue): MailQueue => {
  const queue = new Queue<{ id: string }>(queueName, { connection: { url: backing.queueRedisUrl } });
  return {
    ...{ name, jobs },
    prepare: () => Promise.resolve(randomUUID()),
    add: (id) => queue.add('job', { id }, { removeOnComplete: true }),
    start: ({ started, ended }) => {
      const connection = { url: backing.queueRedisUrl, maxRetriesPerRequest: null };
      const handle = async ({ data: { id } }: { data: { id: string } }): Promise<void> => {
        started(id);
        await work();
        ended(id);
      };
      const worker = new Worker<{ id: string }>(queueName, handle, {
        connection,
        concurrency: MAILS_AT_ONCE,
      });
      return { stop: () => worker.close() };
    },
    close: () => queue.close(),
  };
};

/** BullMQ alone: jobs that do nothing. */
export const openEmptyQueue = (bench: BenchDb): MailQueue =>
  openPlainQueue(bench, {
    name: 'BullMQ, no-op',
    jobs: 20_000,
    queueName: 'empty',
    work: () => Promise.resolve(),
  });

/** BullMQ with the one call that a mail cannot do without. */
export const openCallingQueue = (bench: BenchDb, stubUrl: string): MailQueue => {
  const dispatcher = new Agent();
  const body = JSON.stringify({ from: FROM, personalizations: [], content: 'x'.repeat(1_500) });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const queue = openPlainQueue(bench, {
    ...{ name: 'BullMQ, one call of the mail API', jobs: 5_000, queueName: 'calling' },
    work: async () => {
      const sent = await request(`${stubUrl}/v3/mail/send`, { method: 'POST', body, headers, dispatcher });
      await sent.body.dump();
      if (sent.statusCode !== 202) throw new Error(`the mail API returned ${sent.statusCode}`);
    },
  });
  return {
    ...queue,
    close: async () => {
      await queue.close();
      await dispatcher.close();
    },
  };
};
