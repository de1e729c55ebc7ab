import { TIMELINE_ITEMS, timelineEndpoint, type TimelineQuery } from '@shortlist/contracts/api/timeline';
import { minutes } from '@shortlist/contracts/durations';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { countRowsRead, countStatements } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { numbersBelow } from '@shortlist/kit/testing/numbers';
import { readPages } from '@shortlist/kit/testing/read-pages';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { listTimelineEntries } from '../src/ledger/queries.ts';
import { newUser, openCheckedCredits, START } from './support.ts';

const credits = await openCheckedCredits();
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;

const read = async (userId: string, query: Partial<TimelineQuery> = {}) => {
  const all = { userId, items: TIMELINE_ITEMS.join(), limit: 101 };
  return (await credits.ask(timelineEndpoint, { ...all, ...query }, admin)).data;
};
const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id);

it('the timeline has charges, and once each, with the admin and the reason, what an admin granted and took back', async () => {
  const userId = newUser();
  await credits.charge(userId, uuidv7(), { reason: 'email_found', reference: 'ada@people.test' });
  credits.time.advance(minutes(1));
  const grantId = await credits.grant(userId, { credits: 40, days: 3, reason: 'an apology' });
  credits.time.advance(minutes(1));
  await credits.revoke(userId, grantId);
  expect(await read(userId)).toMatchObject([
    { change: { action: 'credits.revoke', after: { takenBack: 40 } } },
    { change: { action: 'credits.grant', after: { credits: 40, reason: 'an apology' } } },
    { at: START.toISOString(), credits: { amount: -1, reason: 'email_found', reference: 'ada@people.test' } },
  ]);
  const kindsOf = async (query: Partial<TimelineQuery>) =>
    (await read(userId, query)).map((entry) =>
      'credits' in entry ? entry.credits.reason : 'change' in entry && entry.change.action,
    );
  expect(await kindsOf({ kind: 'credits' })).toEqual(['credits.revoke', 'credits.grant', 'email_found']);
  // Of a role that may not read changes, the ledger has them.
  const asFinance = { items: 'credits', kind: 'credits' } as const;
  expect(await kindsOf(asFinance)).toEqual(['credits_revoked', 'credits_granted', 'email_found']);
  expect(await read(userId, { kind: 'support' })).toMatchObject([{ change: {} }, { change: {} }]);
  expect(await read(userId, { items: 'account,email' })).toEqual([]);
  expect(await read(newUser())).toEqual([]);
});

it('pages of any size have every entry once, also those of one millisecond with ids of different lengths', async () => {
  const userId = newUser();
  const ids = [2_000, 1_001, 1_000, 999, 101, 100, 99, 98];
  for (const id of ids)
    await credits.db.query(
      `INSERT INTO ledger (id, user_id, window_id, operation_id, amount, reason, used_after, created_at)
       VALUES (?, ?, 0, ?, 0, 'email_found', 0, ?)`,
      [id, userId, uuidv7(), new Date(START.getTime() + Math.floor(id / 500))],
    );
  const whole = idsOf(await read(userId));
  expect(whole.map((id) => Number(id.slice('ledger:'.length)))).toEqual(ids);
  for (const limit of [1, 2, 3])
    expect(idsOf(await readPages((page) => read(userId, { limit, ...page })))).toEqual(whole);
  // After an entry of another service.
  expect(idsOf(await read(userId, { before: `${START.getTime()}.sign_in:x` }))).toEqual(whole.slice(-4));
});

it('a deleted user has the redacted changes alone', async () => {
  const userId = newUser();
  await credits.charge(userId);
  await credits.grant(userId, { credits: 40, days: 3, reason: 'an apology' });
  await credits.publish(eventOf(userDeleted, userId, { by: 'admin', generation: 1 }), 'identity.events');
  await until('the ledger to be erased', async () => (await read(userId, { items: 'credits' })).length === 0);
  expect(await read(userId)).toMatchObject([
    { change: { action: 'credits.grant', after: { reason: '(redacted)' } } },
  ]);
});

it('a page of a long ledger reads few rows, in two statements', async () => {
  const userId = newUser();
  await credits.db.query(
    `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at)
     SELECT ?, 0, CONCAT('long-', n), 0, 'email_found', 0, ? - INTERVAL n DIV 3 SECOND
     FROM ${numbersBelow(20_000)}`,
    [userId, START],
  );
  const position = { at: new Date(START.getTime() - minutes(50)).toISOString(), id: 'email:x' };
  for (const from of [null, position]) {
    const query = { userId, items: 'credits', limit: 26, position: from };
    const { result, rowsRead } = await countRowsRead(credits.db, (tx) => listTimelineEntries(tx, query));
    expect(result).toHaveLength(26);
    expect(rowsRead).toBeLessThan(60);
  }
  expect(await countStatements(credits.db, () => read(userId))).toBe(2);
});
