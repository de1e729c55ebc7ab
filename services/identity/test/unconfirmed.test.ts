import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type KeptFor, unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { days } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { confirmationReminded, userDeleted } from '@shortlist/contracts/events/identity';
import { UNCONFIRMED_DAYS, UNCONFIRMED_REMINDER_DAYS } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { untilLockWait } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
const REMINDED = UNCONFIRMED_DAYS - UNCONFIRMED_REMINDER_DAYS;

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
let userId = '';
beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  userId = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});
afterEach(() => void (elapsedMs = 0));

const pass = (count: number): void => void (elapsedMs += days(count));
const due = async () => (await opened.identity.ask(unconfirmedEndpoints.listUnconfirmed, {}, service)).data;
const remind = () => opened.identity.ask(unconfirmedEndpoints.remindUnconfirmed, { userId }, service);
const giveUp = async () =>
  (await opened.identity.ask(unconfirmedEndpoints.giveUpAccount, { userId }, service)).deleted;
const keep = (keptFor: KeptFor) =>
  opened.identity.ask(unconfirmedEndpoints.keepAccount, { userId, keptFor }, service);
const issue = async () => {
  const order = { purpose: 'email_verify', userId } as const;
  return (await opened.identity.ask(identityEndpoints.issueMailedToken, order, service)).data;
};
const follow = (token: string) => opened.identity.ask(signUpEndpoints.verifyEmail, { token }, anonymous);
const exists = async (): Promise<boolean> =>
  (await opened.db.query<unknown[]>('SELECT 1 FROM accounts WHERE id = ?', [userId])).length === 1;
const view = async () => (await opened.identity.ask(identityEndpoints.email, { id: userId }, service)).data;
const events = async ({ type }: { type: string }): Promise<unknown[]> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  return rows
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>)
    .filter((event) => event.type === type && event.subject === userId)
    .map(({ data }) => data);
};
/** Advances the clock to the deletion of the account, with the reminder on its day. */
const reachEnd = async (): Promise<void> => {
  pass(REMINDED);
  await remind();
  pass(UNCONFIRMED_REMINDER_DAYS);
};

describe('an account whose address is not confirmed', () => {
  it('A12 is due for a reminder after five days, which is sent once and names the end', async () => {
    pass(REMINDED - 0.01);
    expect(await due()).toEqual([]);
    pass(0.02);
    expect(await due()).toEqual([{ userId, step: 'remind' }]);
    await Promise.all([remind(), remind(), remind()]);
    expect(await events(confirmationReminded)).toEqual([
      { dueAt: expect.stringMatching(/^\d{4}-/) as string },
    ]);
    const [{ dueAt } = { dueAt: '' }] = (await events(confirmationReminded)) as { dueAt: string }[];
    expect((await view()).confirmBy).toBe(dueAt);
    expect(await due()).toEqual([]);
  });

  it('A12 is deleted after seven days as if by its user, which frees the email', async () => {
    const { token } = await issue();
    await reachEnd();
    expect(await due()).toEqual([{ userId, step: 'give_up' }]);
    expect(await giveUp()).toBe(true);
    expect(await exists()).toBe(false);
    expect(await events(userDeleted)).toHaveLength(1);
    await expect(follow(token)).rejects.toMatchObject({ code: 'identity.link_ended' });
    const credentials = { email: ana.email, password: ana.password, role: 'user' } as const;
    await expect(
      opened.identity.ask(logInEndpoints.verifyCredentials, credentials, anonymous),
    ).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
    expect(await giveUp(), 'once').toBe(false);
    expect(await events(userDeleted)).toHaveLength(1);
    await opened.identity.ask(signUpEndpoints.register, ana, anonymous);
  });

  it('A12 is never deleted without two days’ notice, however old it is', async () => {
    pass(400);
    expect(await due()).toEqual([{ userId, step: 'remind' }]);
    expect(await giveUp()).toBe(false);
    await remind();
    expect(await giveUp()).toBe(false);
    pass(UNCONFIRMED_REMINDER_DAYS);
    expect(await giveUp()).toBe(true);
  });

  it('A12 is not deleted before seven days, however early the reminder was', async () => {
    await remind();
    pass(UNCONFIRMED_REMINDER_DAYS + 1);
    expect(await giveUp()).toBe(false);
    expect(await events(confirmationReminded)).toEqual([]);
  });

  it.each(['plan', 'credits'] as const)('A12 is kept for its %s', async (keptFor) => {
    await reachEnd();
    await keep(keptFor);
    expect(await due()).toEqual([]);
    expect(await giveUp()).toBe(false);
    expect((await view()).confirmBy).toBeNull();
  });
});

describe('a confirmation', () => {
  it.each(['before', 'after'])('A12 %s the reminder prevents the deletion', async (when) => {
    pass(REMINDED);
    if (when === 'after') await remind();
    await follow((await issue()).token);
    await remind();
    pass(UNCONFIRMED_DAYS);
    expect(await due()).toEqual([]);
    expect(await giveUp()).toBe(false);
    expect(await exists()).toBe(true);
    expect(await events(confirmationReminded)).toHaveLength(when === 'after' ? 1 : 0);
  });

  it('A12 concurrent with the deletion either keeps the account or fails', async () => {
    for (let round = 0; round < 8; round += 1) {
      await reachEnd();
      const { token } = await issue();
      const [confirmation, deletion] = await Promise.allSettled([follow(token), giveUp()]);
      const isConfirmed = confirmation.status === 'fulfilled';
      expect(deletion).toMatchObject({ status: 'fulfilled', value: !isConfirmed });
      expect(await exists()).toBe(isConfirmed);
      await opened.db.query('DELETE FROM accounts');
      userId = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
    }
  });

  it('A12 that waits for the deletion finds no account', async () => {
    await reachEnd();
    const { token } = await issue();
    const runner = opened.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT id FROM accounts WHERE id = ? FOR UPDATE', [userId]);
    const confirmation = follow(token);
    const refused = expect(confirmation).rejects.toMatchObject({ code: 'identity.link_ended' });
    await untilLockWait(opened.db, /accounts/);
    await runner.query('DELETE FROM accounts WHERE id = ?', [userId]);
    await runner.commitTransaction();
    await runner.release();
    await refused;
  });
});

it('A12 an account that an admin has created, an admin, and a confirmed one are never due', async () => {
  await opened.db.query('DELETE FROM accounts');
  userId = (await opened.identity.ask(signUpEndpoints.register, ana, admin)).data.id;
  pass(400);
  expect(await due()).toEqual([]);
  expect(await giveUp()).toBe(false);
  expect((await view()).confirmBy).toBeNull();
});

it('A12 a sign-up concurrent with the deletion gets the email', async () => {
  await reachEnd();
  const former = userId;
  const [deleted, registered] = await Promise.allSettled([
    giveUp(),
    opened.identity.ask(signUpEndpoints.register, ana, anonymous),
  ]);
  expect(deleted).toMatchObject({ status: 'fulfilled', value: true });
  // The sign-up waits for the deletion, or comes first and is refused.
  if (registered.status === 'fulfilled') expect(registered.value.data.id).not.toBe(former);
  else expect(registered.reason).toMatchObject({ code: 'identity.email_taken' });
  expect(await exists()).toBe(false);
});
