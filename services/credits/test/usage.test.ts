import { BROWSER, creditsEndpoints, type HistoryQuery } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import type { DayRange } from '@shortlist/contracts/schemas/validation';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Credits, newUser, openCredits, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());
beforeEach(() => credits.time.set(START));

const [BOT, EXTENSION] = [uuidv7(), uuidv7()].toSorted() as [string, string];
const history = (userId: string, query: HistoryQuery = {}) =>
  credits.ask(creditsEndpoints.listHistory, { userId, ...query }, { caller: { role: 'user', userId } });
const usage = async (userId: string, range: DayRange = {}) =>
  (await credits.ask(creditsEndpoints.getUsage, { userId, ...range }, { caller: { role: 'user', userId } }))
    .data;
const fieldsOf = (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => null,
    ({ code, fields }: { code: string; fields: object }) => ({ code, fields }),
  );

const UNKNOWN_DAYS = [
  '2026-02-29',
  '2026-13-01',
  '2026-3-1',
  '20260301',
  '2026-03-01T00:00:00Z',
  '1026-03-01',
  '',
];

describe('the history', () => {
  it('says which tool charged, also of credits that another tool returned', async () => {
    const userId = newUser();
    await credits.charge(userId);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', clientId: EXTENSION });
    const parts = await credits.reserve(userId, uuidv7(), { amount: 3, clientId: BOT });
    await credits.commit(userId, parts.id, { amount: 2 });
    const whole = await credits.reserve(userId, uuidv7(), { amount: 3, clientId: EXTENSION });
    await credits.release(userId, whole.id);
    const late = await credits.reserve(userId, uuidv7(), { clientId: BOT });
    await credits.ageReservations(late.id, 3_600);
    await credits.releaseExpired();
    const { data } = await history(userId);
    expect(data.map(({ amount, reason, clientId }) => [amount, reason, clientId])).toEqual([
      [1, 'expired', BOT],
      [-1, 'email_found', BOT],
      [3, 'released', EXTENSION],
      [-3, 'email_found', EXTENSION],
      [1, 'unused', BOT],
      [-3, 'email_found', BOT],
      [-1, 'email_found', EXTENSION],
      [-1, 'email_found', null],
    ]);
  });

  it('joins a charge and what came back of it, page by page, also by the reason of the return', async () => {
    const userId = newUser();
    const parts = await credits.reserve(userId, uuidv7(), { amount: 3, reference: 'Ingrid', clientId: BOT });
    await credits.commit(userId, parts.id, { amount: 2 });
    const whole = await credits.reserve(userId, uuidv7(), { amount: 4 });
    // The charge after that of the reservation: the return stands in time between it and the next one.
    await credits.charge(userId, uuidv7());
    await credits.release(userId, whole.id);
    await credits.charge(userId, uuidv7(), { amount: 5, reason: 'email_found' });
    const joined = async (query: HistoryQuery = {}) => {
      const page = await history(userId, { returns: 'joined', ...query });
      return { ...page, lines: page.data.map(({ amount, returned }) => [amount, returned]) };
    };
    const released = { amount: 4, reason: 'released' };
    const unused = { amount: 1, reason: 'unused' };
    const first = await joined({ limit: 3 });
    expect(first.lines).toEqual([
      [-5, undefined],
      [-1, undefined],
      [-4, released],
    ]);
    const rest = await joined({ limit: 3, cursor: first.next ?? '' });
    expect(rest.lines).toEqual([[-3, unused]]);
    expect(rest.next).toBeNull();
    const returned = await joined({ reason: 'unused' });
    expect(returned.data).toMatchObject([
      { amount: -3, reason: 'email_found', reference: 'Ingrid', clientId: BOT, returned: unused },
    ]);
    expect((await joined({ reason: 'expired' })).lines).toEqual([]);
    expect((await history(userId)).data.map(({ amount }) => amount)).toEqual([-5, 4, -1, -4, 1, -3]);
  });

  it('keeps the tool of the first request when another one repeats it', async () => {
    const userId = newUser();
    const first = await credits.charge(userId, 'operation-1', { reason: 'email_found', clientId: BOT });
    for (const clientId of [EXTENSION, undefined])
      expect(
        await credits.charge(userId, 'operation-1', { reason: 'email_found', ...(clientId && { clientId }) }),
      ).toEqual(first);
    expect((await history(userId)).data).toMatchObject([{ clientId: BOT }]);
  });

  it('lists the entries of a reason, of a tool or of the browser, page by page', async () => {
    const userId = newUser();
    for (const clientId of [BOT, undefined, BOT, EXTENSION, BOT])
      for (const reason of ['email_found', 'message_composed'] as const)
        await credits.charge(userId, uuidv7(), { reason, ...(clientId && { clientId }) });
    const count = async (query: HistoryQuery): Promise<number> => (await history(userId, query)).data.length;
    expect(await count({ client: BOT })).toBe(6);
    expect(await count({ client: BOT.toUpperCase() })).toBe(6);
    expect(await count({ client: BROWSER })).toBe(2);
    expect(await count({ client: uuidv7() })).toBe(0);
    expect(await count({ reason: 'email_found' })).toBe(5);
    expect(await count({ reason: 'unused' })).toBe(0);
    const query: HistoryQuery = { client: BOT, reason: 'message_composed', limit: 2 };
    const page = await history(userId, query);
    expect(page.data).toHaveLength(2);
    const rest = await history(userId, { ...query, cursor: page.next ?? '' });
    expect(rest).toMatchObject({ data: [{ reason: 'message_composed', clientId: BOT }], next: null });
  });

  it('lists the entries of whole days in UTC', async () => {
    const userId = newUser();
    for (const time of [
      '03-01T00:00:00.000',
      '03-01T23:59:59.999',
      '03-02T00:00:00.000',
      '03-03T12:00:00.000',
    ]) {
      credits.time.set(new Date(`2026-${time}Z`));
      await credits.charge(userId);
    }
    const count = async (range: DayRange): Promise<number> => (await history(userId, range)).data.length;
    expect(await count({ from: '2026-03-01', to: '2026-03-01' })).toBe(2);
    expect(await count({ from: '2026-03-02' })).toBe(2);
    expect(await count({ to: '2026-03-02' })).toBe(3);
    expect(await count({ from: '2026-02-01', to: '2026-02-28' })).toBe(0);
  });

  it.each(UNKNOWN_DAYS)('refuses %j, which is no day', async (day) => {
    const refused = { code: 'request.invalid', fields: { from: expect.stringContaining('YYYY-MM-DD') } };
    expect(await fieldsOf(history(newUser(), { from: day }))).toEqual(refused);
    expect(await fieldsOf(usage(newUser(), { from: day }))).toEqual(refused);
  });

  it.each([
    [{ from: '2026-03-02', to: '2026-03-01' }, { to: 'The last day cannot be before the first' }],
    [{ reason: 'refund' }, { reason: 'This action is unknown' }],
    [{ client: 'bot' }, { client: 'Please enter the ID of an API key, or browser' }],
    [{ client: `{${BOT}}` }, { client: 'Please enter the ID of an API key, or browser' }],
  ])('refuses %j in words', async (query, fields) => {
    const refused = { code: 'request.invalid', fields };
    expect(await fieldsOf(history(newUser(), query as HistoryQuery))).toEqual(refused);
  });
});

