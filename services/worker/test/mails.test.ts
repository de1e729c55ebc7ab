import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { exampleProfile } from '@shortlist/contracts/testing/example-profile';
import * as billing from '@shortlist/contracts/events/billing';
import { creditsExhausted } from '@shortlist/contracts/events/credits';
import { type UserRegistered, userRegistered } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Attempt, claimMail, listStuckMails, settleMail } from '../src/mail/attempt-queries.ts';
import { listWaitingMails } from '../src/mail/queries.ts';
import { openWorker, START, type Worker } from './support.ts';

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
const paid = {
  key: 'in_1',
  start: START.toISOString(),
  end: '2026-04-01T12:00:00.000Z',
  graceUntil: '2026-04-08T12:00:00.000Z',
};
const planState = { version: 1, paid, granted: null };
const payment = { invoiceId: 'in_1', amount: 5900, currency: 'usd', paidAt: START.toISOString(), planState };
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const sentTo = async (userId: string) => {
  await worker.send(userId);
  const [mail, ...more] = await worker.sent(userId);
  expect(more).toEqual([]);
  return mail;
};

describe('the mail of an event', () => {
  it('welcomes a new user', async () => {
    const userId = worker.addUser();
    await worker.publish(userRegistered, userId, account);
    const mail = await sentTo(userId);
    expect(mail).toMatchObject({ subject: 'Welcome to Shortlist', to: [{ name: 'there' }] });
    expect(mail?.text).toContain('20 free credits');
    expect(mail?.text).toContain('https://shortlist.test/');
  });

  it('is a receipt for a payment', async () => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, payment);
    const mail = await sentTo(userId);
    expect(mail?.text).toContain('$59.00 on March 1, 2026 at 12:00 PM UTC');
    expect(mail?.text).toContain('paid until April 1, 2026 at 12:00 PM UTC');
  });

  it.each([
    [4_900, 'eur', '€49.00'],
    [5_900, 'jpy', '¥5,900'],
  ])('names in a receipt what Stripe charged: %i %s', async (amount, currency, text) => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, amount, currency });
    expect((await sentTo(userId))?.text).toContain(`We received ${text} on`);
  });

  it('says in a receipt when a discount made the amount 0', async () => {
    const userId = worker.addUser();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, amount: 0 });
    const text = (await sentTo(userId))?.text;
    expect(text).toContain('There was nothing to pay this time');
    expect(text).toContain('Your plan is paid until April 1, 2026');
    expect(text).not.toContain('$');
  });

  it('is a receipt without a period when the payment was refunded before its event', async () => {
    const userId = worker.addUser();
    const nothing = { ...payment, planState: { ...planState, paid: null } };
    await worker.publish(billing.paymentSucceeded, userId, nothing);
    expect((await sentTo(userId))?.text).not.toContain('paid until');
  });

  it('names the end of the plan and the subscription page when a renewal failed', async () => {
    const userId = worker.addUser();
    const failed = { invoiceId: 'in_2', attempt: 1, nextAttemptAt: null, confirmUrl: null, planState };
    await worker.publish(billing.paymentFailed, userId, failed);
    const mail = await sentTo(userId);
    expect(mail?.text).toContain('Your plan stays active until April 8, 2026');
    expect(mail?.text).toContain('See what is due: https://shortlist.test/payments');
  });

  it('says that the plan comes back with the payment when a renewal failed after the grace', async () => {
    const userId = worker.addUser();
    const state = { ...planState, paid: { ...paid, end: '2026-02-21T12:00:00.000Z', graceUntil: null } };
    const failed = { invoiceId: 'in_2', attempt: 3, nextAttemptAt: null, confirmUrl: null, planState: state };
    await worker.publish(billing.paymentFailed, userId, failed);
    expect((await sentTo(userId))?.text).toContain('You get it back as soon as the invoice is paid.');
  });

  it('links to the page on which a renewal is confirmed when the bank wants that', async () => {
    const userId = worker.addUser();
    const confirmUrl = 'https://invoice.stripe.test/i/acct_1/live_2?s=ap&x=1';
    const waiting = { invoiceId: 'in_2', attempt: 1, nextAttemptAt: null, confirmUrl, planState };
    await worker.publish(billing.paymentFailed, userId, waiting);
    const mail = await sentTo(userId);
    expect(mail?.subject).toBe('Please confirm your payment');
    expect(mail?.text).toContain(`Confirm your payment: ${confirmUrl}`);
    expect(mail?.html).toContain('href="https://invoice.stripe.test/i/acct_1/live_2?s=ap&amp;x=1"');
    expect(mail?.text).not.toContain('card');
    expect(mail?.text).toContain('Your plan stays active until April 8, 2026');
  });

  it('says that the bank returned the payment when a plan ended by a dispute', async () => {
    const userId = worker.addUser();
    const ended = { by: 'stripe', reason: 'dispute', planState } as const;
    await worker.publish(billing.planRevoked, userId, ended);
    expect((await sentTo(userId))?.text).toContain('Your bank returned your payment to you');
  });

  it('reports a grant and its end', async () => {
    const userId = worker.addUser();
    const granted = { ...paid, key: 'grant:1', graceUntil: null };
    const by = 'admin';
    await worker.publish(billing.planGranted, userId, {
      by,
      reason: 'a gift',
      planState: { version: 1, paid: null, granted },
    });
    expect((await sentTo(userId))?.text).toContain('Premium until April 1, 2026');
    await worker.publish(billing.planRevoked, userId, {
      by,
      reason: 'grant_end',
      planState: { version: 2, paid: null, granted: null },
    });
    await worker.send(userId);
    expect((await worker.sent(userId)).map(({ subject }) => subject)).toEqual([
      'You now have Shortlist Premium',
      'Your Shortlist plan has ended',
    ]);
  });

  it.each([
    ['period_end', 'You will not be charged again.'],
    ['grant_end', 'You will not be charged again.'],
    ['grace_end', 'We could not collect your monthly payment, so your Premium plan has ended'],
  ] as const)('reports the end of a plan by time: %s', async (reason, text) => {
    const userId = worker.addUser();
    const ended = { version: 2, paid, granted: null };
    await worker.publish(billing.planRevoked, userId, { by: 'schedule', reason, planState: ended });
    expect(await sentTo(userId)).toMatchObject({ subject: 'Your Shortlist plan has ended' });
    expect((await worker.sent(userId))[0]?.text).toContain(text);
  });

  it('reports that all credits are used', async () => {
    const userId = worker.addUser();
    const window = { windowStart: START.toISOString(), windowEnd: '2026-03-31T12:00:00.000Z' };
    await worker.publish(creditsExhausted, userId, { plan: 'free', limit: 20, used: 20, ...window });
    expect((await sentTo(userId))?.text).toContain(
      'You have used all 20 credits for this period. You get new credits on March 31',
    );
  });
});

