import { type Account, identityEndpoints } from '@shortlist/contracts/api/identity';
import { logInEndpoints, type NewAccount, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { passwordChanged, userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { createLog } from '@shortlist/kit/process/log';
import { openTestService, type OpenedService, STRICT } from '@shortlist/kit/testing/open-service';
import { databaseNow } from '@shortlist/kit/data/db';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { insertUserRows, listTablesWith } from '@shortlist/kit/testing/user-rows';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../src/team/change-admin.ts';
import { createIdentity } from '../src/app.ts';
import { createFactorKeys } from '../src/factors/factor-keys.ts';
import { createHasher, createPasswordPolicy, type Hasher } from '../src/passwords.ts';
import { schema } from '../src/db.ts';
import { ana } from './open-identity.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
let identity: OpenedService;
let hashed = 0; // the number of hash computations

const counting = ({ hash, verify, ...rest }: Hasher): Hasher => {
  const counted =
    <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
    (...args: Args): Result => {
      hashed += 1;
      return work(...args);
    };
  return { ...rest, hash: counted(hash), verify: counted(verify) };
};

beforeAll(async () => {
  const clock = (): Date => new Date();
  const log = createLog('test', 'silent');
  const hasher = counting(await createHasher());
  const keys = createFactorKeys(['f'.repeat(32)]);
  const passwordPolicy = createPasswordPolicy({ min: 6, breachedUrl: '', log: createLog('test', 'silent') });
  const shared = { db, hasher, clock, sharedClock: databaseNow, log, keys, passwordPolicy };
  const parts = { ...shared, webhookTargets: 'public' as const, publicUrl: 'https://shortlist.test' };
  identity = await openTestService(createIdentity(parts), { db });
});
afterAll(async () => {
  await identity.stop();
  await drop();
});
beforeEach(() => db.query('DELETE FROM accounts'));

const register = async (more: Partial<NewAccount> = {}): Promise<Account> =>
  (await identity.ask(signUpEndpoints.register, { ...ana, ...more }, { ...anonymous, headers: STRICT })).data;
const logIn = async (email: string, password: string): Promise<Account> =>
  (
    await identity.ask(
      logInEndpoints.verifyCredentials,
      { email, password, role: 'user' },
      { ...anonymous, timeoutMs: 30_000 },
    )
  ).data;
const hashes = async (): Promise<string[]> => {
  const rows: { password_hash: string }[] = await db.query('SELECT password_hash FROM accounts');
  return rows.map((row) => row.password_hash);
};
const emitted = (type: { type: string }): Promise<CloudEvent<unknown>[]> =>
  db
    .query<{ payload: string }[]>('SELECT payload FROM outbox')
    .then((rows) =>
      rows
        .map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>)
        .filter((event) => event.type === type.type),
    );
const error = (code: string) => ({ code });

describe('a new account', () => {
  it('A1 has an argon2id hash that differs from the hash of an equal password', async () => {
    await register();
    await register({ email: 'bob@talent.test' });
    const [one = '', other = ''] = await hashes();
    for (const hash of [one, other]) {
      const [, memory, time, lanes, salt = ''] =
        /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$/.exec(hash) ?? [];
      expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
      expect(Number(time)).toBeGreaterThanOrEqual(2);
      expect(Number(lanes)).toBeGreaterThanOrEqual(1);
      expect(Buffer.from(salt, 'base64').length).toBeGreaterThanOrEqual(16);
    }
    expect(one).not.toBe(other);
  });

  it('H1 emits one event, with the input of the sign-up but not the password', async () => {
    const account = await register();
    const events = (await emitted(userRegistered)).filter(({ subject }) => subject === account.id);
    expect(events).toHaveLength(1);
    expect(events[0]?.data).toMatchObject({ email: ana.email, firstName: 'Ana' });
    expect(JSON.stringify(events)).not.toContain(ana.password);
  });

  it('D2 is not created when the sign-up has fields that a caller may not set', async () => {
    const more = {
      id: '0198a0b0-0000-7000-8000-000000000001',
      role: 'admin',
      passwordHash: '$argon2id$v=19$client',
      password_hash: '$argon2id$v=19$client',
      createdAt: '2001-01-01T00:00:00.000Z',
      version: 99,
    };
    for (const [name, value] of Object.entries(more))
      await expect(register({ [name]: value })).rejects.toMatchObject({
        status: 400,
        fields: { [name]: 'There is no field with this name' },
      });
    expect(await db.query('SELECT * FROM accounts')).toEqual([]);
  });

  it('A8 with an existing address in another spelling is refused', async () => {
    await identity.ask(signUpEndpoints.register, ana, admin);
    for (const email of ['ANA@talent.test', ' ana@TALENT.test', 'ａｎａ@talent.test'])
      await expect(register({ email })).rejects.toMatchObject({
        code: 'identity.email_taken',
        fields: { email: 'Email Exists! Please use another email.' },
      });
  });

  it('A8 is created once by fifty concurrent sign-ups with one email; the others are refused or wait for confirmation', async () => {
    const options = { ...anonymous, timeoutMs: 25_000 };
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => identity.ask(signUpEndpoints.register, ana, options)),
    );
    const accepted = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as unknown);
    expect(accepted.filter(({ isPending }) => !isPending)).toHaveLength(1);
    for (const reason of refused) expect(reason).toMatchObject(error('identity.email_taken'));
    expect(await hashes()).toHaveLength(1);
  });
});

