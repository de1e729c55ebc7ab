import type { Account } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { signInEndpoints, type SignInView } from '@shortlist/contracts/api/sessions';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days } from '@shortlist/contracts/durations';
import { asService } from '@shortlist/kit/http/http-client';
import { EXPIRED_SIGN_INS } from '../src/credentials/sign-in-queries.ts';
import { ana, openIdentity } from './open-identity.ts';

const service = asService();
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;

const HOME = { browser: 'Firefox', system: 'macOS', network: '198.51.100.0/24', place: 'Oslo, Norway' };
const AWAY = { browser: 'Chrome', system: 'Windows', network: '203.0.113.0/24', place: 'Lagos, Nigeria' };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let user: Account;
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());
beforeEach(async () => {
  const account = { ...ana, email: `${uuidv7()}@talent.test` };
  user = (await opened.identity.ask(signUpEndpoints.register, account, anonymous)).data;
});

const succeed = (change: Partial<typeof HOME> & { isKnownDevice?: boolean } = {}) => {
  const signIn = { ...HOME, method: 'password', sessionId: uuidv7(), isKnownDevice: false } as const;
  return opened.identity.ask(logInEndpoints.recordSignIn, { ...signIn, id: user.id, ...change }, service);
};
const refuse = (method: 'code' | 'recovery_code' | 'passkey' = 'code') =>
  opened.identity.ask(
    logInEndpoints.recordFailedSignIn,
    { ...AWAY, id: user.id, method, isLocking: false },
    service,
  );
/** An admin views the product as the user. */
const view = () =>
  opened.identity.ask(
    signInEndpoints.recordViewing,
    { id: user.id, sessionId: uuidv7(), reason: 'They cannot log in' },
    admin,
  );
const fail = (isLocking = false, account: { id: string } | { email: string; role: 'user' } = user) => {
  const by = 'id' in account ? { id: account.id } : account;
  const failure = { ...AWAY, ...by, method: 'password', isLocking } as const;
  return opened.identity.ask(logInEndpoints.recordFailedSignIn, failure, service);
};
const history = async (): Promise<SignInView[]> => {
  const caller = { caller: { role: 'user', userId: user.id } } as const;
  return (await opened.identity.ask(signInEndpoints.listSignIns, { id: user.id }, caller)).data;
};
/** Moves these times of the user's entries to the day before. */
const age = (...columns: ('at' | 'warned_at' | 'locked_at')[]) => {
  const changes = columns.map((column) => `${column} = ${column} - INTERVAL 25 HOUR`).join();
  return opened.db.query(`UPDATE sign_ins SET ${changes} WHERE account_id = ?`, [user.id]);
};
/** The types of the user's events that begin with these words. */
const events = async (...names: string[]): Promise<string[]> => {
  const rows: { payload: string }[] = await opened.db.query(
    'SELECT payload FROM outbox WHERE message_key = ? ORDER BY id',
    [user.id],
  );
  return rows
    .map(({ payload }) => (JSON.parse(payload) as { type: string }).type.split('.')[1] ?? '')
    .filter((type) => names.includes(type));
};

describe('the history of log-ins', () => {
  it('has each log-in with its device, place and method, newest first, without network and session', async () => {
    await succeed();
    await succeed({ ...AWAY });
    expect(await history()).toMatchObject([
      { browser: 'Chrome', place: 'Lagos, Nigeria', outcome: 'succeeded', method: 'password', attempts: 1 },
      { browser: 'Firefox', system: 'macOS', place: 'Oslo, Norway', isNewDevice: false },
    ]);
    expect(JSON.stringify(await history())).not.toMatch(/session|network|\/24/);
  });

  it('has consecutive failures as one entry with their number', async () => {
    await succeed();
    for (let count = 0; count < 10; count += 1) await fail();
    await succeed();
    await fail(false, { email: user.email, role: 'user' });
    expect((await history()).map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
      ['failed', 1],
      ['succeeded', 1],
      ['failed', 10],
      ['succeeded', 1],
    ]);
  });

  it('has concurrent failures as one entry', async () => {
    await succeed();
    await Promise.all(Array.from({ length: 8 }, () => fail()));
    const failed = (await history()).filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ attempts }) => attempts)).toEqual([8]);
  });

  it('keeps the last 50 entries, and 90 days', async () => {
    for (let count = 0; count < 52; count += 1) await succeed();
    const entries = await history();
    expect(entries).toHaveLength(50);
    const rows: unknown[] = await opened.db.query('SELECT 1 FROM sign_ins WHERE account_id = ?', [user.id]);
    expect(rows).toHaveLength(50);
    await opened.db.query('UPDATE sign_ins SET at = at - INTERVAL 91 DAY WHERE id = ?', [entries.at(-1)?.id]);
    const before = new Date(Date.now() - days(EXPIRED_SIGN_INS.days));
    await opened.db.query(EXPIRED_SIGN_INS.remove, [before, 1_000]);
    expect(await history()).toHaveLength(49);
  });

  it('of an unknown account is not recorded, with the same response', async () => {
    const known = await fail(false, { email: user.email, role: 'user' });
    expect(await fail(false, { email: 'unknown@talent.test', role: 'user' })).toEqual(known);
    expect(await fail(false, { id: uuidv7() })).toEqual(known);
  });

  it('is deleted with the account', async () => {
    await succeed();
    await opened.identity.ask(privacyEndpoints.eraseUser, { id: user.id }, admin);
    const rows: unknown[] = await opened.db.query('SELECT 1 FROM sign_ins WHERE account_id = ?', [user.id]);
    expect(rows).toEqual([]);
  });
});

