import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { noticeEndpoints, type NoticeFields } from '@shortlist/contracts/api/notices';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { days, hours } from '@shortlist/contracts/durations';
import { NOTICE_DAYS_MAX, NOTICE_MAX, NOTICES_MAX } from '@shortlist/contracts/limits';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const START = new Date('2026-03-01T12:00:00.000Z');
let now = START;
let profile: OpenedService;
beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => now }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});
beforeEach(async () => {
  now = START;
  await db.query('DELETE FROM notices');
});

const INES = newId();
const admin = { caller: { role: 'admin', userId: INES, address: '192.0.2.7' } } as const;
const after = (milliseconds: number): string => new Date(START.getTime() + milliseconds).toISOString();

const fields = (change: Partial<NoticeFields> = {}): NoticeFields => ({
  ...{ audience: 'everyone', tone: 'info', text: 'We moved', linkLabel: '', linkTo: '' },
  ...{ from: after(0), until: after(days(1)) },
  ...change,
});
const create = async (change: Partial<NoticeFields> = {}, noticeId = newId()): Promise<string> => {
  await profile.ask(noticeEndpoints.createNotice, { noticeId, ...fields(change) }, admin);
  return noticeId;
};
const change = (noticeId: string, changed: Partial<NoticeFields> & { version?: number }) =>
  profile.ask(noticeEndpoints.changeNotice, { noticeId, ...fields(changed), ...changed }, admin);
const end = (noticeId: string) => profile.ask(noticeEndpoints.endNotice, { noticeId }, admin);
const listed = async () => (await profile.ask(noticeEndpoints.listNotices, {}, admin)).data;
const codeOf = (error: { code?: string }): string | undefined => error.code;

const createUser = async (premiumUntil: Date | null = null): Promise<string> => {
  const id = newId();
  const createdAt = now.toISOString();
  const created = { id, email: `${id}@talent.test`, ...profileFields, picture: null, createdAt };
  await profile.ask(profileEndpoints.createProfile, created, admin);
  if (premiumUntil !== null)
    await db.query('UPDATE profiles SET premium_until = ? WHERE user_id = ?', [premiumUntil, id]);
  return id;
};
const seenBy = async (userId: string) =>
  (await profile.ask(noticeEndpoints.currentNotices, { userId }, { caller: { role: 'user', userId } })).data;
const textsFor = async (userId: string) => (await seenBy(userId)).notices.map(({ text }) => text);
const eventsAbout = (id: string): Promise<unknown[]> =>
  db.query('SELECT 1 FROM outbox WHERE message_key = ?', [id]);
const actionsOn = async (targetId: string) =>
  (await profile.ask(auditEndpoint, { targetId }, admin)).data.map(({ action }) => action);

