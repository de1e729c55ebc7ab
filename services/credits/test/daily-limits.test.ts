import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import { FREE_CHARGES_PER_DAY, RESERVATIONS_PER_DAY } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { newUser, openCheckedCredits, START } from './support.ts';

const credits = await openCheckedCredits({ poolSize: 20 });
beforeEach(() => credits.time.set(START));

const contact = { reason: 'email_found', reference: 'linkedin.com/in/ada' } as const;
const LIMIT = 'credits.daily_limit';
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const codeOf = ({ code }: { code: string }): string => code;
const tryReserve = (userId: string, key?: string) => credits.reserve(userId, key).catch(codeOf);

/** Has the user at `left` uses below the limit today. */
const useAllBut = async (
  userId: string,
  kind: 'reservation' | 'free_charge',
  left: number,
): Promise<void> => {
  const limit = kind === 'reservation' ? RESERVATIONS_PER_DAY : FREE_CHARGES_PER_DAY;
  await credits.db.query(
    'INSERT INTO daily_uses (user_id, kind, day, uses) VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE uses = VALUES(uses)',
    [userId, kind, START.toISOString().slice(0, 10), limit - left],
  );
};

const countRows = async (userId: string): Promise<number> => {
  const tables = await credits.db.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'user_id'`,
  );
  let count = 0;
  for (const { name } of tables)
    count += (await credits.db.query<unknown[]>(`SELECT 1 FROM ${name} WHERE user_id = ?`, [userId])).length;
  const events = await credits.db.query<unknown[]>('SELECT 1 FROM outbox WHERE message_key = ?', [userId]);
  return count + events.length;
};

describe('reservations of a user', () => {
  it('are refused beyond the limit of the day, whether concurrent or not, until midnight UTC', async () => {
    const userId = newUser();
    await useAllBut(userId, 'reservation', 3);
    const results = await Promise.all(times(12).map(() => tryReserve(userId)));
    expect(results.filter((result) => result === LIMIT)).toHaveLength(9);
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(3);
    expect(await credits.view(userId)).toMatchObject({ used: 3 });
    credits.time.advance(days(0.5) - 1);
    expect(await tryReserve(userId)).toBe(LIMIT);
    credits.time.advance(1);
    expect(await tryReserve(userId)).toMatchObject({ amount: 1 });
  });

  it('are refused as 429 with the time until midnight and what to do', async () => {
    const userId = newUser();
    await useAllBut(userId, 'reservation', 0);
    const [endpoint, reason] = [creditsEndpoints.reserve, contact.reason];
    const options = { caller: { role: 'user', userId } as const, headers: { 'idempotency-key': 'one' } };
    await expect(credits.ask(endpoint, { userId, reason }, options)).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 12 * 60 * 60,
      message: expect.stringContaining('midnight UTC') as string,
    });
  });

  it('that were made before the limit get the same response again, and are settled', async () => {
    const userId = newUser();
    const first = await credits.reserve(userId, 'operation-1');
    await useAllBut(userId, 'reservation', 0);
    expect(await tryReserve(userId, 'operation-1')).toEqual(first);
    expect(await tryReserve(userId, 'operation-2')).toBe(LIMIT);
    expect(await credits.commit(userId, first.id)).toMatchObject({ charged: 1 });
    expect(await credits.charge(userId)).toMatchObject({ charged: 1 });
    expect(await tryReserve(newUser())).toMatchObject({ amount: 1 });
  });

  it('that are refused for another reason do not count', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 20 });
    await useAllBut(userId, 'reservation', 1);
    for (const _ of times(3)) expect(await tryReserve(userId)).toBe('credits.balance_too_low');
    const free = { ...contact, reference: 'grace' };
    await credits.grant(userId, { credits: 1, days: 3 });
    expect(await credits.reserve(userId, uuidv7(), free)).toMatchObject({ amount: 1 });
  });

  it('of contacts that were paid for count, too', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), contact);
    await useAllBut(userId, 'reservation', 1);
    expect(await credits.reserve(userId, uuidv7(), contact)).toMatchObject({ amount: 0 });
    const rows = await countRows(userId);
    await expect(credits.reserve(userId, uuidv7(), contact)).rejects.toMatchObject({ code: LIMIT });
    expect(await countRows(userId)).toBe(rows);
  });
});

describe('charges of a contact that was paid for', () => {
  it('add no row to any table, however many they are', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), contact);
    await credits.charge(userId, uuidv7(), contact);
    const rows = await countRows(userId);
    await Promise.all(times(100).map(() => credits.charge(userId, uuidv7(), contact)));
    expect(await countRows(userId)).toBe(rows);
  });

  it('are refused beyond the limit of the day, while the last one still gets its response, and others are charged', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), contact);
    await useAllBut(userId, 'free_charge', 3);
    const results = await Promise.all(times(12).map(() => credits.tryCharge(userId, uuidv7(), contact)));
    expect(results.filter((result) => result === LIMIT)).toHaveLength(9);
    await useAllBut(userId, 'free_charge', 1);
    const last = await credits.charge(userId, 'operation-1', contact);
    expect(await credits.tryCharge(userId, uuidv7(), contact)).toBe(LIMIT);
    expect(await credits.charge(userId, 'operation-1', contact)).toEqual(last);
    expect(await credits.charge(userId, uuidv7(), { ...contact, amount: 4 })).toMatchObject({ charged: 3 });
    expect(await credits.reserve(userId, uuidv7(), contact)).toMatchObject({ amount: 0 });
    credits.time.advance(days(1));
    expect(await credits.charge(userId, uuidv7(), contact)).toMatchObject({ charged: 0 });
  });
});
