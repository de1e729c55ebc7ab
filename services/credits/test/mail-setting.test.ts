import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const charge = (userId: string, amount = 1) =>
  credits.charge(userId, uuidv7(), { reason: 'email_found', amount });
const asUser = (userId: string) => ({ caller: { role: 'user', userId } }) as const;
const setMails = (userId: string, enabled: boolean) =>
  credits.ask(creditsEndpoints.setCreditMails, { userId, enabled }, asUser(userId));
const getMails = (userId: string) => credits.ask(creditsEndpoints.getCreditMails, { userId }, asUser(userId));
const deleteUser = (userId: string) =>
  credits.publish(eventOf(userDeleted, userId, { by: 'user', generation: 1 }), 'identity.events');
const pay = (userId: string, version: number) => {
  const paid = period(`in_${version}_${userId}`, credits.clock());
  return credits.publish(credits.paidEvent(userId, { version, paid, granted: null }));
};

describe('the setting for mails about credits', () => {
  it('is on, can be turned off and on, and is a row of the data file', async () => {
    const userId = newUser();
    expect(await getMails(userId)).toEqual({ enabled: true });
    expect(await setMails(userId, false)).toEqual({ enabled: false });
    expect(await setMails(userId, false)).toEqual({ enabled: false });
    expect(await getMails(userId)).toEqual({ enabled: false });
    expect(await getMails(newUser())).toEqual({ enabled: true });
    const section = { userId, section: 'settings' };
    expect(await credits.ask(dataExportEndpoints.credits, section, asService())).toEqual({
      data: [{ creditMails: false }],
      next: null,
    });
    expect(await setMails(userId, true)).toEqual({ enabled: true });
    expect(await getMails(userId)).toEqual({ enabled: true });
  });

  it('is turned off by the link in an email, repeatedly, and on again by the user', async () => {
    const userId = newUser();
    const turnOff = () => credits.ask(creditsEndpoints.turnOffCreditMails, { userId }, asService());
    await Promise.all([turnOff(), turnOff()]);
    expect(await getMails(userId)).toEqual({ enabled: false });
    await setMails(userId, true);
    expect(await getMails(userId)).toEqual({ enabled: true });
    await deleteUser(userId);
    await expect(turnOff()).rejects.toHaveProperty('code', 'credits.user_not_found');
  });

  it('outlives changes of the plan, and changes no plan', async () => {
    const userId = newUser();
    await pay(userId, 1);
    await setMails(userId, false);
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium', limit: 500 });
    credits.time.advance(days(1));
    await pay(userId, 2);
    expect(await getMails(userId)).toEqual({ enabled: false });
    expect(await credits.view(userId)).toMatchObject({ plan: 'premium' });
  });

  it('accepts a boolean alone', async () => {
    const userId = newUser();
    for (const enabled of ['perhaps', 1, null, undefined])
      await expect(setMails(userId, enabled as never)).rejects.toMatchObject({ code: 'request.invalid' });
    expect(await listTablesWith(credits.db, userId)).toEqual([]);
  });

  it('of a deleted user is gone, and cannot be stored again', async () => {
    const userId = newUser();
    await setMails(userId, false);
    await deleteUser(userId);
    await expect(setMails(userId, true)).rejects.toMatchObject({ code: 'credits.user_not_found' });
    expect(await listTablesWith(credits.db, userId)).toEqual(['deleted_users']);
  });

  it('leaves nothing behind when it changes during the deletion', async () => {
    for (const _round of times(10)) {
      const userId = newUser();
      await charge(userId, 15);
      await Promise.allSettled([
        deleteUser(userId),
        ...times(4).map((index) => setMails(userId, index % 2 === 0)),
        charge(userId),
      ]);
      expect(await listTablesWith(credits.db, userId)).toEqual(['deleted_users']);
    }
  });
});