describe('the usage', () => {
  it('sums each day by tool and reason, and counts a return on its day with the tool and reason of its charge', async () => {
    const userId = newUser();
    const contact = { reason: 'email_found', reference: 'ada@engines.test' } as const;
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 2, clientId: BOT });
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 3, clientId: BOT });
    await credits.charge(userId, uuidv7(), { reason: 'message_composed', clientId: BOT });
    await credits.charge(userId, uuidv7(), contact);
    await credits.charge(userId, uuidv7(), { ...contact, clientId: EXTENSION });
    const options = { amount: 4, reason: 'message_composed', clientId: EXTENSION } as const;
    const reserved = await credits.reserve(userId, uuidv7(), options);
    const other = await credits.reserve(userId, uuidv7(), { amount: 2 });
    credits.time.advance(days(1));
    await credits.commit(userId, reserved.id, { amount: 1 });
    await credits.release(userId, other.id);
    await credits.charge(userId);
    const [first, second] = ['2026-03-01', '2026-03-02'];
    expect(await usage(userId)).toEqual([
      { day: first, clientId: null, reason: 'email_found', charged: 3, returned: 0 },
      { day: first, clientId: BOT, reason: 'email_found', charged: 5, returned: 0 },
      { day: first, clientId: BOT, reason: 'message_composed', charged: 1, returned: 0 },
      { day: first, clientId: EXTENSION, reason: 'message_composed', charged: 4, returned: 0 },
      { day: second, clientId: null, reason: 'email_found', charged: 1, returned: 2 },
      { day: second, clientId: EXTENSION, reason: 'message_composed', charged: 0, returned: 3 },
    ]);
    expect(await credits.view(userId)).toMatchObject({ used: 9 });
  });

  it('has the days that were asked for, the last thirty by default, and nothing of other users', async () => {
    const userId = newUser();
    await credits.charge(newUser());
    for (const time of [
      '01-30T23:59:59.999',
      '01-31T00:00:00.000',
      '02-28T23:59:59.999',
      '03-01T12:00:00.000',
    ]) {
      credits.time.set(new Date(`2026-${time}Z`));
      await credits.charge(userId);
    }
    const daysOf = async (range: DayRange): Promise<string[]> =>
      (await usage(userId, range)).map(({ day }) => day);
    expect(await daysOf({})).toEqual(['2026-01-31', '2026-02-28', '2026-03-01']);
    expect(await daysOf({ from: '2026-02-28', to: '2026-02-28' })).toEqual(['2026-02-28']);
    expect(await daysOf({ to: '2026-01-30' })).toEqual(['2026-01-30']);
    expect(await daysOf({ from: '2026-04-01' })).toEqual([]);
    expect(await daysOf({ from: '2025-03-01', to: '2026-03-01' })).toHaveLength(4);
  });

  it('of more than 366 days, or of a range that ends before it starts, is refused in words', async () => {
    const userId = newUser();
    expect(await fieldsOf(usage(userId, { from: '2025-02-28', to: '2026-03-01' }))).toEqual({
      code: 'request.invalid',
      fields: { from: 'Please choose at most 366 days' },
    });
    expect(await fieldsOf(usage(userId, { from: '2026-03-02', to: '2026-03-01' }))).toEqual({
      code: 'request.invalid',
      fields: { to: 'The last day cannot be before the first' },
    });
  });
});
