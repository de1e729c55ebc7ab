import { randomUUID } from 'node:crypto';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { runInProcess } from '@shortlist/operator/testing/run-in-process';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { insertAccount, type NewAccountRow } from '../src/accounts/queries.ts';
import { listSpellings } from '../src/accounts/email-spellings.ts';
import { schema } from '../src/db.ts';
import { program } from '../src/operator.ts';

const { db, drop } = await createTestDb(schema);
afterAll(drop);
beforeEach(async () => {
  await db.query('DELETE FROM accounts');
});

const CREATED = new Date('2025-04-05T06:07:08.000Z');
let count = 0;
/** An account as it is stored, in whichever spelling. */
const store = async (email: string, role: 'user' | 'admin' = 'user'): Promise<string> => {
  const id = `0198a0b0-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`;
  const row: NewAccountRow = {
    id,
    email,
    role,
    passwordHash: 'x',
    createdAt: CREATED,
    termsVersion: null,
    termsAcceptedAt: null,
    emailVerifiedAt: CREATED,
    ownedSince: null,
    adminRole: role === 'admin' ? 'owner' : null,
    adminName: null,
    adminVersion: 0,
    suspendedAt: null,
  };
  await insertAccount(db.manager, row);
  return id;
};

const run = (...args: string[]) => {
  const { database } = db.options as { database: string };
  const url = new URL(inject('databaseAdminUrl'));
  url.pathname = `/${database}`;
  return runInProcess(program, ['emails', 'compare', ...args], {
    env: { DATABASE_URL: url.href },
    clock: () => new Date(),
  });
};
const rows = () => db.query<object[]>('SELECT * FROM accounts ORDER BY id');

describe('shortlist emails compare', () => {
  it('lists the accounts of a mailbox in several spellings, masked, and changes nothing', async () => {
    await store('bea@talent.test');
    const former = await store('ana.lopez@münchen.test');
    const present = await store('ana.lopez@xn--mnchen-3ya.test', 'admin');
    const upper = await store('Carl@Talent.test');
    const lower = await store('carl@talent.test');
    const before = await rows();
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'a***@münchen.test: 2 accounts',
      `  ${former}  user  since 2025-04-05  a***@münchen.test  cannot log in: stored in another spelling`,
      `  ${present}  admin  since 2025-04-05  a***@xn--mnchen-3ya.test  can log in`,
      'c***@talent.test: 2 accounts',
      `  ${upper}  user  since 2025-04-05  C***@Talent.test  cannot log in: stored in another spelling`,
      `  ${lower}  user  since 2025-04-05  c***@talent.test  can log in`,
    ]);
    expect(await rows()).toEqual(before);
  });

  it('lists a single account that its owner cannot reach', async () => {
    const id = await store('dan@straße.test');
    const { code, stdout } = await run('--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      {
        email: 'd***@xn--strae-oqa.test',
        accounts: [
          {
            id,
            email: 'd***@straße.test',
            role: 'user',
            createdAt: CREATED.toISOString(),
            isReachable: false,
          },
        ],
      },
    ]);
  });

  it('finds nothing among emails of different mailboxes', async () => {
    for (const email of [
      'ana@strasse.test',
      'ana@xn--strae-oqa.test',
      'ana@talent.test',
      'ana+jobs@talent.test',
    ])
      await store(email);
    expect(await run()).toEqual({
      code: 0,
      stdout: 'Every account is stored in the one spelling of its email.\n',
      stderr: '',
    });
    expect((await run('--json')).stdout).toBe('[]\n');
  });

  it('finds three spellings and all pages of accounts', async () => {
    const emails = ['EVE@münchen.test', 'eve@MÜNCHEN.test', 'eve@xn--mnchen-3ya.test'];
    for (let index = 0; index < 5; index += 1) await store(`${randomUUID()}@talent.test`);
    for (const email of emails) await store(email);
    for (let index = 0; index < 5; index += 1) await store(`${randomUUID()}@talent.test`);
    for (const pageSize of [1, 2, 5, 13, 100]) {
      const [mailbox, ...more] = await listSpellings(db, pageSize);
      expect(more).toEqual([]);
      expect(mailbox?.accounts.map(({ email, isReachable }) => [email, isReachable])).toEqual(
        emails.map((email) => [email, email === emails[2]]),
      );
    }
  });
});