it('A11 a new installation has no account', async () => {
  const fresh = await createTestDb(schema);
  expect(await fresh.db.query('SELECT id FROM accounts')).toEqual([]);
  await fresh.drop();
});

describe('a password', () => {
  const long = 'p'.repeat(64);
  it.each([long, 'q'.repeat(128), 'two  spaces ', 'señor 🎩 пароль', '密碼密碼密碼'])(
    'A2 %j is accepted exactly as given',
    async (password) => {
      await register({ password });
      await expect(logIn(ana.email, password)).resolves.toMatchObject({ email: ana.email });
      await expect(logIn(ana.email, `${password.slice(0, -1)}x`)).rejects.toMatchObject(
        error('identity.credentials_wrong'),
      );
      await expect(logIn(ana.email, `${password}x`)).rejects.toMatchObject(
        error('identity.credentials_wrong'),
      );
    },
  );

  it('A2 of ten kilobytes is refused before it is hashed', async () => {
    const { id } = await register();
    const asAna = { caller: { role: 'user', userId: id } } as const;
    const password = 'p'.repeat(10_240);
    hashed = 0;
    await expect(register({ password })).rejects.toMatchObject(error('request.invalid'));
    await expect(logIn(ana.email, password)).rejects.toMatchObject(error('request.invalid'));
    await expect(
      identity.ask(identityEndpoints.changePassword, { id, password }, asAna),
    ).rejects.toMatchObject(error('request.invalid'));
    expect(hashed).toBe(0);
    await logIn(ana.email, ana.password);
    expect(hashed).toBe(1);
  });

  it('A4 that is wrong gets the same response after the same work for a known email, an unknown one, and an admin’s', async () => {
    await register();
    const hasher = await createHasher();
    expect(hasher.isWeak(hasher.dummyHash)).toBe(false); // as much work as any other hash
    const password = 'no account has this password';
    await expect(logIn('unknown@talent.test', password)).rejects.toMatchObject(
      error('identity.credentials_wrong'),
    );
    await createAdmin(
      { db, hasher, clock: () => new Date() },
      { email: 'root@talent.test', password: 'wrong password' },
    );
    const token = await identity.sign('identity', anonymous.caller);
    const responses: unknown[] = [];
    for (const email of [ana.email, 'unknown@talent.test', 'root@talent.test']) {
      hashed = 0;
      const response = await fetch(`${identity.url}${logInEndpoints.verifyCredentials.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'wrong password', role: 'user' }),
      });
      const { error: body } = (await response.json()) as { error: Record<string, unknown> };
      responses.push({
        status: response.status,
        body: { ...body, requestId: '' },
        names: [...response.headers.keys()],
        hashed,
      });
    }
    expect(responses).toEqual([responses[0], responses[0], responses[0]]);
    expect(responses[0]).toMatchObject({ status: 401, hashed: 1 });
  });

  it('A5 with an older, weaker hash is accepted, and its hash is renewed', async () => {
    await register();
    const { hash } = await import('@node-rs/argon2');
    const weak = await hash(ana.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await db.query('UPDATE accounts SET password_hash = ?', [weak]);
    await logIn(ana.email, ana.password);
    expect((await hashes())[0]).toContain('m=19456,t=2');
    await logIn(ana.email, ana.password);
  });

  it('A9 that its user changes is replaced by the new one, with an event', async () => {
    const { id } = await register();
    const asAna = { caller: { role: 'user', userId: id } } as const;
    await identity.ask(
      identityEndpoints.changePassword,
      { id, password: 'another sesame', currentPassword: ana.password },
      asAna,
    );
    await expect(logIn(ana.email, ana.password)).rejects.toMatchObject(error('identity.credentials_wrong'));
    await logIn(ana.email, 'another sesame');
    expect((await emitted(passwordChanged)).filter(({ subject }) => subject === id)).toHaveLength(1);
  });

  it('S5 of another user cannot be changed', async () => {
    const { id } = await register();
    const other = { caller: { role: 'user', userId: '0198a0b0-0000-7000-8000-000000000001' } } as const;
    await expect(
      identity.ask(identityEndpoints.changePassword, { id, password: 'another sesame' }, other),
    ).rejects.toMatchObject(error('request.not_found'));
  });
});

describe('a deleted account', () => {
  it('leaves no row in any table except the audit log', async () => {
    const { id } = await register();
    const tables = await insertUserRows(db, id);
    expect(await listTablesWith(db, id)).toEqual(tables);
    await identity.ask(privacyEndpoints.eraseUser, { id }, admin);
    expect(await listTablesWith(db, id)).toEqual(['audit_log']);
  });

  it('frees its email, emits one event, and is unknown afterwards', async () => {
    const { id } = await register();
    await identity.ask(privacyEndpoints.eraseUser, { id }, admin);
    await expect(identity.ask(privacyEndpoints.eraseUser, { id }, admin)).rejects.toMatchObject(
      error('identity.user_not_found'),
    );
    await expect(logIn(ana.email, ana.password)).rejects.toMatchObject(error('identity.credentials_wrong'));
    expect((await emitted(userDeleted)).filter(({ subject }) => subject === id)).toHaveLength(1);
    expect((await register()).id).not.toBe(id);
  });

  it('names the job that deleted it together with others', async () => {
    const { id } = await register();
    const jobId = uuidv7();
    await identity.ask(privacyEndpoints.eraseUser, { id, jobId }, admin);
    const sql = "SELECT after_state FROM audit_log WHERE target_id = ? AND action = 'account.delete'";
    expect(await db.query(sql, [id])).toEqual([{ after_state: JSON.stringify({ job: jobId }) }]);
  });

  it('is redacted in the audit log, whose entries stay', async () => {
    const { id } = (await identity.ask(signUpEndpoints.register, ana, admin)).data;
    const entries = (): Promise<{ action: string; after_state: string | null }[]> =>
      db.query('SELECT action, after_state FROM audit_log WHERE target_id = ? ORDER BY id', [id]);
    expect((await entries())[0]?.after_state).toContain(ana.email);
    await identity.ask(privacyEndpoints.eraseUser, { id }, admin);
    const [created, deleted] = await entries();
    expect(deleted).toEqual({ action: 'account.delete', after_state: null });
    expect(JSON.parse(created?.after_state ?? '')).toMatchObject({ email: '(redacted)', picture: null });
    expect(created?.after_state).not.toMatch(/ana|souza|recife/i);
  });

  it('D4 is deleted by admins only', async () => {
    const { id } = await register();
    const asAna = { caller: { role: 'user', userId: id } } as const;
    await expect(identity.ask(privacyEndpoints.eraseUser, { id }, asAna)).rejects.toMatchObject(
      error('session.forbidden'),
    );
  });
});
