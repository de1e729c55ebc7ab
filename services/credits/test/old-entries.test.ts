// Entries of the ledger that are older than LEDGER_DAYS, which are deleted while charges go on.
import { days } from '@shortlist/contracts/durations';
import { LEDGER_DAYS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneLedger } from '../src/ledger/prune-ledger.ts';
import { createDriftReader } from '../src/metrics.ts';
import { brokenBuckets, type Credits, newUser, openCredits } from './support.ts';

let credits: Credits;
beforeEach(async () => {
  await credits?.close();
  credits = await openCredits();
});
afterAll(() => credits.close());

const pruneAll = async (): Promise<number> => {
  let runs = 0;
  while (await pruneLedger(credits.db, credits.clock)) runs += 1;
  return runs;
};
const count = async (table: string): Promise<number> => {
  const [row] = await credits.db.query<[{ count: number }]>(`SELECT COUNT(*) AS count FROM ${table}`);
  return Number(row.count);
};
const drift = (): Promise<number> => createDriftReader(credits.db, 0)();

describe('an entry of the ledger', () => {
  it('is kept for LEDGER_DAYS, and then deleted with its parts and its reservation', async () => {
    const userId = newUser();
    await credits.pack(userId);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 30 });
    const { id } = (await credits.reserve(userId)) as { id: string };
    await credits.commit(userId, id);
    const [entries, parts] = [await count('ledger'), await count('ledger_parts')];
    expect([entries > 1, parts > 0, await count('reservations')]).toEqual([true, true, 1]);
    credits.time.advance(days(LEDGER_DAYS) - 1);
    expect(await pruneAll()).toBe(0);
    credits.time.advance(2);
    expect(await pruneAll()).toBe(1);
    expect([await count('ledger'), await count('ledger_parts'), await count('reservations')]).toEqual([
      0, 0, 0,
    ]);
  });

  it('leaves the credits of a pack as they are, and the ledger adds up, also when only some are old', async () => {
    const userId = newUser();
    await credits.pack(userId);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 30 });
    credits.time.advance(days(LEDGER_DAYS - 1));
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 25 });
    credits.time.advance(days(2));
    const before = await credits.balance(userId);
    expect(await pruneAll()).toBe(1);
    expect(await credits.balance(userId)).toEqual(before);
    expect(await count('ledger')).toBe(1);
    expect([await drift(), await brokenBuckets(credits.db)]).toEqual([0, []]);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 25 });
    expect([await drift(), await brokenBuckets(credits.db)]).toEqual([0, []]);
    await credits.db.query("UPDATE credit_buckets SET pruned = pruned + 1 WHERE kind = 'pack'");
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 25 });
    expect(await drift()).toBe(1);
  });

  it('stays while an entry with a lower id is younger, and goes in any number of runs', async () => {
    const users = Array.from({ length: 60 }, newUser);
    for (const userId of users) await Promise.all(Array.from({ length: 10 }, () => credits.charge(userId)));
    await credits.db.query(
      'UPDATE ledger SET created_at = created_at + INTERVAL 1 DAY WHERE id = (SELECT id FROM (SELECT MIN(id) AS id FROM ledger) AS first)',
    );
    credits.time.advance(days(LEDGER_DAYS) + 1);
    expect(await pruneAll()).toBe(0);
    credits.time.advance(days(1));
    expect(await pruneAll()).toBe(6);
    expect([await count('ledger'), await drift()]).toEqual([0, 0]);
  });
});

it('charges of other users, and of the same pack, go on while old entries are deleted', async () => {
  const userId = newUser();
  await credits.pack(userId);
  const old = Array.from({ length: 40 }, newUser);
  for (const user of old) await Promise.all(Array.from({ length: 15 }, () => credits.charge(user)));
  await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 20 });
  await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 5 });
  credits.time.advance(days(LEDGER_DAYS) + 1);
  const charging = Array.from({ length: 60 }, (_, index) =>
    credits.charge(index % 2 === 0 ? userId : newUser()),
  );
  const [charged] = await Promise.all([Promise.allSettled(charging), pruneAll()]);
  expect(charged.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(await count('ledger')).toBe(60);
  expect(await brokenBuckets(credits.db)).toEqual([]);
});