describe('a new device', () => {
  it('is reported for an unknown one, and not for the first log-in, a known one, or the same kind in the same network', async () => {
    await succeed();
    await succeed();
    await succeed({ ...AWAY, isKnownDevice: true });
    expect(await events('NewDeviceUsed')).toEqual([]);
    await succeed({ ...HOME, network: '192.0.2.0/24' });
    expect(await events('NewDeviceUsed')).toEqual(['NewDeviceUsed']);
    expect((await history())[0]?.isNewDevice).toBe(true);
  });
});

describe('wrong second factors', () => {
  const refused = () => events('SecondFactorsRefused');

  it('are reported after ten consecutive ones, once a day', async () => {
    await succeed();
    for (let count = 0; count < 9; count += 1) await refuse();
    expect(await refused()).toEqual([]);
    for (let count = 0; count < 15; count += 1) await refuse();
    expect(await refused()).toHaveLength(1);
    await age('at', 'warned_at', 'locked_at');
    for (let count = 0; count < 9; count += 1) await refuse();
    expect(await refused()).toHaveLength(1);
    await refuse();
    expect(await refused()).toHaveLength(2);
    expect((await history())[0], 'which makes no device wait').toMatchObject({ isLocked: false });
  });

  it('are reported once when they are concurrent', async () => {
    await Promise.all(Array.from({ length: 14 }, () => refuse()));
    expect(await refused()).toHaveLength(1);
  });

  it('count together across kinds, even with wrong passwords and views by support between them', async () => {
    for (let count = 0; count < 5; count += 1) {
      await refuse('code');
      await fail();
      await view();
      await refuse(count % 2 === 0 ? 'recovery_code' : 'passkey');
    }
    expect(await refused()).toHaveLength(1);
  });

  it('are counted anew after a log-in of the user', async () => {
    for (let count = 0; count < 9; count += 1) await refuse();
    await succeed();
    for (let count = 0; count < 9; count += 1) await refuse();
    expect(await refused()).toEqual([]);
  });

  it('are reported even if the account was locked the same day, and do not lock it', async () => {
    await fail(true);
    for (let count = 0; count < 10; count += 1) await refuse();
    expect(await refused()).toHaveLength(1);
    expect(await events('LoginLocked')).toHaveLength(1);
    await fail(true);
    expect(await events('LoginLocked')).toHaveLength(1);
  });
});

describe('a locked account', () => {
  it('A6 is reported once a day, and marked in the history', async () => {
    await succeed();
    await fail();
    expect(await events('LoginLocked')).toEqual([]);
    await fail(true);
    await fail(true);
    expect(await events('LoginLocked')).toEqual(['LoginLocked']);
    expect((await history())[0]).toMatchObject({ attempts: 3, isLocked: true });
    await age('warned_at', 'locked_at');
    await fail(true);
    expect(await events('LoginLocked')).toHaveLength(2);
  });

  it('whose warning a process of the release before stored is not reported again', async () => {
    await fail(true);
    await opened.db.query('UPDATE sign_ins SET warned_at = NULL WHERE account_id = ?', [user.id]);
    await fail(true);
    expect(await events('LoginLocked')).toHaveLength(1);
    expect((await history())[0]).toMatchObject({ isLocked: true });
  });

  it('whose warning this release stored is known to a process of the release before', async () => {
    await fail(true);
    const rows: unknown[] = await opened.db.query(
      'SELECT 1 FROM sign_ins WHERE account_id = ? AND locked_at = warned_at',
      [user.id],
    );
    expect(rows).toHaveLength(1);
  });
});
