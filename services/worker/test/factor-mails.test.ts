import { factorAdded, factorRemoved } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker(9);
});
afterAll(() => worker.close());

const sentTo = async (userId: string) => {
  await worker.send(userId);
  const mails = await worker.sent(userId);
  expect(mails).toHaveLength(1);
  return mails[0];
};

describe('a change of factors is mailed', () => {
  it.each([
    [factorAdded, 'totp', 'Two-step verification was turned on'],
    [factorAdded, 'passkey', 'A new passkey was added'],
    [factorRemoved, 'totp', 'Two-step verification was turned off'],
    [factorRemoved, 'passkey', 'A passkey was removed'],
  ] as const)('%o of %s', async (event, factor, subject) => {
    const userId = worker.addUser();
    await worker.publish(event as typeof factorRemoved, userId, {
      factor,
      by: userId,
      reason: '',
      generation: 0,
    });
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain('If you did not expect this, set a new password now');
    expect(mail?.text).toContain('https://shortlist.test/security');
    expect(mail?.text).not.toContain('support team did this');
  });

  it('with the reason of support', async () => {
    const userId = worker.addUser();
    await worker.publish(factorRemoved, userId, {
      factor: 'totp',
      by: 'an admin',
      reason: 'Lost the phone',
      generation: 1,
    });
    expect((await sentTo(userId))?.text).toContain('The reason: Lost the phone');
  });

  it('to an admin, who has no profile', async () => {
    const adminId = worker.addAdmin();
    await worker.publish(factorAdded, adminId, { factor: 'totp', by: adminId });
    expect((await sentTo(adminId))?.text).toContain('https://shortlist.test/admin/security');
  });
});
