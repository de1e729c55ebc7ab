import {
  type CreditWarningData,
  creditsExhausted,
  creditsGranted,
  creditsLow,
} from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

/** Of a user without other buckets than the plan's, unless `available` says more. */
const warning = (more: Partial<CreditWarningData> = {}): CreditWarningData => {
  const { limit, used } = { limit: 20, used: 16, ...more };
  return {
    plan: 'free',
    limit,
    used,
    available: limit - used,
    windowStart: START.toISOString(),
    windowEnd: '2026-03-31T12:00:00.000Z',
    mail: true,
    ...more,
  };
};
const TURN_OFF = 'You can turn off emails about your credits under Credits & Usage in your account.';

const sentTo = async (userId: string) => {
  await worker.send(userId);
  return worker.sent(userId);
};

describe('the email about low credits', () => {
  it('for a user with a pack says how many are left in all, and that those of the plan end', async () => {
    const userId = worker.addUser();
    await worker.publish(
      creditsLow,
      userId,
      warning({ plan: 'premium', limit: 500, used: 480, available: 100 }),
    );
    const [mail] = await sentTo(userId);
    expect(mail?.text).toContain(
      'You have 100 credits left. The credits of your plan last until March 31, 2026 at 12:00 PM UTC.',
    );
  });

  it('for the free plan says how many are left, until when, and what Premium has', async () => {
    const userId = worker.addUser();
    await worker.publish(creditsLow, userId, warning());
    const [mail, ...more] = await sentTo(userId);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('You are running low on credits');
    expect(mail?.text).toContain('You have 4 of your 20 credits left until March 31, 2026 at 12:00 PM UTC.');
    expect(mail?.text).toContain('You get 20 new credits then.');
    expect(mail?.text).toContain('Premium includes 500 credits a month.');
    expect(mail?.text).toContain('See what Premium includes: https://shortlist.test/payments');
    expect(mail?.text).toContain(TURN_OFF);
  });

  it('for Premium says when the next come, and sells nothing', async () => {
    const userId = worker.addUser();
    await worker.publish(creditsLow, userId, warning({ plan: 'premium', limit: 500, used: 436 }));
    const [mail] = await sentTo(userId);
    expect(mail?.text).toContain('You have 64 of your 500 credits left until March 31, 2026');
    expect(mail?.text).toContain('You get 500 new credits with your next month of Premium.');
    expect(mail?.text).toContain('See your usage: https://shortlist.test/credits');
    expect(mail?.text).not.toContain('/payments');
    expect(mail?.text).toContain(TURN_OFF);
  });
});

describe('the email about used-up credits', () => {
  it('says when the next come, and where to turn it off', async () => {
    const userId = worker.addUser();
    await worker.publish(creditsExhausted, userId, warning({ used: 20 }));
    const [mail] = await sentTo(userId);
    expect(mail?.text).toContain(
      'You have used all 20 credits for this period. You get new credits on March 31',
    );
    expect(mail?.text).toContain(TURN_OFF);
  });
});

describe.each([creditsLow, creditsExhausted])('the email about %o', (event) => {
  it('is sent once for a repeated event', async () => {
    const userId = worker.addUser();
    const published = await worker.publish(event, userId, warning());
    await worker.publishAgain(published, event.topic);
    await worker.publishAgain(published, event.topic);
    await worker.publish(event, worker.addUser(), warning());
    expect(await sentTo(userId)).toHaveLength(1);
    expect(await worker.rows(userId)).toHaveLength(1);
  });

  it('is not sent to a user who wants none, however often the event arrives', async () => {
    const userId = worker.addUser();
    const published = await worker.publish(event, userId, warning({ mail: false }));
    await worker.publishAgain(published, event.topic);
    await worker.publish(event, worker.addUser(), warning());
    expect(await sentTo(userId)).toEqual([]);
    expect(await worker.rows(userId)).toEqual([]);
  });

  it('is sent for an event from before the setting existed', async () => {
    const userId = worker.addUser();
    await worker.publish(event, userId, warning({ mail: undefined as never }));
    expect(await sentTo(userId)).toHaveLength(1);
  });

  it('is not sent to a user who is deleted before', async () => {
    const userId = worker.addUser();
    await worker.publish(event, userId, warning());
    await worker.publish(userDeleted, userId, { by: 'user', generation: 1 });
    worker.deleteProfile(userId);
    expect(await sentTo(userId)).toEqual([]);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped' }]);
  });
});

describe('the email about credits that an admin granted', () => {
  const granted = {
    bucketId: '01900000-0000-7000-8000-000000000001',
    kind: 'grant',
    credits: 1,
    usable: 1,
    used: 0,
    endsAt: '2026-04-01T00:00:00.000Z',
  } as const;

  it.each([
    [1, 'You have 1 extra credit', 'We added 1 extra credit to your account.'],
    [1_200, 'You have 1,200 extra credits', 'We added 1,200 extra credits to your account.'],
  ])('of %s says how many, and until when', async (credits, subject, text) => {
    const userId = worker.addUser();
    await worker.publish(creditsGranted, userId, { ...granted, credits });
    const [mail, ...more] = await sentTo(userId);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(`${text} You can use them until April 1, 2026 at 12:00 AM UTC.`);
    expect(mail?.text).toContain('https://shortlist.test/credits');
  });
});
