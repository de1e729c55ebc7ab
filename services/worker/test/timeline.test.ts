import { timelineEndpoint, type TimelineQuery } from '@shortlist/contracts/api/timeline';
import { minutes } from '@shortlist/contracts/durations';
import { countRowsRead, countStatements } from '@shortlist/kit/testing/databases';
import { readPages } from '@shortlist/kit/testing/read-pages';
import { uuidv7 } from 'uuidv7';
import { afterAll, expect, it } from 'vitest';
import { listNewestMails } from '../src/mail/queries.ts';
import { TEMPLATE_NAMES } from '../src/mail/templates.ts';
import { openWebhooks } from './open-webhooks.ts';

const worker = await openWebhooks();
afterAll(() => worker.close());

const AT = new Date('2026-03-01T12:00:00.000Z');
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;

const read = async (userId: string, query: Partial<TimelineQuery> = {}) =>
  (await worker.ask(timelineEndpoint, { userId, items: 'email', limit: 101, ...query }, admin)).data;

type Stored = {
  template?: string;
  data?: object;
  status?: string;
  delivery?: string | null;
  at?: Date;
  redactedAt?: Date;
};
const store = async (userId: string, mail: Stored = {}): Promise<void> => {
  const {
    template = 'welcome',
    data = {},
    status = 'sent',
    delivery = null,
    at = AT,
    redactedAt = null,
  } = mail;
  await worker.db.query(
    `INSERT INTO mails (id, template, user_id, event_id, data, status, delivery, created_at, changed_at, redacted_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [uuidv7(), template, userId, uuidv7(), JSON.stringify(data), status, delivery, at, at, redactedAt],
  );
};

it('the emails of the timeline have their subject and what became of them, the newest first', async () => {
  const userId = uuidv7();
  const at = (minute: number): Date => new Date(AT.getTime() + minute * 60_000);
  await store(userId, { at: at(0), delivery: 'delivered' });
  await store(userId, { at: at(1), template: 'pack_bought', data: { credits: '250' }, delivery: 'bounced' });
  await store(userId, { at: at(2), template: 'payment_failed', data: { confirmUrl: 'https://bank.test' } });
  await store(uuidv7());
  expect(await read(userId)).toMatchObject([
    { at: at(2).toISOString(), email: { subject: 'Confirm your payment', state: 'sent' } },
    { email: { subject: 'Your pack of 250 credits', state: 'not_delivered' } },
    { email: { subject: 'Welcome to Shortlist', state: 'delivered' } },
  ]);
});

it.each([
  ['pending', null, 'waiting'],
  ['sending', null, 'waiting'],
  ['sent', null, 'sent'],
  ['sent', 'deferred', 'delayed'],
  ['sent', 'delivered', 'delivered'],
  ['sent', 'blocked', 'not_delivered'],
  ['sent', 'dropped', 'not_delivered'],
  ['sent', 'bounced', 'not_delivered'],
  ['sent', 'complained', 'complained'],
  ['failed', null, 'not_sent'],
  ['failed', 'delivered', 'delivered'],
  ['undeliverable', null, 'not_sent'],
  ['skipped', null, 'not_sent'],
])('an email that is %s, and %s at the provider, is %s', async (status, delivery, state) => {
  const userId = uuidv7();
  await store(userId, { status, delivery });
  expect(await read(userId)).toMatchObject([{ email: { state } }]);
});

it('an email of a deleted user, of another release, or with data that fit no template has the name of its template', async () => {
  const userId = uuidv7();
  await store(userId, { template: 'card_expiring', redactedAt: AT, status: 'skipped' });
  await store(userId, { template: 'of_tomorrow' });
  await store(userId, { template: 'receipt', data: { paidAt: 'never', amount: '1', currency: '' } });
  const subjects = (await read(userId)).map((entry) => ('email' in entry ? entry.email.subject : ''));
  expect(subjects.toSorted()).toEqual(['card expiring', 'of tomorrow', 'receipt']);
});

it('every template has a subject of one line, whatever its data', async () => {
  const userId = uuidv7();
  for (const template of TEMPLATE_NAMES) await store(userId, { template });
  for (const entry of await read(userId))
    expect('email' in entry ? entry.email.subject : '').toMatch(/^\S.*\S$/);
});

it('pages of any size have every email once, also of one millisecond, and are read in two statements', async () => {
  const userId = uuidv7();
  for (const index of Array.from({ length: 9 }).keys())
    await store(userId, { at: new Date(AT.getTime() + Math.floor(index / 4)) });
  const whole = (await read(userId)).map(({ id }) => id);
  expect(new Set(whole).size).toBe(9);
  for (const limit of [1, 2, 4]) {
    const pages = await readPages((page) => read(userId, { limit, ...page }));
    expect(pages.map(({ id }) => id)).toEqual(whole);
  }
  expect(await countStatements(worker.db, () => read(userId))).toBe(2);
});

it('a page of long ago does not read what is newer', async () => {
  const userId = uuidv7();
  const rows = Array.from({ length: 4_000 }, (_, index) => {
    const at = new Date(AT.getTime() + minutes(index));
    return [uuidv7(), 'receipt', userId, uuidv7(), '{}', 'sent', at, at];
  });
  const columns = 'id, template, user_id, event_id, data, status, created_at, changed_at';
  await worker.db.query(`INSERT INTO mails (${columns}) VALUES ?`, [rows]);
  await worker.db.query('ANALYZE TABLE mails');
  const position = { at: new Date(AT.getTime() + minutes(2_500)).toISOString(), id: '' };
  const query = { userId, position, limit: 10 };
  const { result, rowsRead } = await countRowsRead(worker.db, (tx) => listNewestMails(tx, query));
  expect(result[0]?.createdAt).toEqual(new Date(AT.getTime() + minutes(2_499)));
  expect(rowsRead).toBeLessThan(100);
});

it('another kind or other items have no emails', async () => {
  const userId = uuidv7();
  await store(userId);
  expect(await read(userId, { kind: 'emails' })).toHaveLength(1);
  expect(await read(userId, { kind: 'credits' })).toEqual([]);
  expect(await read(userId, { items: 'account,change' })).toEqual([]);
});
