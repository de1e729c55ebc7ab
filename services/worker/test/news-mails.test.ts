import { newsMailEndpoints, unsubscribeEndpoints } from '@shortlist/contracts/api/email';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import { inTransaction } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseUser } from '../src/erase-user.ts';
import { insertMailText } from '../src/mail/mail-text-queries.ts';
import { insertMail, mailIdOf } from '../src/mail/queries.ts';
import { suppress } from '../src/mail/suppression-queries.ts';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe.ts';
import { openWorker, START, UNSUBSCRIBE_KEYS, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const TEXT = { subject: 'Three tips', text: 'Write less.' };
const asReader = { caller: { role: 'anonymous', userId: null } } as const;
const asUser = (userId: string) => ({ caller: { role: 'user', userId } }) as const;

const get = (userId: string) => worker.ask(newsMailEndpoints.getNewsMails, { userId }, asUser(userId));
const set = (userId: string, enabled: boolean) =>
  worker.ask(newsMailEndpoints.setNewsMails, { userId, enabled }, asUser(userId));
const follow = (token: string) => worker.ask(unsubscribeEndpoints.unsubscribe, { token }, asReader);
const tokenOf = (userId: string) => createUnsubscribeTokens(UNSUBSCRIBE_KEYS).sign({ kind: 'news', userId });

/** Stores an email as the job for this user does. */
const store = async (userId: string): Promise<void> => {
  const [textId, eventId] = [uuidv7(), uuidv7()];
  await insertMailText(worker.db.manager, { id: textId, data: TEXT, createdAt: START });
  const key = { template: 'news', userId, eventId } as const;
  await inTransaction(worker.db, (tx) => insertMail(tx, { ...key, id: mailIdOf(key), data: { textId } }));
};
const rowsOf = (userId: string): Promise<unknown[]> =>
  worker.db.query('SELECT kind FROM turned_off_mails WHERE user_id = ?', [userId]);

describe('the setting for news and tips', () => {
  it('is on until the user turns it off, and can be turned on again', async () => {
    const userId = worker.addUser();
    expect(await get(userId)).toEqual({ enabled: true });
    expect(await set(userId, false)).toEqual({ enabled: false });
    expect(await set(userId, false)).toEqual({ enabled: false });
    expect(await get(userId)).toEqual({ enabled: false });
    expect(await rowsOf(userId)).toEqual([{ kind: 'news' }]);
    expect(await set(userId, true)).toEqual({ enabled: true });
    expect(await set(userId, true)).toEqual({ enabled: true });
    expect(await get(userId)).toEqual({ enabled: true });
  });

  it('is of one user alone', async () => {
    const [userId, other] = [worker.addUser(), worker.addUser()];
    await set(userId, false);
    expect(await get(other)).toEqual({ enabled: true });
    await expect(
      worker.ask(newsMailEndpoints.setNewsMails, { userId, enabled: true }, asUser(other)),
    ).rejects.toMatchObject({ status: 404 });
    expect(await get(userId)).toEqual({ enabled: false });
  });

  it('switched by several tabs at once is what one of them chose, in one row at most', async () => {
    const userId = worker.addUser();
    const choices = [false, true, false, true, false, true];
    const results = await Promise.all(choices.map((enabled) => set(userId, enabled)));
    expect(results).toEqual(choices.map((enabled) => ({ enabled })));
    const { enabled } = await get(userId);
    expect(await rowsOf(userId)).toHaveLength(enabled ? 0 : 1);
  });

  it('of a deleted user is gone, and not stored again', async () => {
    const userId = worker.addUser();
    await set(userId, false);
    await inTransaction(worker.db, (tx) => eraseUser(tx, userId, START));
    expect(await rowsOf(userId)).toEqual([]);
    await set(userId, false);
    await follow(tokenOf(userId));
    expect(await rowsOf(userId)).toEqual([]);
  });

  it('turned off while the user is deleted leaves nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const userId = worker.addUser();
      await Promise.all([
        set(userId, false),
        inTransaction(worker.db, (tx) => eraseUser(tx, userId, START)),
        follow(tokenOf(userId)),
      ]);
      expect(await rowsOf(userId)).toEqual([]);
    }
  });
});

describe('news', () => {
  it('have a link, in the header and at the end, that turns them off, once and again', async () => {
    const userId = worker.addUser();
    await store(userId);
    await worker.send(userId);
    const [mail] = await worker.sent(userId);
    const link = `https://shortlist.test/unsubscribe?token=${tokenOf(userId)}`;
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(mail?.text).toContain(`Turn off these emails: ${link}\n`);
    await follow(tokenOf(userId));
    await follow(tokenOf(userId));
    expect(await get(userId)).toEqual({ enabled: false });
    // Those about credits are another matter.
    expect(worker.turnedOff).toEqual([]);
  });

  it('are not turned off by the link of a warning about credits', async () => {
    const userId = worker.addUser();
    await follow(createUnsubscribeTokens(UNSUBSCRIBE_KEYS).sign({ kind: 'credits', userId }));
    expect(worker.turnedOff).toContain(userId);
    expect(await get(userId)).toEqual({ enabled: true });
  });

  it('are not turned off by a link whose user was exchanged', async () => {
    const [userId, victim] = [worker.addUser(), worker.addUser()];
    await expect(follow(tokenOf(userId).replace(userId, victim))).rejects.toHaveProperty(
      'code',
      'worker.unsubscribe_refused',
    );
    expect(await get(victim)).toEqual({ enabled: true });
  });

  it('that wait are not sent to who turns them off meanwhile, and the timeline says why', async () => {
    const userId = worker.addUser();
    await store(userId);
    await set(userId, false);
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    expect(await worker.rows(userId)).toMatchObject([
      { status: 'skipped', last_error: 'the user turned these emails off' },
    ]);
    const { data } = await worker.ask(
      timelineEndpoint,
      { userId, items: 'email', limit: 5 },
      { caller: { role: 'admin', userId: uuidv7() } },
    );
    expect(data).toMatchObject([{ email: { subject: TEXT.subject, state: 'not_sent', why: 'turned_off' } }]);
    // On again: what was skipped stays so.
    await set(userId, true);
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    await store(userId);
    await worker.send(userId);
    expect(await worker.sent(userId)).toHaveLength(1);
  });

  it('that wait for an address are not sent to who turns them off until then', async () => {
    const userId = worker.addUser();
    await store(userId);
    worker.setProfileDown(true);
    await worker.send(userId);
    worker.setProfileDown(false);
    await follow(tokenOf(userId));
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    expect(await worker.rows(userId)).toMatchObject([{ status: 'skipped' }]);
  });

  it('reported as spam are sent no more, whatever the setting', async () => {
    const userId = worker.addUser();
    const email = `${userId}@people.test`;
    await suppress(worker.db.manager, { email, userId, kind: 'complained', reason: '', occurredAt: START });
    await store(userId);
    await worker.send(userId);
    await set(userId, false);
    await store(userId);
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    expect((await worker.rows(userId)).map(({ status }) => status)).toEqual([
      'undeliverable',
      'undeliverable',
    ]);
  });

  it('to a deleted user are skipped without their text', async () => {
    const userId = worker.addUser();
    await store(userId);
    await inTransaction(worker.db, (tx) => eraseUser(tx, userId, START));
    await worker.send(userId);
    expect(await worker.sent(userId)).toEqual([]);
    expect(await worker.db.query('SELECT status, data FROM mails WHERE user_id = ?', [userId])).toMatchObject(
      [{ status: 'skipped', data: '{}' }],
    );
  });
});
