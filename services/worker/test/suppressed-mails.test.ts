import { suppressionEndpoints } from '@shortlist/contracts/api/email';
import { days } from '@shortlist/contracts/durations';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import * as identity from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { startPruning } from '@shortlist/kit/messaging/pruning';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OLD_SUPPRESSIONS } from '../src/mail/suppression-queries.ts';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker({ clock: () => new Date() });
});
afterEach(() => worker.control('DELETE', '/faults'));
afterAll(() => worker.close());

const service = asService();
type Fate = 'deliver' | 'bounce' | 'block' | 'drop' | 'complain' | 'defer';
const emailOf = (id: string): string => `${id}@people.test`;
const setFate = (email: string, fate: Fate) => worker.control('PUT', '/mailboxes', { email, fate });
const find = async (email: string) =>
  (await worker.ask(suppressionEndpoints.findSuppressions, { emails: [email] }, service)).data[0];
const lift = (email: string) => worker.ask(suppressionEndpoints.liftSuppression, { email }, service);
const listed = async (email: string): Promise<string[]> =>
  (await worker.control<{ data: string[] }>('GET', '/suppressions')).data.filter((key) =>
    key.endsWith(email),
  );

/** An email that protects the account, and one that does not. */
const changePassword = (id: string) =>
  worker.publish(identity.passwordChanged, id, { by: id, generation: 1, keptSessionId: '' });
const askToConfirm = (id: string) => worker.publish(identity.emailVerificationRequested, id, { by: id });

const statusesOf = async (userId: string): Promise<string[]> =>
  (await worker.rows(userId)).map(({ status }) => status);
const untilDelivery = (userId: string, delivery: string) =>
  until(`the mail to be ${delivery}`, async () => {
    const rows = await worker.db.query<{ delivery: string }[]>(
      'SELECT delivery FROM mails WHERE user_id = ?',
      [userId],
    );
    return rows.some((row) => row.delivery === delivery);
  });

