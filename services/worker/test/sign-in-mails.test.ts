import { loginLocked, newDeviceUsed, secondFactorsRefused } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

const HERE = { browser: 'Firefox', system: 'macOS', network: '198.51.100.0/24', place: 'Lagos, Nigeria' };
const UNKNOWN = { browser: '', system: '', network: '198.51.100.0/24', place: '' };

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const sentTo = async (userId: string) => {
  await worker.send(userId);
  return (await worker.sent(userId))[0];
};

it('a log-in on a new device is emailed with device, place and time, and what to do', async () => {
  const userId = worker.addUser();
  await worker.publish(newDeviceUsed, userId, HERE);
  const mail = await sentTo(userId);
  expect(mail?.subject).toBe('New sign-in to your Shortlist account');
  expect(mail?.text).toContain('Firefox on macOS, near Lagos, Nigeria, on March 1, 2026 at 12:00 PM UTC.');
  expect(mail?.text).toContain('https://shortlist.test/forgot-password');
  expect(mail?.text).not.toContain('198.51.100');
});

it('an unknown device without a place is emailed too', async () => {
  const userId = worker.addUser();
  await worker.publish(newDeviceUsed, userId, UNKNOWN);
  expect((await sentTo(userId))?.text).toContain('An unknown device, on March 1, 2026');
});

it('A6 a locked account is emailed with a link to set a new password', async () => {
  const userId = worker.addUser();
  await worker.publish(loginLocked, userId, HERE);
  const mail = await sentTo(userId);
  expect(mail?.subject).toBe('Someone is trying to sign in to your Shortlist account');
  expect(mail?.text).toContain('most recently near Lagos, Nigeria on March 1, 2026');
  expect(mail?.text).toContain('https://shortlist.test/forgot-password');
});

it('wrong second factors are emailed with place and time, and a link to set a new password', async () => {
  const userId = worker.addUser();
  await worker.publish(secondFactorsRefused, userId, HERE);
  const mail = await sentTo(userId);
  expect(mail?.subject).toBe('Someone may know your Shortlist password');
  expect(mail?.text).toContain('most recently near Lagos, Nigeria on March 1, 2026');
  expect(mail?.text).toContain('https://shortlist.test/forgot-password');
  expect(mail?.text).not.toContain('198.51.100');
});

it('an admin is emailed at the account’s address', async () => {
  const adminId = worker.addAdmin();
  await worker.publish(newDeviceUsed, adminId, HERE);
  expect((await sentTo(adminId))?.text).toContain('Hello,');
});
