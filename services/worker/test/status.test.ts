import * as billing from '@shortlist/contracts/events/billing';
import { jobEndpoints } from '@shortlist/contracts/api/system';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const asAdmin = { caller: { role: 'admin', userId: uuidv7() } } as const;
const paid = { key: 'in_1', start: START.toISOString(), end: '2026-04-01T12:00:00.000Z', graceUntil: null };
const payment = {
  invoiceId: 'in_1',
  amount: 5900,
  currency: 'usd',
  paidAt: START.toISOString(),
  invoice: null,
  planState: { version: 1, paid, granted: null },
};

it('the emails are counted by template: sent, waiting and not delivered', async () => {
  for (const status of ['waiting', 'bounced'])
    await worker.publish(billing.paymentSucceeded, worker.addUser(), {
      ...payment,
      invoiceId: `in_${status}`,
    });
  const [first]: { id: string; template: string }[] = await worker.db.query(
    'SELECT id, template FROM mails LIMIT 1',
  );
  await worker.db.query("UPDATE mails SET status = 'sent', delivery = 'bounced' WHERE id = ?", [first?.id]);
  const { data } = await worker.ask(jobEndpoints.getWorkStatus, {}, asAdmin);
  expect(data.mails).toEqual([
    {
      template: first?.template,
      sent: 1,
      waiting: 1,
      notDelivered: 1,
      lastAt: expect.any(String) as string,
    },
  ]);
  expect(data.unsent).toEqual({ waiting: 1, oldestSeconds: expect.any(Number) as number });
  expect(data.queues?.map(({ name }) => name)).toEqual(['mail', 'maintenance', 'exports', 'webhooks']);
  expect(data.backups).toEqual({ newest: null, verified: null });
});

it('a job that is not among the failed ones is not tried again', async () => {
  const retry = worker.ask(jobEndpoints.retryJob, { queue: 'mail', jobId: 'none' }, asAdmin);
  await expect(retry).rejects.toMatchObject({ code: 'worker.job_not_failed' });
  expect((await worker.ask(jobEndpoints.listFailedJobs, {}, asAdmin)).data).toEqual([]);
});
