import { keepRows } from '@shortlist/kit/testing/databases';
import { paymentSucceeded } from '@shortlist/contracts/events/billing';
import { newDeviceUsed } from '@shortlist/contracts/events/identity';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertMail, mailIdOf, setDelivery } from '../src/mail/queries.ts';
import { restoreMails } from '../src/restore/restore-mails.ts';
import { openWorker, PAYMENT, START, type Worker } from './support.ts';

const DEVICE = { browser: 'Firefox', system: 'macOS', network: '192.0.2.0/24', place: 'Berlin' };

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const restore = async (): Promise<string[]> => {
  const lines: string[] = [];
  const { db, clock, bus } = worker;
  await restoreMails({ db, clock, bus, print: (line) => lines.push(line) });
  return lines;
};

const addWaiting = async (): Promise<{ userId: string; id: string }> => {
  const userId = worker.addUser();
  const key = {
    template: 'receipt',
    userId,
    eventId: eventOf(paymentSucceeded, userId, PAYMENT).id,
  } as const;
  const id = mailIdOf(key);
  await insertMail(worker.db.manager, { ...key, id, data: { invoiceId: 'in_1' } });
  return { userId, id };
};

it('after its database was set back, worker sends what it had not handled, and no mail of what it had', async () => {
  const [before, since, last] = [worker.addUser(), worker.addUser(), worker.addUser()];
  await worker.publish(newDeviceUsed, before, DEVICE);
  await worker.send(before);
  const [waiting, reported] = [await addWaiting(), await addWaiting()];
  const setBack = await keepRows(worker.db, ['mails', 'inbox']);

  const handled = await worker.publish(newDeviceUsed, since, DEVICE);
  await worker.send(since);
  const [sentMail] = await worker.rows(since);
  worker.bus.pause();
  const pending: CloudEvent<unknown> = eventOf(newDeviceUsed, last, DEVICE, { time: START.toISOString() });
  await worker.publishAgain(pending, newDeviceUsed.topic);

  await setBack();
  const report = await restore();
  await setDelivery(worker.db.manager, [reported.id], 'delivered'); // as the provider's event does
  await worker.publishAgain(handled, newDeviceUsed.topic); // as the group that was rewound reads it
  await worker.bus.release();
  await until(
    'both events',
    async () => (await worker.rows(since)).length + (await worker.rows(last)).length > 1,
  );
  for (const userId of [before, since, last, waiting.userId, reported.userId]) await worker.send(userId);

  expect(report[0]).toMatch(/^1 events had been handled since/);
  expect(report).toContain(
    `${waiting.id}\treceipt to ${waiting.userId} was waiting: sent now, perhaps a second time`,
  );
  expect(await worker.rows(since)).toMatchObject([{ id: sentMail?.id, status: 'skipped' }]);
  for (const userId of [before, since, last]) expect(await worker.sent(userId), userId).toHaveLength(1);
  expect(await worker.rows(waiting.userId)).toMatchObject([{ uncertain: 1, attempts: 1 }]);
  expect(await worker.rows(reported.userId)).toMatchObject([{ status: 'sent', attempts: 0 }]);
});
