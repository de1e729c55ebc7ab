import * as billing from '@shortlist/contracts/events/billing';
import { creditsExhausted } from '@shortlist/contracts/events/credits';
import { type UserRegistered, userRegistered } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimMail, listStuckMails, listWaitingMails, settleMail, type Try } from '../src/mail/queries.ts';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker(11);
});
afterEach(() => worker.control('DELETE', '/faults'));
afterAll(() => worker.close());

const account: UserRegistered = {
  ...{ email: 'ada@people.test', firstName: 'Ada', lastName: 'Lovelace', linkedin: '', city: 'Oslo' },
  ...{ organizationName: 'Engines', typeOfOrganization: 'Agency', primaryRecruitingIndustry: 'IT' },
  ...{ country: 'Norway', picture: null, createdAt: START.toISOString() },
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

const letterTo = async (userId: string) => {
  await worker.send(userId);
  const [mail, ...more] = await worker.sent(userId);
  expect(more).toEqual([]);
  return mail;
};

describe('what each fact says by mail', () => {
  it('a welcome', async () => {
    const userId = worker.person();
    await worker.publish(userRegistered, userId, account);
    const mail = await letterTo(userId);
    expect(mail).toMatchObject({ subject: 'Welcome to Shortlist', to: [{ name: 'Ada' }] });
    expect(mail?.text).toContain('20 free credits');
    expect(mail?.text).toContain('https://shortlist.test/');
  });

  it('a receipt', async () => {
    const userId = worker.person();
    await worker.publish(billing.paymentSucceeded, userId, payment);
    const mail = await letterTo(userId);
    expect(mail?.text).toContain('$59.00 on March 1, 2026 at 12:00 PM UTC');
    expect(mail?.text).toContain('paid until April 1, 2026 at 12:00 PM UTC');
  });

  it('a receipt that says so when a discount covered the whole price', async () => {
    const userId = worker.person();
    await worker.publish(billing.paymentSucceeded, userId, { ...payment, amount: 0 });
    const text = (await letterTo(userId))?.text;
    expect(text).toContain('There was nothing to pay this time');
    expect(text).toContain('Your plan is paid until April 1, 2026');
    expect(text).not.toContain('$');
  });

  it('a receipt for a payment that was given back before it was told of', async () => {
    const userId = worker.person();
    const nothing = { ...payment, planState: { ...planState, paid: null } };
    await worker.publish(billing.paymentSucceeded, userId, nothing);
    expect((await letterTo(userId))?.text).not.toContain('paid until');
  });

  it('a renewal that failed, with the day on which the plan ends and the way to the portal', async () => {
    const userId = worker.person();
    const failed = { invoiceId: 'in_2', attempt: 1, nextAttemptAt: null, planState };
    await worker.publish(billing.paymentFailed, userId, failed);
    const mail = await letterTo(userId);
    expect(mail?.text).toContain('the plan ends on April 8, 2026');
    expect(mail?.text).toContain('Update your card: https://shortlist.test/subscription');
  });

  it('a grant, and its end', async () => {
    const userId = worker.person();
    const granted = { ...paid, key: 'grant:1', graceUntil: null };
    const by = { by: 'admin', reason: 'a gift' };
    await worker.publish(billing.planGranted, userId, {
      ...by,
      planState: { version: 1, paid: null, granted },
    });
    expect((await letterTo(userId))?.text).toContain('premium until April 1, 2026');
    await worker.publish(billing.planRevoked, userId, {
      ...by,
      planState: { version: 2, paid: null, granted: null },
    });
    await worker.send(userId);
    expect((await worker.sent(userId)).map(({ subject }) => subject)).toEqual([
      'You are now a Shortlist Premium user',
      'Your Shortlist plan has ended',
    ]);
  });

  it('credits that are used up', async () => {
    const userId = worker.person();
    const window = { windowStart: START.toISOString(), windowEnd: '2026-03-31T12:00:00.000Z' };
    await worker.publish(creditsExhausted, userId, { plan: 'free', limit: 20, used: 20, ...window });
    expect((await letterTo(userId))?.text).toContain(
      'All 20 credits of this window are used. New ones come on March 31',
    );
  });
});

describe('a mail', () => {
  const asked = async (firstName?: string): Promise<string> => {
    const userId = worker.person(firstName);
    await worker.publish(billing.paymentSucceeded, userId, payment);
    return userId;
  };

  it('I1: of a job that runs ten times at once is sent once', async () => {
    const userId = await asked();
    await Promise.all(times(10).map(() => worker.send(userId)));
    expect(await worker.sent(userId)).toHaveLength(1);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'sent', uncertain: 0 }]);
  });

  it('I1: duplicate events, ten of one fact, ask for one', async () => {
    const userId = worker.person();
    const event = await worker.publish(billing.paymentSucceeded, userId, payment);
    for (const _ of times(10)) await worker.again(event, 'billing.events');
    await worker.publish(billing.paymentSucceeded, worker.person(), payment);
    expect(await worker.rows(userId)).toHaveLength(1);
  });

  it('I1: that the provider took while the line was cut is sent once more at most, and marked uncertain', async () => {
    const userId = await asked();
    await worker.fault({ reset: true, times: 5 });
    for (const _ of times(6)) await worker.send(userId);
    expect((await worker.sent(userId)).length).toBeLessThanOrEqual(2);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'failed', uncertain: 1 }]);
  });

  it('I1: whose sender died after the provider took it is freed by the sweep, marked, and sent once more at most', async () => {
    const userId = await asked();
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

  it.each(['the sender that was thought dead', 'a sweep that saw it earlier'])(
    'I1: that was freed and sent since is not touched by %s',
    async (who) => {
      const userId = await asked();
      const [row] = await worker.rows(userId);
      const claimed = await claimMail(worker.db.manager, row?.id ?? '');
      await worker.age(26);
      const [stuck] = await listStuckMails(worker.db.manager, 25);
      await worker.sweep();
      await worker.send(userId);
      const earlier = who.startsWith('a sweep') ? stuck : claimed;
      expect(earlier?.id).toBe(row?.id);
      const late = { status: 'pending', uncertain: true } as const;
      expect(await settleMail(worker.db.manager, earlier as Try, late)).toBe(false);
      await worker.send(userId);
      expect(await worker.rows(userId)).toMatchObject([{ status: 'sent', attempts: 2, uncertain: 1 }]);
      expect(await worker.sent(userId)).toHaveLength(1);
    },
  );

  it.each([[429], [500], [503]])(
    'I2: that the provider puts off with %i waits longer each time and arrives in the end',
    async (status) => {
      const userId = await asked();
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

  it('I2: that the provider refuses has failed, with the cause, and is not tried again', async () => {
    const userId = await asked();
    await worker.fault({ status: 400, times: 1 });
    for (const _ of times(3)) await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    expect(await worker.rows(userId)).toMatchObject(
      [{ status: 'failed', attempts: 1, last_error: /^400/ }].map((row) => ({
        ...row,
        last_error: expect.stringMatching(row.last_error) as string,
      })),
    );
  });

  it('waits while profile is away', async () => {
    const userId = await asked();
    worker.setProfileAway(true);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    worker.setProfileAway(false);
    await worker.send(userId);
    expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('waits for a person of whom profile has not heard yet', async () => {
    const userId = uuidv7();
    await worker.publish(userRegistered, userId, account);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'pending' }]);
    worker.join(userId);
    expect((await letterTo(userId))?.subject).toBe('Welcome to Shortlist');
  });

  it('is skipped at once for a person who is gone', async () => {
    const userId = await asked();
    worker.leave(userId);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped', last_error: 'no such person' }]);
    expect(await worker.sent(userId)).toEqual([]);
  });

  it('is skipped for a person who is not known ten minutes later', async () => {
    const nobody = uuidv7();
    await worker.publish(billing.paymentSucceeded, nobody, payment);
    await worker.age(10 * 60);
    await worker.send(nobody);
    expect(await worker.rows(nobody)).toMatchObject([{ status: 'skipped', last_error: 'no such person' }]);
  });

  it('that cannot be written has failed and holds nobody up', async () => {
    const userId = await asked();
    await worker.db.query('UPDATE mails SET data = \'{"currency":"no such"}\' WHERE user_id = ?', [userId]);
    await worker.send(userId);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'failed', last_error: 'cannot be written' }]);
  });

  it('I6: escapes what people call themselves, and lets no line break into a header', async () => {
    const userId = await asked('<img src=x onerror="alert(1)">\r\nBcc: all@people.test');
    const mail = await letterTo(userId);
    expect(mail?.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
    expect(mail?.html).not.toContain('<img');
    expect(`${mail?.subject}${mail?.to[0]?.name}`).not.toMatch(/[\r\n]/);
    expect(mail?.to).toHaveLength(1);
  });

  it('out-of-order events each bring their own, whatever came before', async () => {
    const userId = worker.person();
    const revoked = { version: 2, paid: null, granted: null };
    await worker.publish(billing.planRevoked, userId, {
      by: 'admin',
      reason: 'a refund',
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