describe('a notice', () => {
  it('is seen from its beginning until its end, which the page is told beforehand', async () => {
    const userId = await createUser();
    await create({ from: after(hours(1)), until: after(hours(3)) });
    expect(await seenBy(userId)).toEqual({ notices: [], changesAt: after(hours(1)) });
    now = new Date(after(hours(1)));
    expect(await seenBy(userId)).toMatchObject({
      notices: [{ text: 'We moved' }],
      changesAt: after(hours(3)),
    });
    now = new Date(after(hours(3)));
    expect(await seenBy(userId)).toEqual({ notices: [], changesAt: null });
  });

  it('for a plan is seen by the users who have it now', async () => {
    const [free, premium] = [await createUser(), await createUser(new Date(after(hours(2))))];
    await create({ audience: 'free', text: 'For free' });
    await create({ audience: 'premium', text: 'For premium' });
    expect([await textsFor(free), await textsFor(premium)]).toEqual([['For free'], ['For premium']]);
    now = new Date(after(hours(2)));
    expect(await textsFor(premium)).toEqual(['For free']);
  });

  it('that warns comes before the others, and a newer one before an older', async () => {
    const userId = await createUser();
    await create({ text: 'A warning', tone: 'warn', from: after(-hours(2)) });
    await create({ text: 'Older', from: after(-hours(1)) });
    await create({ text: 'Newer' });
    expect(await textsFor(userId)).toEqual(['A warning', 'Newer', 'Older']);
  });

  it('is created once, however often and at once the request is sent', async () => {
    const id = newId();
    await Promise.all([1, 2, 3].map(() => create({}, id)));
    await create({ text: 'Another text' }, id);
    expect(await listed()).toMatchObject([{ id, text: 'We moved' }]);
    expect(await actionsOn(id)).toEqual(['notice.create']);
    expect(await eventsAbout(id)).toHaveLength(1);
  });

  it('is changed and ended, both recorded and announced to open pages', async () => {
    const userId = await createUser();
    const id = await create();
    await change(id, { text: 'We have moved', tone: 'warn' });
    expect(await seenBy(userId)).toMatchObject({ notices: [{ text: 'We have moved', tone: 'warn' }] });
    now = new Date(after(hours(1)));
    await end(id);
    await end(id);
    expect(await textsFor(userId)).toEqual([]);
    expect(await listed()).toMatchObject([{ id, until: now.toISOString() }]);
    expect(await actionsOn(id)).toEqual(['notice.end', 'notice.change', 'notice.create']);
    expect(await eventsAbout(id)).toHaveLength(3);
  });

  it('that was ended in the meantime is not changed, so that it does not come back', async () => {
    const id = await create();
    await end(id);
    expect(await change(id, { text: 'Again' }).catch(codeOf)).toBe('profile.notice_over');
    expect(await change(newId(), {}).catch(codeOf)).toBe('profile.notice_not_found');
  });

  it('that two admins change at once is changed by one, and the other is refused', async () => {
    const id = await create();
    const [{ version } = { version: 0 }] = await listed();
    const texts = ['Of Ines', 'Of Omar'];
    const results = await Promise.all(
      texts.map((text) => change(id, { text, version }).then(() => text, codeOf)),
    );
    expect(results).toContain('profile.notice_conflict');
    const saved = results.filter((result) => texts.includes(result ?? ''));
    expect(saved).toHaveLength(1);
    expect(await listed()).toMatchObject([{ text: saved[0], version: version + 1 }]);
    expect(await actionsOn(id)).toEqual(['notice.change', 'notice.create']);
    // The one who was refused reads it again, and may change it then.
    await change(id, { text: 'Of both', version: version + 1 });
    expect(await listed()).toMatchObject([{ text: 'Of both' }]);
  });

  it('is changed once by a change that is sent again because its response was lost', async () => {
    const id = await create();
    const changed = { text: 'We have moved', version: 1 };
    await Promise.all([1, 2, 3].map(() => change(id, changed)));
    expect(await listed()).toMatchObject([{ text: 'We have moved', version: 2 }]);
    expect(await actionsOn(id)).toEqual(['notice.change', 'notice.create']);
  });

  it('that another admin has ended is over for a change of an older version, too', async () => {
    const id = await create();
    await Promise.all([end(id), change(id, { text: 'Later', version: 1 }).catch(codeOf)]);
    expect(await change(id, { text: 'Again', version: 1 }).catch(codeOf)).toBe('profile.notice_over');
  });

  it('that has not begun is given up', async () => {
    const id = await create({ from: after(hours(1)), until: after(hours(2)) });
    await end(id);
    now = new Date(after(hours(1)));
    expect(await textsFor(await createUser())).toEqual([]);
  });

  it('makes room when it ends: only some may be current or planned', async () => {
    const ids = [];
    for (let count = 0; count < NOTICES_MAX; count += 1) ids.push(await create());
    expect(await create().catch(codeOf)).toBe('profile.notices_full');
    await end(ids[0] ?? '');
    await create();
    expect(await listed()).toHaveLength(NOTICES_MAX + 1);
  });

  it('takes the last room once, whoever asks for it at the same moment', async () => {
    for (let count = 1; count < NOTICES_MAX; count += 1) await create();
    const results = await Promise.all([1, 2, 3, 4].map(() => create().then(() => 'created', codeOf)));
    expect(results.toSorted()).toEqual(['created', ...Array<string>(3).fill('profile.notices_full')]);
  });

  it('that is created in the last room by a request that arrives twice is there both times', async () => {
    for (let count = 1; count < NOTICES_MAX; count += 1) await create();
    const id = newId();
    await Promise.all([1, 2, 3].map(() => create({}, id)));
    expect(await listed()).toHaveLength(NOTICES_MAX);
  });
});

it.each<[string, Partial<NoticeFields>, string]>([
  ['no text', { text: ' ' }, 'text'],
  ['too long a text', { text: 'x'.repeat(NOTICE_MAX + 1) }, 'text'],
  ['invisible characters', { text: 'a\u202eb' }, 'text'],
  ['a link without a text', { linkTo: '/credits' }, 'linkTo'],
  ['a text without a link', { linkLabel: 'See how' }, 'linkTo'],
  ...[
    'http://example.com',
    '//example.com',
    '/\\example.com',
    '/..//example.com',
    'javascript:alert(1)',
    'https://shortlist.test@example.com',
    'https://example.com/a b',
  ].map((linkTo): [string, Partial<NoticeFields>, string] => [
    `a link to ${linkTo}`,
    { linkLabel: 'See how', linkTo },
    'linkTo',
  ]),
  ['an end before its beginning', { until: after(-hours(1)) }, 'until'],
  ['an end that is past', { from: after(-hours(2)), until: after(-hours(1)) }, 'until'],
  ['too long a time', { until: after(days(NOTICE_DAYS_MAX) + 1) }, 'until'],
  ['a beginning in words', { from: 'tomorrow' }, 'from'],
])('a notice with %s is refused', async (_what, changed, field) => {
  await expect(create(changed)).rejects.toHaveProperty(`fields.${field}`);
  expect(await listed()).toEqual([]);
});

it.each(['/', '/credits', '/connections/webhook?id=1#log', 'https://status.example.com/a?b=c'])(
  'a notice may lead to %s, and its line breaks are spaces',
  async (linkTo) => {
    await create({ text: ' We\r\nmoved ', linkLabel: 'See how', linkTo });
    expect(await listed()).toMatchObject([{ text: 'We moved', linkLabel: 'See how', linkTo }]);
  },
);