/** A user with an email that had this result. */
const mailedUser = async (fate: Fate, delivery: string): Promise<{ userId: string; email: string }> => {
  const userId = worker.addUser();
  const email = emailOf(userId);
  await setFate(email, fate);
  await changePassword(userId);
  await worker.send(userId);
  await untilDelivery(userId, delivery);
  return { userId, email };
};
const counted = async (outcome: string): Promise<number> =>
  Number(
    new RegExp(`^mails_total\\{template="password_changed",outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(
      await worker.metrics.text(),
    )?.[1] ?? 0,
  );

describe('an email to an address that bounced', () => {
  it('is not sent, whatever it is, and settled as undeliverable', async () => {
    const { userId, email } = await mailedUser('bounce', 'bounced');
    expect(await find(email)).toMatchObject({
      email,
      kind: 'bounced',
      reason: `550 5.1.1 ${email} : Recipient address rejected: User unknown`,
    });
    const before = await counted('undeliverable');
    await changePassword(userId);
    await askToConfirm(userId);
    await worker.send(userId);
    expect(await statusesOf(userId)).toEqual(['sent', 'undeliverable', 'undeliverable']);
    expect(await worker.sent(userId)).toHaveLength(1);
    expect(await counted('undeliverable')).toBe(before + 1);
  });

  it('is not sent either if the provider considered the address invalid', async () => {
    const { userId, email } = await mailedUser('drop', 'dropped');
    expect(await find(email)).toMatchObject({ kind: 'bounced', reason: 'Invalid' });
    await changePassword(userId);
    await worker.send(userId);
    expect(await statusesOf(userId)).toEqual(['sent', 'undeliverable']);
  });

  it('is sent to the user’s new address', async () => {
    const { userId } = await mailedUser('bounce', 'bounced');
    const next = uuidv7();
    worker.setEmail(userId, emailOf(next));
    await changePassword(userId);
    await worker.send(userId);
    expect(await worker.sent(next)).toHaveLength(1);
    expect(await statusesOf(userId)).toEqual(['sent', 'sent']);
  });

  it('is not sent to another user who has the address by now, and its row is deleted with that user', async () => {
    const { email } = await mailedUser('bounce', 'bounced');
    const next = worker.addUser();
    worker.setEmail(next, email);
    await changePassword(next);
    await worker.send(next);
    expect(await statusesOf(next)).toEqual(['undeliverable']);
    worker.deleteProfile(next);
    await worker.publish(identity.userDeleted, next, { by: next, generation: 1 });
    expect(await find(email)).toBeUndefined();
  });

  it('is not recorded as an attempt, and can still be sent later', async () => {
    const { userId, email } = await mailedUser('bounce', 'bounced');
    await changePassword(userId);
    await worker.fault({ status: 500, times: 1 }); // which a call would meet
    await worker.send(userId);
    expect((await worker.rows(userId)).at(-1)).toMatchObject({ status: 'undeliverable', attempts: 1 });
    await setFate(email, 'deliver');
    await lift(email);
    await worker.db.query(
      "UPDATE mails SET status = 'pending' WHERE user_id = ? AND status = 'undeliverable'",
      [userId],
    );
    await worker.control('DELETE', '/faults');
    await worker.send(userId);
    expect(await statusesOf(userId)).toEqual(['sent', 'sent']);
  });
});

describe('an email to a person other than the user, at an address that bounced', () => {
  it('is not sent: an invitation of an admin', async () => {
    const invited = worker.addAccount();
    await setFate(emailOf(invited), 'bounce');
    const invite = () =>
      worker.publish(identity.adminInvited, invited, { role: 'support', by: uuidv7() } as never);
    await invite();
    await worker.send(invited);
    await untilDelivery(invited, 'bounced');
    await invite();
    await worker.send(invited);
    expect(await statusesOf(invited)).toEqual(['sent', 'undeliverable']);
    await setFate(emailOf(invited), 'deliver');
    await lift(emailOf(invited));
    await invite();
    await worker.send(invited);
    expect(await statusesOf(invited)).toEqual(['sent', 'undeliverable', 'sent']);
  });

  it.each([
    ['the new address of a change', identity.emailChangeRequested],
    ['the former address of a change', identity.emailChanged],
  ])('is not sent: to %s, while the account gets its own', async (_where, event) => {
    const userId = worker.addUser();
    const [changeId, other] = [uuidv7(), uuidv7()];
    worker.addChange(changeId, emailOf(other));
    await setFate(emailOf(other), 'bounce');
    const change = () =>
      worker.publish(event, userId, { changeId, email: emailOf(other), version: 2 } as never);
    await change();
    await worker.send(userId);
    await untilDelivery(userId, 'bounced');
    expect(await find(emailOf(other))).toMatchObject({ kind: 'bounced' });
    await change();
    await changePassword(userId);
    await worker.send(userId);
    expect(await statusesOf(userId)).toEqual(['sent', 'undeliverable', 'sent']);
    expect(await worker.sent(userId)).toHaveLength(1);
  });
});

it.each([
  ['block', 'blocked'],
  ['defer', 'deferred'],
  ['deliver', 'delivered'],
] as const)('a mailbox that does %s gets the next mail', async (fate, delivery) => {
  const { userId, email } = await mailedUser(fate, delivery);
  expect(await find(email)).toBeUndefined();
  await changePassword(userId);
  await worker.send(userId);
  expect(await statusesOf(userId)).toEqual(['sent', 'sent']);
});

describe('after a complaint', () => {
  it('only emails that protect the account are sent, bypassing the provider’s own list', async () => {
    const { userId, email } = await mailedUser('complain', 'complained');
    expect(await find(email)).toMatchObject({ kind: 'complained', reason: '' });
    expect(await listed(email)).toEqual([`spam_reports/${email}`]);
    await setFate(email, 'deliver');
    await askToConfirm(userId);
    await changePassword(userId);
    await worker.publish(identity.passwordResetRequested, userId, {});
    await worker.send(userId);
    expect(await statusesOf(userId)).toEqual(['sent', 'undeliverable', 'sent', 'sent']);
    expect(
      (await worker.sent(userId)).map(({ bypassesSpam, outcomes }) => [bypassesSpam, outcomes[email]]),
    ).toEqual([
      [true, 'spamreport'],
      [true, 'delivered'],
      [true, 'delivered'],
    ]);
  });

  it('other emails do not bypass the provider’s list', async () => {
    const userId = worker.addUser();
    await askToConfirm(userId);
    await worker.send(userId);
    expect(await worker.sent(userId)).toMatchObject([{ bypassesSpam: false }]);
  });
});

describe('an address whose suppression is lifted', () => {
  it('gets emails, here and at the provider', async () => {
    const { userId, email } = await mailedUser('bounce', 'bounced');
    expect(await listed(email)).toEqual([`bounces/${email}`]);
    await setFate(email, 'deliver');
    await lift(email);
    expect(await listed(email)).toEqual([]);
    expect(await find(email)).toBeUndefined();
    await changePassword(userId);
    await worker.send(userId);
    expect((await worker.sent(userId)).map(({ outcomes }) => outcomes[email])).toEqual([
      'bounce',
      'delivered',
    ]);
    await lift(email); // once more does no harm
  });

  it('is suppressed again by the next bounce, but not by a late repetition of the last', async () => {
    const { userId, email } = await mailedUser('bounce', 'bounced');
    await worker.db.query(
      'UPDATE suppressions SET occurred_at = NOW(3) - INTERVAL 60 SECOND WHERE email = ?',
      [email],
    );
    await lift(email);
    // Another email from before, whose event arrives late.
    await changePassword(userId);
    await worker.db.query("UPDATE mails SET status = 'sent' WHERE user_id = ?", [userId]);
    const [, late] = await worker.rows(userId);
    const { storeEvents } = await import('../src/mail/event-webhook.ts');
    const at = new Date(Date.now() - 30_000);
    const bounce = { kind: 'bounce', type: 'bounce', reason: '550', email, mailId: late?.id ?? '', at };
    await storeEvents(worker.db, [bounce], () => undefined);
    expect(await find(email)).toBeUndefined();
    await changePassword(userId);
    await worker.send(userId);
    await until('the new bounce', async () => (await find(email)) !== undefined);
    expect(await find(email)).toMatchObject({ kind: 'bounced' });
  });

  it.each([
    ['responds with an error', { status: 500 }],
    ['does not let the key do so', { status: 403 }],
  ])('stays suppressed while the provider %s', async (_how, fault) => {
    const { email } = await mailedUser('bounce', 'bounced');
    await worker.control('PUT', '/faults', { path: '/v3/suppression/', times: 3, ...fault });
    await expect(lift(email)).rejects.toMatchObject({ code: 'worker.suppression_kept', status: 503 });
    expect(await find(email)).toBeDefined();
    await worker.control('DELETE', '/faults');
    await lift(email);
    expect(await find(email)).toBeUndefined();
  });

  it('may have characters that must be escaped in a URL', async () => {
    const userId = worker.addUser();
    const email = `a/b?c#d%e+${userId}@people.test`;
    worker.setEmail(userId, email);
    await setFate(email, 'bounce');
    await changePassword(userId);
    await worker.send(userId);
    await untilDelivery(userId, 'bounced');
    await lift(email);
    expect(await listed(email)).toEqual([]);
    expect(await find(email)).toBeUndefined();
  });

  it('gets a test email that says so, once per request', async () => {
    const userId = worker.addUser();
    await worker.ask(suppressionEndpoints.sendTestMail, { userId }, service);
    await worker.ask(suppressionEndpoints.sendTestMail, { userId }, service);
    await worker.send(userId);
    const mails = await worker.sent(userId);
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Our emails reach you again'));
    expect(mails[0]?.text).toContain('did not reach this address, but this one did');
  });
});

