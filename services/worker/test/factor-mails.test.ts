import {
  factorAdded,
  factorRemoved,
  recoveryCodesRenewed,
  recoveryCodeUsed,
} from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const sentTo = async (userId: string) => {
  await worker.send(userId);
  const mails = await worker.sent(userId);
  expect(mails).toHaveLength(1);
  return mails[0];
};

describe('a change of factors is emailed', () => {
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
    expect(mail?.text).not.toContain('support team');
  });

  it('of recovery codes that were renewed', async () => {
    const userId = worker.addUser();
    await worker.publish(recoveryCodesRenewed, userId, { by: userId });
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('You have new recovery codes');
    expect(mail?.text).toContain('If you did not expect this, set a new password now');
  });

  it.each([
    [8, 'You have 8 codes left.'],
    [1, 'You have one code left.'],
    [0, 'You have no codes left.'],
  ])('of a recovery code that was used, with %i left', async (left, text) => {
    const userId = worker.addUser();
    await worker.publish(recoveryCodeUsed, userId, { left });
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('A recovery code was used');
    expect(mail?.text).toContain(`was used on March 1, 2026 at 12:00 PM UTC. ${text}`);
    expect(mail?.text).toContain('https://shortlist.test/security');
  });

  it('with the reason of support', async () => {
    const userId = worker.addUser();
    await worker.publish(factorRemoved, userId, {
      factor: 'totp',
      by: 'an admin',
      reason: 'Lost the phone',
      generation: 1,
    });
    expect((await sentTo(userId))?.text).toContain('Reason: Lost the phone');
  });

  it('to an admin, who has no profile', async () => {
    const adminId = worker.addAdmin();
    await worker.publish(factorAdded, adminId, { factor: 'totp', by: adminId });
    expect((await sentTo(adminId))?.text).toContain('https://shortlist.test/admin/security');
  });
});
