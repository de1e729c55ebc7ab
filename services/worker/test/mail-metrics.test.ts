import { type UserRegistered, userRegistered } from '@shortlist/contracts/events/identity';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const account: UserRegistered = {
  email: 'ada@people.test',
  ...exampleProfile({ firstName: 'Ada', lastName: 'Lovelace' }),
  picture: null,
  createdAt: START.toISOString(),
};

describe('the metrics of emails', () => {
  const callsWith = async (outcome: string): Promise<number> =>
    Number(
      new RegExp(`^mail_request_duration_seconds_count\\{.*outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(
        await worker.metrics.text(),
      )?.[1] ?? 0,
    );

  const countOf = async (outcome: string): Promise<number> =>
    Number(
      new RegExp(`^mails_total\\{template="welcome",outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(
        await worker.metrics.text(),
      )?.[1] ?? 0,
    );

  it('count attempts by template and outcome', async () => {
    const before = await Promise.all(['postponed', 'sent'].map(countOf));
    const userId = worker.addUser();
    await worker.publish(userRegistered, userId, account);
    await worker.fault({ status: 500, times: 1 });
    await worker.send(userId);
    await worker.send(userId);
    const after = await Promise.all(['postponed', 'sent'].map(countOf));
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1]);
  });

  it.each([
    ['retry', { status: 503 }],
    ['rejected', { status: 403 }],
    ['unknown', { reset: true }],
  ])('have the duration of a call to the provider, here with the outcome %s', async (outcome, fault) => {
    const before = await callsWith(outcome);
    const userId = worker.addUser();
    await worker.publish(userRegistered, userId, account);
    await worker.fault({ ...fault, times: 1 });
    await worker.send(userId);
    expect(await callsWith(outcome)).toBe(before + 1);
  });

  it('have the number of unsent emails and the age of the oldest', async () => {
    const text = (): Promise<string> => worker.metrics.text();
    await worker.db.query("UPDATE mails SET status = 'sent'");
    expect(await text()).toMatch(/^mails_unsent\{.*\} 0$/m);
    expect(await text()).toMatch(/^mails_oldest_unsent_seconds\{.*\} 0$/m);
    const userId = worker.addUser();
    await worker.publish(userRegistered, userId, account);
    await worker.db.query(
      'UPDATE mails SET created_at = created_at - INTERVAL 1000 SECOND WHERE user_id = ?',
      [userId],
    );
    expect(await text()).toMatch(/^mails_unsent\{.*\} 1$/m);
    expect(await text()).toMatch(/^mails_oldest_unsent_seconds\{.*\} 10\d\d$/m);
  });
});
