import { BROWSER, creditsEndpoints, type HistoryQuery } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import { USAGE_ENTRIES_MAX } from '@shortlist/contracts/limits';
import { countRowsRead } from '@shortlist/kit/testing/databases';
import { numbersBelow } from '@shortlist/kit/testing/numbers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { listHistory } from '../src/ledger/queries.ts';
import { newUser, openCheckedCredits, START } from './support.ts';

const credits = await openCheckedCredits();

const USER = newUser();
const [BOT, RARE] = [uuidv7(), uuidv7()];
/** Entries at a second's distance, two a second: enough for more than one report. */
const ENTRIES = USAGE_ENTRIES_MAX + 2;

/** A user with a long history: one tool made it, but for the oldest two entries of another tool. */
beforeAll(async () => {
  await credits.charge(USER);
  await credits.db.query(
    `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at, client_id)
     SELECT ?, 0, CONCAT('old-', n), 0, IF(n % 50000 = 1, 'unused', 'email_found'), 0,
       ? - INTERVAL (? - n) DIV 2 SECOND, IF(n < 2, ?, ?) FROM ${numbersBelow(ENTRIES)}`,
    [USER, START, ENTRIES, RARE, BOT],
  );
  await credits.db.query('ANALYZE TABLE ledger');
});

const caller = { role: 'user', userId: USER } as const;
const usage = (from?: string) =>
  credits.ask(creditsEndpoints.getUsage, { userId: USER, ...(from && { from }) }, { caller });

describe('a page of a long history', () => {
  const firstDay = new Date(START.getTime() - days(1)).toISOString().slice(0, 10);
  const queries: HistoryQuery[] = [
    {},
    { reason: 'unused' },
    { reason: 'expired' },
    { client: BOT },
    { client: RARE },
    { client: BROWSER },
    { client: RARE, reason: 'email_found' },
    { returns: 'joined' },
    { returns: 'joined', reason: 'unused' },
    { returns: 'joined', client: RARE },
    { client: BOT, reason: 'unused' },
    { to: firstDay },
    { from: firstDay, to: firstDay, client: BOT, reason: 'email_found' },
    { from: '2026-01-01', to: '2026-01-31' },
  ];

  it.each(queries)('reads few entries, whatever the filter: %j', async (query) => {
    let cursor: string | null = null;
    for (const pageNumber of [1, 2]) {
      const page: HistoryQuery = { ...query, ...(cursor === null ? {} : { cursor }) };
      const { result, rowsRead } = await countRowsRead(credits.db, (tx) => listHistory(tx, USER, page));
      expect(rowsRead, `page ${pageNumber}`).toBeLessThan(100);
      cursor = result.next;
    }
  });

  it('has each entry once, also those of the same time', async () => {
    const { data: first } = await listHistory(credits.db.manager, USER, { client: BOT, limit: 30 });
    const ids: string[] = [];
    let cursor: string | null = null;
    for (const _ of Array.from({ length: 6 })) {
      const query: HistoryQuery = { client: BOT, limit: 5, ...(cursor === null ? {} : { cursor }) };
      const page: Awaited<ReturnType<typeof listHistory>> = await listHistory(
        credits.db.manager,
        USER,
        query,
      );
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next;
    }
    expect(ids).toEqual(first.map(({ id }) => id));
    expect(new Set(ids).size).toBe(30);
  });

  it('after an entry of another user is refused', async () => {
    const other = await listHistory(credits.db.manager, USER, { limit: 1 });
    const asked = listHistory(credits.db.manager, newUser(), { cursor: other.next ?? '' });
    await expect(asked).rejects.toMatchObject({ code: 'request.stale_cursor' });
  });
});

describe('the usage of a long history', () => {
  it('is refused in words for more entries than one report sums, and summed for fewer days', async () => {
    await expect(usage()).rejects.toMatchObject({
      code: 'request.invalid',
      fields: { from: 'There are too many entries in these days. Please choose fewer days' },
    });
    expect((await usage(START.toISOString().slice(0, 10))).data).toMatchObject([{ charged: 1 }]);
  });

  it('is summed for three requests of a user at a time; others get 429, and other users theirs', async () => {
    const requests = Array.from({ length: 12 }, () => usage(START.toISOString().slice(0, 10)));
    const other = newUser();
    const ofOther = credits.ask(
      creditsEndpoints.getUsage,
      { userId: other },
      { caller: { role: 'user', userId: other } },
    );
    const results = await Promise.allSettled(requests);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const refusal of refused)
      expect(refusal).toMatchObject({ reason: { code: 'request.rate_limited', retryAfterSeconds: 1 } });
    expect(await ofOther).toEqual({ data: [] });
    expect((await usage(START.toISOString().slice(0, 10))).data).toHaveLength(1);
  });
});

it('a window that is used up by too many entries does not say what they were for', async () => {
  await credits.charge(USER, uuidv7(), { reason: 'email_found', amount: 19 });
  expect((await credits.view(USER)).usedFor).toEqual({ messages: 0, emails: 20 });
  await credits.db.query(
    'UPDATE ledger SET window_id = (SELECT id FROM credit_buckets WHERE user_id = ?) WHERE user_id = ? AND amount = 0 LIMIT 10000',
    [USER, USER],
  );
  expect(await credits.view(USER)).toMatchObject({ exhausted: true, usedFor: null });
});
