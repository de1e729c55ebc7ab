import { inSeconds, minutes } from '@shortlist/contracts/durations';
import {
  emailVerificationRequested,
  passwordChanged,
  passwordResetRequested,
  type UserRegistered,
  userRegistered,
} from '@shortlist/contracts/events/identity';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { uuidv7 } from 'uuidv7';
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

const mailTo = async (userId: string) => {
  await worker.send(userId);
  return worker.sent(userId);
};

describe('the email about a changed password', () => {
  it('A9 says when it was changed and links to the page for a lost password', async () => {
    const userId = worker.addUser();
    await worker.publish(passwordChanged, userId, { by: userId, generation: 1, keptSessionId: '' });
    const [mail] = await mailTo(userId);
    expect(mail?.subject).toBe('Your password was changed');
    expect(mail?.text).toContain('was changed on March 1, 2026 at 12:00 PM UTC.');
    expect(mail?.text).toContain('Set a new password: https://shortlist.test/forgot-password');
  });

  it('A9 says that an administrator set the password', async () => {
    const userId = worker.addUser();
    await worker.publish(passwordChanged, userId, { by: uuidv7(), generation: 1, keptSessionId: '' });
    expect((await mailTo(userId))[0]?.text).toContain('An administrator set a new password');
  });

  it('A9 reaches an admin, who has no profile', async () => {
    const adminId = worker.addAdmin();
    await worker.publish(passwordChanged, adminId, { by: adminId, generation: 1, keptSessionId: '' });
    expect((await mailTo(adminId)).map(({ subject }) => subject)).toEqual(['Your password was changed']);
  });
});

describe('the email with a reset link', () => {
  it('A10 links to the configured host, with a token that is in no table', async () => {
    const userId = worker.addUser();
    await worker.publish(passwordResetRequested, userId, {});
    const [mail] = await mailTo(userId);
    const link = /https:\/\/shortlist\.test\/reset-password#token=(password_reset-\d+)/.exec(
      mail?.text ?? '',
    );
    expect(mail?.subject).toBe('Set a new password');
    expect(mail?.text).toContain('The link works once and expires in 30 minutes.');
    expect(link?.[1]).toBeDefined();
    expect(JSON.stringify(await worker.db.query('SELECT * FROM mails'))).not.toContain(link?.[1]);
  });

  it('A10 reaches an admin, who has no profile', async () => {
    const adminId = worker.addAdmin();
    await worker.publish(passwordResetRequested, adminId, {});
    expect(await mailTo(adminId)).toMatchObject([{ subject: 'Set a new password' }]);
  });

  it('A10 is skipped at once for an id without an account', async () => {
    const userId = uuidv7();
    await worker.publish(passwordResetRequested, userId, {});
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped' }]);
  });

  it('waits while identity is unavailable', async () => {
    const userId = worker.addUser();
    await worker.publish(passwordResetRequested, userId, {});
    worker.setIdentityDown(true);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    worker.setIdentityDown(false);
    expect(await mailTo(userId)).toHaveLength(1);
  });
});

describe('the email to confirm an address', () => {
  it('A12 has a link and a code, which are in no table', async () => {
    const userId = worker.addUser();
    await worker.publish(emailVerificationRequested, userId, { by: userId });
    const [mail] = await mailTo(userId);
    expect(mail?.text).toMatch(/https:\/\/shortlist\.test\/verify-email#token=email_verify-\d+/);
    expect(mail?.text).toContain('enter this code within 15 minutes:\n\n012345');
    expect(JSON.stringify(await worker.db.query('SELECT * FROM mails'))).not.toMatch(/email_verify-|012345/);
  });

  it('A12 waits until profile knows the name, and is sent without it after ten minutes', async () => {
    const userId = worker.addAccount();
    await worker.publish(emailVerificationRequested, userId, { by: userId });
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    await worker.age(inSeconds(minutes(10)));
    const [mail] = await mailTo(userId);
    expect(mail?.text).toMatch(/^Hello,\n/);
  });

  it('A12 is skipped once the address is confirmed, and the welcome has no link to confirm it', async () => {
    const userId = worker.addUser();
    worker.setVerified(userId);
    await worker.publish(emailVerificationRequested, userId, { by: userId });
    await worker.publish(userRegistered, userId, account);
    const mails = await mailTo(userId);
    expect(mails.map(({ subject }) => subject)).toEqual(['Welcome to Shortlist']);
    expect(mails[0]?.text).not.toContain('verify-email');
  });
});
