import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import * as billing from '@shortlist/contracts/events/billing';
import { type UserRegistered, userRegistered } from '@shortlist/contracts/events/identity';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimMails, insertMail, settleMails } from '../src/mail/queries.ts';
import { sendDueMails } from '../src/mail/send-mail.ts';
import { openWorker, PAYMENT as payment, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterEach(() => worker.control('DELETE', '/faults'));
afterAll(() => worker.close());

const account: UserRegistered = {
  email: 'ada@people.test',
  ...exampleProfile({ firstName: 'Ada', lastName: 'Lovelace' }),
  picture: null,
  createdAt: START.toISOString(),
};
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const sentTo = async (userId: string) => {
  await worker.send(userId);
  const [mail, ...more] = await worker.sent(userId);
  expect(more).toEqual([]);
  return mail;
};

describe('a mail', () => {
  const createMailFor = async (firstName?: string): Promise<string> => {
    const userId = worker.addUser(firstName);
    await worker.publish(billing.paymentSucceeded, userId, payment);
    return userId;
  };

  /** The milliseconds between the last attempt at a mail and the next. */
  const pauseOf = async (userId: string): Promise<number> => {
    const [row] = await worker.db.query<{ pause: string }[]>(
      'SELECT TIMESTAMPDIFF(MICROSECOND, changed_at, next_try_at) DIV 1000 AS pause FROM mails WHERE user_id = ?',
      [userId],
    );
    return Number(row?.pause);
  };

  it('I1: is sent once by a job that runs ten times concurrently', async () => {
    const userId = await createMailFor();
    await Promise.all(times(10).map(() => worker.send(userId)));
    expect(await worker.sent(userId)).toHaveLength(1);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'sent', uncertain: 0 }]);
  });

  it('with a template of a newer release waits for a worker of that release, and the others are sent', async () => {
    const [userId, other] = [await createMailFor(), await createMailFor()];
    await worker.db.query("UPDATE mails SET template = 'novel' WHERE user_id = ?", [userId]);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await worker.send(other);
    expect(await worker.sent(other)).toHaveLength(1);
    await worker.db.query("UPDATE mails SET template = 'receipt' WHERE user_id = ?", [userId]);
    await worker.send(userId);
    expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('has links without tracking, and does not report its opening', async () => {
    expect((await sentTo(await createMailFor()))?.isTracked).toBe(false);
  });

  it('I1: is created once by ten duplicate events', async () => {
    const userId = worker.addUser();
    const event = await worker.publish(billing.paymentSucceeded, userId, payment);
    for (const _ of times(10)) await worker.publishAgain(event, 'billing.events');
    await worker.publish(billing.paymentSucceeded, worker.addUser(), payment);
    expect(await worker.rows(userId)).toHaveLength(1);
  });

  it('I1: is released by the sweep, marked uncertain and sent at most once more if its sender died', async () => {
    const userId = await createMailFor();
    for (const _ of times(3)) {
      await worker.db.query(
        "UPDATE mails SET status = 'sending', changed_at = NOW(3) WHERE user_id = ? AND status = 'pending'",
        [userId],
      );
      await worker.age(26);
      await worker.sweep();
    }
    expect(await worker.rows(userId)).toMatchObject([{ status: 'failed', uncertain: 1 }]);
  });

  it('I1: is not changed by a sender that was considered dead after it was released and sent', async () => {
    const userId = await createMailFor();
    await worker.makeDue(userId);
    const [mail] = (await claimMails(worker.db)).mails;
    expect(mail?.userId).toBe(userId);
    await worker.age(26);
    await worker.sweep();
    await worker.send(userId);
    const overtaken = { ids: [mail?.id ?? ''], attempts: 1 };
    await settleMails(worker.db.manager, overtaken, { status: 'pending', uncertain: true });
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'sent', attempts: 2, uncertain: 1 }]);
    expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('I1: is claimed by one of many senders, and others claim others', async () => {
    const ids = times(50).map(() => uuidv7());
    const mail = { template: 'receipt', data: {} } as const;
    for (const id of ids)
      await insertMail(worker.db.manager, { ...mail, id, userId: worker.addUser(), eventId: uuidv7() });
    const claims = await Promise.all(times(20).map(() => claimMails(worker.db)));
    // A sender passes over the rows that others hold at that moment: those are left to the next.
    do claims.push(await claimMails(worker.db));
    while (claims.at(-1)?.mails.length !== 0);
    const claimed = claims.flatMap(({ mails }) => mails.map(({ id }) => id));
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed).toEqual(expect.arrayContaining(ids));
  });

  it('I1: is claimed alone if it is uncertain, so that no other can cost it its last attempt', async () => {
    const users = await Promise.all(times(3).map(() => createMailFor()));
    const [uncertain = ''] = users;
    await worker.db.query(
      "UPDATE mails SET uncertain = user_id = ?, next_try_at = '2000-01-01' WHERE status = 'pending' AND user_id IN (?)",
      [uncertain, users],
    );
    const claims = [await claimMails(worker.db), await claimMails(worker.db)].map(({ mails }) =>
      mails.filter(({ userId }) => users.includes(userId)).map(({ userId }) => userId),
    );
    expect(claims).toContainEqual([uncertain]);
    expect(claims.flat().toSorted()).toEqual(users.toSorted());
  });

  it('follows the one before it to the same user', async () => {
    const userId = await createMailFor();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, invoiceId: 'in_2' });
    await worker.makeDue(userId);
    const { mails, hasMore } = await claimMails(worker.db);
    expect(mails.map((mail) => mail.userId)).toEqual([userId]);
    expect(hasMore).toBe(true);
    await sendDueMails(worker);
    expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('is recorded as sent while the provider still takes another of the same claim', async () => {
    await worker.fault({ delayMs: 5_000, times: 1 });
    const users = await Promise.all(times(2).map(() => createMailFor()));
    const sending = sendDueMails(worker);
    const statuses = async () =>
      (await Promise.all(users.map(worker.rows))).flat().map(({ status }) => status);
    await until('one of both', async () => (await statuses()).includes('sent'));
    expect((await statuses()).toSorted()).toEqual(['sending', 'sent']);
    await sending;
    expect(await statuses()).toEqual(['sent', 'sent']);
  });

  it.each([[429], [500], [503]])(
    'I2: is retried with growing delays until sent when the provider responds with %i',
    async (status) => {
      const userId = await createMailFor();
      await worker.fault({ status, times: 3 });
      const pauses: number[] = [];
      for (const _ of times(3)) {
        await worker.send(userId);
        pauses.push(await pauseOf(userId));
      }
      expect(await worker.rows(userId)).toMatchObject([{ status: 'pending', attempts: 3, uncertain: 0 }]);
      expect(pauses).toEqual([500, 1_000, 2_000]);
      await worker.db.query('UPDATE mails SET attempts = attempts + 10 WHERE user_id = ?', [userId]);
      await worker.fault({ status, times: 1 });
      await worker.send(userId);
      expect(await pauseOf(userId)).toBe(75_000);
      await sendDueMails(worker);
      expect(await worker.sent(userId)).toEqual([]);
      await worker.age(76);
      await sendDueMails(worker);
      expect(await worker.sent(userId)).toHaveLength(1);
    },
  );

  it('I2: fails with the error, without a retry, when the provider rejects it', async () => {
    const userId = await createMailFor();
    await worker.fault({ status: 400, times: 1 });
    for (const _ of times(3)) await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    const refused = { status: 'failed', attempts: 1, last_error: expect.stringMatching(/^400/) as string };
    expect(await worker.rows(userId)).toMatchObject([refused]);
  });

  it('waits while profile is unavailable', async () => {
    const userId = await createMailFor();
    worker.setProfileDown(true);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    worker.setProfileDown(false);
    await worker.send(userId);
    expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('waits for a user whom profile does not know yet', async () => {
    const userId = uuidv7();
    await worker.publish(billing.paymentSucceeded, userId, payment);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    worker.addProfile(userId);
    expect((await sentTo(userId))?.subject).toBe('Your Shortlist receipt');
  });

  it('to a new user needs no profile, because the event has the name', async () => {
    const userId = worker.addAccount();
    worker.setProfileDown(true);
    await worker.publish(userRegistered, userId, account);
    const mail = await sentTo(userId);
    worker.setProfileDown(false);
    expect(mail).toMatchObject({ subject: 'Welcome to Shortlist', to: [{ name: 'Ada' }] });
  });

  it('is skipped at once for a deleted user', async () => {
    const userId = await createMailFor();
    worker.deleteProfile(userId);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped', last_error: 'no such person' }]);
    expect(await worker.sent(userId)).toEqual([]);
  });

  it('is skipped for a user who is unknown after ten minutes', async () => {
    const unknownId = uuidv7();
    await worker.publish(billing.paymentSucceeded, unknownId, payment);
    await worker.age(inSeconds(minutes(10)));
    await worker.send(unknownId);
    expect(await worker.rows(unknownId)).toMatchObject([{ status: 'skipped', last_error: 'no such person' }]);
  });

  it('fails without delaying others if its data do not fit the template', async () => {
    const userId = await createMailFor();
    await worker.db.query('UPDATE mails SET data = \'{"currency":"no such"}\' WHERE user_id = ?', [userId]);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'failed', last_error: 'cannot be written' }]);
  });

  it('I6: escapes names in HTML and has no line break in a header', async () => {
    const userId = await createMailFor('<img src=x onerror="x">\r\nBcc: all');
    worker.setVerified(userId);
    const mail = await sentTo(userId);
    expect(mail?.html).toContain('&lt;img src=x onerror=&quot;x&quot;&gt;');
    expect(mail?.html).not.toContain('<img');
    expect(`${mail?.subject}${mail?.to[0]?.name}`).not.toMatch(/[\r\n]/);
    expect(mail?.to).toHaveLength(1);
  });

  it('is created for each of several out-of-order events', async () => {
    const userId = worker.addUser();
    const revoked = { version: 2, paid: null, granted: null };
    await worker.publish(billing.planRevoked, userId, {
      by: 'admin',
      reason: 'refund',
      planState: revoked,
    });
    await worker.publish(billing.paymentSucceeded, userId, payment);
    await worker.send(userId);
    expect((await worker.sent(userId)).map(({ subject }) => subject)).toEqual([
      'Your Shortlist plan has ended',
      'Your Shortlist receipt',
    ]);
  });
});
