import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { hours } from '@shortlist/contracts/durations';
import { paymentSucceeded } from '@shortlist/contracts/events/billing';
import {
  deletionApproaching,
  deletionRequested,
  newDeviceUsed,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { insertUserRows, listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseUser } from '../src/erase-user.ts';
import { insertMail } from '../src/mail/queries.ts';
import { suppress } from '../src/mail/suppression-queries.ts';
import { advanceDeletions } from '../src/deletions/delete-due-accounts.ts';
import { openWorker, PAYMENT, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const DEVICE = { browser: 'Firefox', system: 'macOS', network: '203.0.113.0/24', place: 'Oslo, Norway' };

/** identity with one deletion that is due since `count` hours. */
const openDeletion = (count: number) => {
  const userId = worker.addUser();
  const due = {
    userId,
    deletionId: uuidv7(),
    dueAt: new Date(START.getTime() - hours(count)).toISOString(),
  };
  const completed: string[] = [];
  const reply = (path: string, input: { deletionId?: string }): unknown => {
    if (path === privacyEndpoints.advanceDeletions.path) return { data: [due] };
    if (path === privacyEndpoints.eraseDueUser.path) completed.push(input.deletionId ?? '');
    return { deleted: true };
  };
  const identity = ((endpoint: { path: string }, input: object) =>
    Promise.resolve(reply(endpoint.path, input))) as unknown as ServiceClient;
  return {
    ...due,
    completed,
    advance: () => advanceDeletions({ ...worker, identity }),
  };
};

describe('an account whose deletion is due', () => {
  it('is deleted only after its last email has been sent', async () => {
    const { userId, deletionId, completed, advance } = openDeletion(1);
    await advance();
    await advance();
    expect(completed).toEqual([]);
    await worker.send(userId);
    expect((await worker.sent(userId)).map(({ subject }) => subject)).toEqual([
      'Your Shortlist account was deleted',
    ]);
    await advance();
    expect(completed).toEqual([deletionId]);
    expect(await worker.rows(userId)).toHaveLength(1);
  });

  it('does not wait for its last email if nothing is sent to the address', async () => {
    const { userId, deletionId, completed, advance } = openDeletion(1);
    await suppress(worker.db.manager, {
      email: `${userId}@people.test`,
      userId,
      kind: 'bounced',
      reason: '',
      occurredAt: START,
    });
    await advance();
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'undeliverable' }]);
    await advance();
    expect(completed).toEqual([deletionId]);
  });

  it('does not wait for its last email for more than a day', async () => {
    const { deletionId, completed, advance } = openDeletion(25);
    await advance();
    expect(completed).toEqual([deletionId]);
  });
});

describe('the emails about a deletion', () => {
  const contentOf = async (userId: string): Promise<string[]> => {
    const rows = await worker.db.query<{ data: string }[]>('SELECT data FROM mails WHERE user_id = ?', [
      userId,
    ]);
    return rows.map(({ data }) => data);
  };

  it('say until when the account can be kept, at the request and some days before', async () => {
    const userId = worker.addUser();
    const data = { deletionId: uuidv7(), dueAt: '2026-03-31T12:00:00.000Z' };
    await worker.publish(deletionRequested, userId, data);
    await worker.publish(deletionApproaching, userId, data);
    await worker.send(userId);
    const mails = await worker.sent(userId);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your Shortlist account will be deleted',
      'Your Shortlist account is about to be deleted',
    ]);
    for (const { text } of mails) expect(text).toContain('March 31, 2026 at 12:00 PM UTC');
    expect(mails[0]?.text).toContain('Keep my account: https://shortlist.test/login');
  });

  it('are the only rows that are left of a user, with the mark of the deletion and the results of jobs', async () => {
    const userId = worker.addUser();
    await insertUserRows(worker.db, userId);
    worker.deleteProfile(userId);
    await worker.publish(userDeleted, userId, { by: userId, generation: 1 });
    expect(await listTablesWith(worker.db, userId)).toEqual(['bulk_items', 'deleted_users', 'mails']);
  });

  it('lose their content with the user, whether sent or not, and so do later ones', async () => {
    const userId = worker.addUser();
    await worker.publish(newDeviceUsed, userId, DEVICE);
    worker.deleteProfile(userId);
    await worker.publish(userDeleted, userId, { by: userId, generation: 1 });
    await worker.publish(newDeviceUsed, userId, DEVICE);
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    const rows = await worker.db.query<{ data: string; status: string }[]>(
      'SELECT data, status FROM mails WHERE user_id = ?',
      [userId],
    );
    expect(rows).toEqual(Array(2).fill({ data: '{}', status: 'skipped' }));
  });

  it('lose their content also when profile has not deleted the user yet', async () => {
    const userId = worker.addUser();
    await worker.publish(userDeleted, userId, { by: userId, generation: 1 });
    await worker.publish(newDeviceUsed, userId, DEVICE);
    await worker.publish(paymentSucceeded, userId, PAYMENT);
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    expect(await contentOf(userId)).toEqual(['{}', '{}']);
    expect(await listTablesWith(worker.db, userId)).toEqual(['deleted_users', 'mails']);
  });

  it('lose their content when they are stored at the moment of the deletion', async () => {
    const users = Array.from({ length: 40 }, () => worker.addUser());
    const store = (userId: string) =>
      inTransaction(worker.db, async (tx) => {
        await insertMail(tx, {
          id: uuidv7(),
          template: 'new_device',
          userId,
          eventId: uuidv7(),
          data: DEVICE,
        });
      });
    const erase = (userId: string) => inTransaction(worker.db, (tx) => eraseUser(tx, userId, START));
    await Promise.all(users.flatMap((userId) => [store(userId), erase(userId), store(userId)]));
    const contents = await Promise.all(users.map(contentOf));
    expect(contents).toEqual(users.map(() => ['{}', '{}']));
  });
});