it('only requested and suppressed addresses are returned', async () => {
  const [one, other] = [await mailedUser('bounce', 'bounced'), await mailedUser('bounce', 'bounced')];
  await lift(other.email);
  const emails = [one.email, other.email, 'nobody@people.test'];
  const { data } = await worker.ask(suppressionEndpoints.findSuppressions, { emails }, service);
  expect(data.map(({ email }) => email)).toEqual([one.email]);
  expect((await worker.ask(suppressionEndpoints.findSuppressions, { emails: [] }, service)).data).toEqual([]);
});

it('a suppression ends automatically after ninety days', async () => {
  const { db, log } = worker;
  const { email } = await mailedUser('bounce', 'bounced');
  const pruneAt = async (time: number): Promise<void> => {
    const pruning = startPruning({ db, log, clock: () => new Date(time), more: [OLD_SUPPRESSIONS] });
    await pruning.stop();
  };
  await pruneAt(Date.now() + days(89));
  expect(await find(email)).toBeDefined();
  const pruning = startPruning({
    db,
    log,
    clock: () => new Date(Date.now() + days(91)),
    more: [OLD_SUPPRESSIONS],
  });
  await until('the row to expire', async () => (await find(email)) === undefined);
  await pruning.stop();
});

it('a welcome to an address that bounces is the last email to it', async () => {
  const userId = worker.addUser();
  await setFate(emailOf(userId), 'bounce');
  await worker.publish(identity.userRegistered, userId, {
    email: emailOf(userId),
    ...exampleProfile({ firstName: 'Ada', lastName: 'Lovelace' }),
    picture: null,
    createdAt: new Date().toISOString(),
  });
  await worker.send(userId);
  await untilDelivery(userId, 'bounced');
  await askToConfirm(userId);
  await worker.send(userId);
  expect(await statusesOf(userId)).toEqual(['sent', 'undeliverable']);
});
