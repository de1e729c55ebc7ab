import { countRowsRead } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createDriftReader } from '../src/metrics.ts';
import { findLastEntryId, listDriftingBuckets } from '../src/ledger/queries.ts';
import { type Credits, newUser, openCredits } from './support.ts';

let credits: Credits;
beforeEach(async () => {
  await credits?.close();
  credits = await openCredits();
});
afterAll(() => credits.close());

describe('the drift of the ledger', () => {
  it('is 0 while the use of each window is the sum of its entries, also during charges', async () => {
    const check = createDriftReader(credits.db, 0);
    expect(await check()).toBe(0);
    const userId = newUser();
    const charges = Array.from({ length: 15 }, () => credits.charge(userId));
    expect(await check()).toBe(0);
    await Promise.all(charges);
    expect(await check()).toBe(0);
    expect(await credits.metrics.text()).toMatch(/^ledger_drift_windows\{.*\} 0$/m);
  });

  it('counts windows with an entry that was added, changed or removed by hand, until it is mended', async () => {
    const check = createDriftReader(credits.db, 0);
    const users = [newUser(), newUser(), newUser()];
    for (const userId of users) await credits.charge(userId);
    await check();
    const [first, second] = users;
    await credits.db.query(
      `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at)
       SELECT user_id, id, 'forged', -1, 'email_found', 2, NOW(3) FROM credit_buckets WHERE user_id = ?`,
      [first],
    );
    await credits.db.query('UPDATE ledger SET amount = -3 WHERE user_id = ?', [second]);
    expect(await check()).toBe(2);
    expect(await check()).toBe(2);
    expect(await credits.metrics.text()).toMatch(/^ledger_drift_windows\{.*\} 2$/m);
    await credits.db.query("DELETE FROM ledger WHERE operation_id = 'forged'");
    await credits.db.query('UPDATE ledger SET amount = -1 WHERE user_id = ?', [second]);
    expect(await check()).toBe(0);
  });

  it('counts a pack whose use differs from its parts, and a window from which a part was taken by hand', async () => {
    const check = createDriftReader(credits.db, 0);
    const userId = newUser();
    await credits.pack(userId);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 30 });
    expect(await check()).toBe(0);
    await credits.db.query("UPDATE credit_buckets SET used = 7 WHERE user_id = ? AND kind = 'pack'", [
      userId,
    ]);
    expect(await check()).toBe(1);
    await credits.charge(newUser());
    await credits.db.query('UPDATE ledger_parts SET amount = -7 WHERE user_id = ?', [userId]);
    expect(await check()).toBe(1); // the window now
    await credits.db.query('UPDATE ledger_parts SET amount = -10 WHERE user_id = ?', [userId]);
    await credits.db.query("UPDATE credit_buckets SET used = 10 WHERE user_id = ? AND kind = 'pack'", [
      userId,
    ]);
    expect(await check()).toBe(0);
  });

  it('reads the windows with new entries, however many others there are', async () => {
    const numbers = `SELECT a.n * 100 + b.n AS n FROM
      (SELECT ROW_NUMBER() OVER () AS n FROM information_schema.columns LIMIT 100) a,
      (SELECT ROW_NUMBER() OVER () AS n FROM information_schema.columns LIMIT 100) b`;
    await credits.db.query(
      `INSERT INTO credit_buckets (user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
       SELECT UUID(), n, 'free', 20, 0, NOW(3), NOW(3) FROM (${numbers}) AS numbers`,
    );
    await credits.db.query(
      `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at)
       SELECT user_id, id, 'old', 0, 'email_found', 0, NOW(3) FROM credit_buckets`,
    );
    await credits.db.query('ANALYZE TABLE credit_buckets, ledger');
    const after = await findLastEntryId(credits.db.manager);
    await credits.charge(newUser());
    const { result, rowsRead } = await countRowsRead(credits.db, (tx) => listDriftingBuckets(tx, after, []));
    expect(result).toEqual([]);
    expect(rowsRead).toBeLessThan(500);
  });

  it('of a window is found again after entries of many others', async () => {
    const check = createDriftReader(credits.db, 0);
    const userId = newUser();
    await credits.charge(userId);
    await credits.db.query('UPDATE credit_buckets SET used = 5 WHERE user_id = ?', [userId]);
    expect(await check()).toBe(1);
    await credits.db.query('ALTER TABLE ledger AUTO_INCREMENT = 20000');
    await credits.charge(newUser());
    expect(await check()).toBe(1);
  });
});
