// Changes the audit log behind the product's back, and expects `verify` to find it.
import { randomUUID } from 'node:crypto';
import { recordAction, redactEntries } from '@shortlist/audit/audit-log';
import { sealEntries } from '@shortlist/audit/chain';
import { minutes } from '@shortlist/contracts/durations';
import { schema } from '@shortlist/identity/db';
import { inTransaction } from '@shortlist/kit/data/db';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLogsAreComplete } from '../src/verify/audit-chain.ts';
import type { Sources } from '../src/verify/sources.ts';

const USER = randomUUID();
let database: TestDb;
let identity: Reader;

const run = (sql: string, values: unknown[] = []): Promise<unknown> => database.db.query(sql, values);
const [ofIdentity] = auditLogsAreComplete;
const verifyIn = async (ahead = 0): Promise<string[]> => {
  const sources = { identity, now: new Date(Date.now() + minutes(ahead)) } as unknown as Sources;
  return ((await ofIdentity?.find(sources)) ?? []).map(({ detail }) => detail);
};
const record = (reason: string): Promise<void> =>
  inTransaction(database.db, (tx) =>
    recordAction(tx, {
      action: 'account.view',
      targetId: USER,
      before: { count: 1 },
      after: { reason },
      actorId: randomUUID(),
      address: '192.0.2.1',
      clock: () => new Date(),
    }),
  );
const idAt = async (sequence: number): Promise<string> => {
  const sql = 'SELECT entry_id AS id FROM audit_chain WHERE sequence = ?';
  return (await database.db.query<{ id: string }[]>(sql, [sequence]))[0]?.id ?? '';
};

beforeAll(async () => {
  database = await createTestDb({ ...schema, poolSize: 10 });
  identity = await openReader(database.url);
});
afterAll(async () => {
  await identity.close();
  await database.drop();
});
beforeEach(async () => {
  for (const table of ['audit_log', 'audit_chain', 'accounts']) await run(`DELETE FROM ${table}`);
  await run(
    `INSERT INTO accounts (id, email, password_hash, role, created_at) VALUES (?, 'ada@people.test', 'x', 'user', NOW(3))`,
    [USER],
  );
  for (const reason of ['first', 'second', 'third', 'fourth']) await record(reason);
  await sealEntries(database.db);
});

describe('V12 the audit log', () => {
  it('is intact, even after more entries', async () => {
    await record('fifth');
    await sealEntries(database.db);
    expect(await verifyIn(60)).toEqual([]);
  });

  it.each([
    ['the action', 'entry', { action: 'account.edit' }],
    ['who caused it', 'entry', { actor_id: 'another' }],
    ['whom it is about', 'entry', { target_id: randomUUID() }],
    ['the time', 'entry', { at: '2026-01-01' }],
    ['the reason', 'details', { after_state: '{"reason":"another"}' }],
    ['the network address', 'details', { address: '198.51.100.1' }],
    ['the salt', 'details', { salt: null }],
  ])('has a breach when this was changed in an entry: %s', async (_what, part, columns) => {
    const id = await idAt(2);
    for (const [column, value] of Object.entries(columns))
      await run(`UPDATE audit_log SET ${column} = ? WHERE id = ?`, [value, id]);
    const breach = {
      entry: `entry 2 (${id}) was changed`,
      details: `the details of entry 2 (${id}) were changed`,
    };
    expect(await verifyIn()).toContain(`identity: ${breach[part as keyof typeof breach]}`);
  });

  it('has a breach when an entry was deleted, even from the chain as well', async () => {
    const id = await idAt(2);
    await run('DELETE FROM audit_log WHERE id = ?', [id]);
    expect(await verifyIn()).toEqual([`identity: entry 2 (${id}) was deleted`]);
    await run('DELETE FROM audit_chain WHERE sequence = 2');
    expect(await verifyIn()).toContain('identity: no entry has the number 2');
    await run('UPDATE audit_chain SET sequence = sequence - 1 WHERE sequence > 2 ORDER BY sequence');
    expect(await verifyIn()).toContain('identity: the chain does not fit at entry 2');
  });

  it('has a breach when an entry was changed together with its hashes', async () => {
    const id = await idAt(2);
    await run("UPDATE audit_log SET action = 'account.edit' WHERE id = ?", [id]);
    await run("UPDATE audit_chain SET record_hash = REPEAT('0', 64) WHERE sequence = 2");
    expect(await verifyIn()).toContain('identity: the chain does not fit at entry 2');
  });

  it('has a breach when an entry was added with an earlier time, sealed or not', async () => {
    const id = randomUUID();
    const sql = `INSERT INTO audit_log (id, at, actor_id, address, action, target_id, position)
      VALUES (?, NOW(3) - INTERVAL 2 HOUR, '', '', 'account.edit', ?, ?)`;
    await run(sql, [id, USER, 1_000_000]);
    expect(await verifyIn()).toEqual([`identity: entry ${id} is not sealed`]);
    await sealEntries(database.db);
    expect(await verifyIn()).toEqual([`identity: entry 5 (${id}) was added after later ones`]);
  });

  it('has a breach when nothing seals entries', async () => {
    await record('fifth');
    expect(await verifyIn(5)).toEqual([]);
    expect(await verifyIn(11)).toHaveLength(1);
  });
});

describe('V12 the redaction of a deleted user', () => {
  it('is not a breach, and leaves no salt with which a short text could be guessed', async () => {
    await run('DELETE FROM accounts');
    await inTransaction(database.db, (tx) => redactEntries(tx, USER));
    expect(await verifyIn()).toEqual([]);
    expect(await database.db.query('SELECT id FROM audit_log WHERE salt IS NOT NULL')).toEqual([]);
  });

  it('is a breach for an account that exists', async () => {
    await inTransaction(database.db, (tx) => redactEntries(tx, USER));
    expect(await verifyIn()).toHaveLength(4);
  });

  it('does not allow other text', async () => {
    await run('DELETE FROM accounts');
    await inTransaction(database.db, (tx) => redactEntries(tx, USER));
    const id = await idAt(3);
    await run(`UPDATE audit_log SET after_state = '{"reason":"another"}' WHERE id = ?`, [id]);
    expect(await verifyIn()).toEqual([`identity: the details of entry 3 (${id}) were changed`]);
  });
});

describe('V12 sealing', () => {
  it('numbers entries that many transactions record at once, by several sealers, without gaps', async () => {
    const writes = Array.from({ length: 40 }, (_, at) => record(`concurrent ${at}`));
    const seals = Array.from({ length: 4 }, () => sealEntries(database.db));
    await Promise.all([...writes, ...seals]);
    const { sequence } = await sealEntries(database.db);
    expect(sequence).toBe(44);
    expect(await verifyIn(60)).toEqual([]);
  });

  it('does not wait for a transaction that records an entry, but seals the entry later', async () => {
    await database.db.transaction(async (tx) => {
      const entry = { action: 'account.view', targetId: USER } as const;
      await recordAction(tx, { ...entry, actorId: USER, address: '', clock: () => new Date() });
      await record('committed earlier');
      expect((await sealEntries(database.db)).sequence).toBe(5);
    });
    expect((await sealEntries(database.db)).sequence).toBe(6);
    expect(await verifyIn(60)).toEqual([]);
  });
});