describe('a mail', () => {
  const createMailFor = async (firstName?: string): Promise<string> => {
    const userId = worker.addUser(firstName);
    await worker.publish(billing.paymentSucceeded, userId, payment);
    return userId;
  };

  it('I1: is sent once by a job that runs ten times at once', async () => {
    const userId = await createMailFor();
    await Promise.all(times(10).map(() => worker.send(userId)));
    expect(await worker.sent(userId)).toHaveLength(1);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'sent', uncertain: 0 }]);
  });

  it('I1: is created once by ten duplicate events', async () => {
    const userId = worker.addUser();
    const event = await worker.publish(billing.paymentSucceeded, userId, payment);
    for (const _ of times(10)) await worker.publishAgain(event, 'billing.events');
    await worker.publish(billing.paymentSucceeded, worker.addUser(), payment);
    expect(await worker.rows(userId)).toHaveLength(1);
  });

  it('I1: is sent at most once more, and marked uncertain, when the response of the provider was lost', async () => {
    const userId = await createMailFor();
    await worker.fault({ reset: true, times: 5 });
    for (const _ of times(6)) await worker.send(userId);
    expect((await worker.sent(userId)).length).toBeLessThanOrEqual(2);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'failed', uncertain: 1 }]);
  });

  it('I1: is released by the sweep, marked uncertain and sent at most once more when its sender died', async () => {
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

  it.each(['a sender that was taken for dead', 'a sweep that listed it earlier'])(
    'I1: is not changed by %s after it was released and sent',
    async (name) => {
      const userId = await createMailFor();
      const [row] = await worker.rows(userId);
      const claimed = await claimMail(worker.db.manager, row?.id ?? '');
      await worker.age(26);
      const [stuck] = await listStuckMails(worker.db.manager, 25);
      await worker.sweep();
      await worker.send(userId);
      const earlier = name.startsWith('a sweep') ? stuck : claimed;
      expect(earlier?.id).toBe(row?.id);
      const overtakenResult = { status: 'pending', uncertain: true } as const;
      expect(await settleMail(worker.db.manager, earlier as Attempt, overtakenResult)).toBe(false);
      await worker.send(userId);
      expect(await worker.rows(userId)).toMatchObject([{ status: 'sent', attempts: 2, uncertain: 1 }]);
      expect(await worker.sent(userId)).toHaveLength(1);
    },
  );

  it.each([[429], [500], [503]])(
    'I2: is retried with growing delays until sent when the provider responds with %i',
    async (status) => {
      const userId = await createMailFor();
      await worker.fault({ status, times: 3 });
      for (const _ of times(3)) await worker.send(userId);
      expect(await worker.rows(userId)).toMatchObject([{ status: 'pending', attempts: 3, uncertain: 0 }]);
      const [row] = await worker.rows(userId);
      const waits = async (): Promise<boolean> =>
        (await listWaitingMails(worker.db.manager, 30)).includes(row?.id ?? '');
      await worker.age(110);
      expect(await waits()).toBe(false);
      await worker.age(10);
      expect(await waits()).toBe(true);
      await worker.send(userId);
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
    await worker.publish(userRegistered, userId, account);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    worker.addProfile(userId);
    expect((await sentTo(userId))?.subject).toBe('Welcome to Shortlist');
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

  it('fails without delaying others when its data do not fit the template', async () => {
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
