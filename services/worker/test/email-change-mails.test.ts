import {
  emailChanged,
  emailChangeRequested,
  emailChangeStarted,
  takenEmailRequested,
} from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

/** The mails to an address, which begins with an id: that of its user, or that of a change. */
const mailTo = async (userId: string, addressId = userId) => {
  await worker.send(userId);
  return worker.sent(addressId);
};
const changed = (changeId: string) => ({
  email: 'new@people.test',
  version: 2,
  changeId,
  generation: 1,
  keptSessionId: '',
});

it('A13 the email to confirm a new address goes to that address, with a link and a code', async () => {
  const [userId, changeId] = [worker.addUser(), uuidv7()];
  worker.addChange(changeId, `${changeId}@people.test`);
  await worker.publish(emailChangeRequested, userId, { changeId });
  const [mail] = await mailTo(userId, changeId);
  expect(mail?.to).toMatchObject([{ email: `${changeId}@people.test` }]);
  expect(mail?.text).toMatch(/https:\/\/shortlist\.test\/confirm-email#token=email_change-\d+/);
  expect(mail?.text).toContain(
    'The link expires in 24 hours. Or enter this code within 15 minutes:\n\n012345',
  );
  expect(JSON.stringify(await worker.db.query('SELECT * FROM mails'))).not.toMatch(/email_change-|012345/);
});

it('A13 it is skipped once the request is canceled', async () => {
  const userId = worker.addUser();
  await worker.publish(emailChangeRequested, userId, { changeId: uuidv7() });
  await worker.send(userId);
  expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped' }]);
});

it('A13 the owner of an address that another account requested is notified', async () => {
  const userId = worker.addUser();
  await worker.publish(takenEmailRequested, userId, {});
  const [mail] = await mailTo(userId);
  expect(mail?.to).toMatchObject([{ email: `${userId}@people.test` }]);
  expect(mail?.subject).toBe('This email already has an account');
  expect(mail?.text).toContain('Log In: https://shortlist.test/login');
});

it('A13 an admin whose address was requested is sent to the log-in of admins', async () => {
  const adminId = worker.addAdmin();
  await worker.publish(takenEmailRequested, adminId, {});
  expect((await mailTo(adminId))[0]?.text).toContain('https://shortlist.test/admin/login');
});

it('A13 the current address is notified of the request, with a link that ends it', async () => {
  const [userId, changeId] = [worker.addUser(), uuidv7()];
  worker.addChange(changeId, `${changeId}@people.test`);
  await worker.publish(emailChangeStarted, userId, { changeId });
  const [mail] = await mailTo(userId, changeId);
  expect(mail?.to).toMatchObject([{ email: `${changeId}@people.test` }]);
  expect(mail?.text).toContain(
    'On March 1, 2026 at 12:00 PM UTC, we received a request to change the email of your',
  );
  expect(mail?.text).toContain('removes passkeys and two-step verification added since the request');
  expect(mail?.text).toMatch(/https:\/\/shortlist\.test\/undo-email-change#token=email_undo-\d+/);
});

it('A13 the former address is notified of the change, with a link to undo it', async () => {
  const [userId, changeId] = [worker.addUser(), uuidv7()];
  worker.addChange(changeId, `${changeId}@people.test`);
  await worker.publish(emailChanged, userId, changed(changeId));
  const [mail] = await mailTo(userId, changeId);
  expect(mail?.to).toMatchObject([{ email: `${changeId}@people.test` }]);
  expect(mail?.text).toContain('was changed on March 1, 2026 at 12:00 PM UTC.');
  expect(mail?.text).toContain('undo the change within 7 days');
  expect(mail?.text).toMatch(/https:\/\/shortlist\.test\/undo-email-change#token=email_undo-\d+/);
});

it('A13 an undone change, and one that cannot be undone, cause no such email', async () => {
  const userId = worker.addUser();
  await worker.publish(emailChanged, userId, changed(uuidv7()));
  await worker.send(userId);
  expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped' }]);
});
