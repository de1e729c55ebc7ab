import { randomUUID } from 'node:crypto';
import * as billing from '@shortlist/contracts/events/billing';
import { QUEUES, MAINTENANCE_JOBS } from '../src/jobs.ts';
import { createQueue, startWorker } from '@shortlist/kit/messaging/jobs';
import { openTestRedis } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailJob, sendDueMails } from '../src/mail/send-mail.ts';
import { createMaintenance, scheduleMaintenance } from '../src/maintenance/maintenance-jobs.ts';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const paid = { key: 'in_1', start: START.toISOString(), end: '2026-04-01T12:00:00.000Z', graceUntil: null };
const payment = {
  invoiceId: 'in_1',
  amount: 5900,
  currency: 'usd',
  paidAt: START.toISOString(),
  invoice: null,
  planState: { version: 1, paid, granted: null },
};
const work = () => {
  const { log, clock, redisUrl: url, queueName } = worker;
  const handlers = { 'mail.send': () => sendDueMails(worker) };
  return startWorker<MailJob>(queueName, { url, log, clock, concurrency: 5, handlers });
};
const loseQueue = async (): Promise<void> => {
  const redis = await openTestRedis(worker.redisUrl);
  await redis.del(...(await redis.keys(`bull:${worker.queueName}:*`)));
  redis.disconnect();
};

describe('the email queue', () => {
  it('wakes a sender after an event, which sends the email', async () => {
    const userId = worker.addUser();
    const running = work();
    await worker.publish(billing.paymentSucceeded, userId, payment);
    await until('the mail', async () => (await worker.sent(userId)).length === 1);
    await running.stop();
  });

  it('I5: when emptied, is woken by the sweep, and the stored emails are sent', async () => {
    const users = [worker.addUser(), worker.addUser(), worker.addUser()];
    for (const userId of users) await worker.publish(billing.paymentSucceeded, userId, payment);
    await loseQueue();
    const running = work();
    await worker.sweep();
    for (const userId of users)
      await until('each mail', async () => (await worker.sent(userId)).length === 1);
    await worker.sweep();
    await running.stop();
    for (const userId of users) expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('has one wake-up for many emails while no sender is free, and all are sent', async () => {
    const users = Array.from({ length: 20 }, () => worker.addUser());
    for (const userId of users) await worker.publish(billing.paymentSucceeded, userId, payment);
    expect((await worker.mailQueue.measure()).jobs.waiting).toBe(1);
    const running = work();
    for (const userId of users)
      await until('each mail', async () => (await worker.rows(userId))[0]?.status === 'sent');
    await running.stop();
  });

  it('sends an email for which the previous release added a job', async () => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, payment);
    await loseQueue();
    const [row] = await worker.rows(userId);
    const former = { mailId: row?.id ?? '' } as unknown as MailJob;
    await worker.mailQueue.add('mail.send', former, { id: former.mailId });
    const running = work();
    await until('the mail', async () => (await worker.sent(userId)).length === 1);
    await running.stop();
  });

  it('I4: lets two workers with many wake-ups send each email once', async () => {
    const users = Array.from({ length: 10 }, () => worker.addUser());
    const running = [work(), work()];
    for (const userId of users) {
      await worker.publish(billing.paymentSucceeded, userId, payment);
      await worker.mailQueue.add('mail.send', { mailId: '' }, { id: `again-${userId}` });
    }
    for (const userId of users)
      await until('each mail', async () => (await worker.rows(userId))[0]?.status === 'sent');
    await Promise.all(running.map(({ stop }) => stop()));
    for (const userId of users) expect(await worker.sent(userId)).toHaveLength(1);
  });
});

describe('maintenance', () => {
  it('I3: has one schedule entry per job after fifty concurrent starts', async () => {
    const name = `${QUEUES.maintenance}-${randomUUID()}`;
    const queue = createQueue<Record<never, never>>(name, {
      url: worker.redisUrl,
      log: worker.log,
      clock: () => new Date(),
    });
    await until('the queue', () =>
      queue.check().then(
        () => true,
        () => false,
      ),
    );
    await Promise.all(Array.from({ length: 50 }, () => scheduleMaintenance(queue)));
    const redis = await openTestRedis(worker.redisUrl);
    const entries = await redis.zrange(`bull:${name}:repeat`, '0', '-1');
    redis.disconnect();
    await queue.close();
    expect(entries.toSorted()).toEqual(Object.values(MAINTENANCE_JOBS).toSorted());
  });

  it('calls the owning service for each job, and resets credits in chunks until nothing is due', async () => {
    const paths: string[] = [];
    let chunks = 3;
    const client = (async (endpoint: { path: string }) => {
      paths.push(endpoint.path);
      chunks -= 1;
      return Promise.resolve({ reset: 500, released: 0, more: chunks > 0 });
    }) as unknown as Worker['profile'];
    const owners = { identity: client, profile: client, billing: client, credits: client };
    const maintenance = createMaintenance({
      ...owners,
      log: worker.log,
      sweepMails: () => Promise.resolve(),
      sweepExports: () => Promise.resolve(),
      sweepWebhooks: () => Promise.resolve(),
      runBulkJobs: () => Promise.resolve(),
      advanceDeletions: () => Promise.resolve(),
      advanceUnconfirmed: () => Promise.resolve(),
      comparePayers: () => Promise.resolve(),
    });
    await maintenance[MAINTENANCE_JOBS.resetCredits]();
    expect(paths).toEqual(['/windows/reset-due', '/windows/reset-due', '/windows/reset-due']);
    for (const job of Object.values(MAINTENANCE_JOBS)) await maintenance[job]();
    expect(new Set(paths)).toContain('/stripe/reconcile');
    expect(new Set(paths)).toContain('/plans/end-due');
    expect(new Set(paths)).toContain('/cards/warn-due');
  });

  it('broker down: an event from that time is emailed when the broker is back', async () => {
    const userId = worker.addUser();
    worker.bus.pause();
    const sending = worker.publish(billing.paymentSucceeded, userId, payment);
    await worker.bus.release();
    await sending;
    expect(await worker.rows(userId)).toHaveLength(1);
  });
});
