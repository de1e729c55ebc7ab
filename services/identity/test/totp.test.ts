import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { auditEndpoint, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type IdentityProof, logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { minutes } from '@shortlist/contracts/durations';
import {
  factorAdded,
  factorRemoved,
  passwordResetRequested,
  recoveryCodesRenewed,
  recoveryCodeUsed,
} from '@shortlist/contracts/events/identity';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { databaseNow } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAdmin } from '../src/team/change-admin.ts';
import { findAccountByEmail } from '../src/accounts/queries.ts';
import { recoverAdmin } from '../src/credentials/lost-factors.ts';
import { createHasher } from '../src/passwords.ts';
import { createFactorKeys } from '../src/factors/factor-keys.ts';
import { codeOf, stepAt } from '../src/factors/totp.ts';
import { secretIn } from './authenticator-app.ts';
import { ana, openIdentity, versionOfNow } from './open-identity.ts';

const STEP_MS = 30_000;
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;

let opened: Awaited<ReturnType<typeof openIdentity>>;
// The clock is set to the middle of a step: no test may depend on the moment at which it runs.
const startedAt = (Math.floor(Date.now() / STEP_MS) + 0.5) * STEP_MS;
let aheadMs = 0;
const now = (): Date => new Date(startedAt + aheadMs);
beforeAll(async () => {
  opened = await openIdentity({ clock: now });
});
afterAll(() => opened.close());

let userId = '';
const self = () => ({ caller: { role: 'user', userId } as const });
beforeEach(async () => {
  const email = `${uuidv7()}@people.test`;
  const { data } = await opened.identity.ask(signUpEndpoints.register, { ...ana, email }, anonymous);
  userId = data.id;
});

const start = async (): Promise<Buffer> =>
  secretIn((await opened.identity.ask(factorEndpoints.startTotp, { userId }, self())).data.secret);
const codeIn = (secret: Buffer, steps: number): string => codeOf(secret, stepAt(now()) + steps);
const confirm = async (code: string) =>
  (await opened.identity.ask(factorEndpoints.confirmTotp, { userId, code }, self())).data.recoveryCodes;
const prove = (proof: IdentityProof) => opened.identity.ask(logInEndpoints.prove, { userId, proof }, service);
const factors = async () => (await opened.identity.ask(factorEndpoints.getFactors, { userId }, self())).data;
/** Turns two-step verification on and moves past the step of the confirming code. */
const turnOn = async (): Promise<{ secret: Buffer; codes: string[] }> => {
  const secret = await start();
  const codes = await confirm(codeIn(secret, 0));
  aheadMs += 2 * STEP_MS;
  return { secret, codes };
};
const emitted = async (type: { type: string }): Promise<unknown[]> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  const events = rows.map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>);
  return events
    .filter((event) => event.type === type.type && event.subject === userId)
    .map(({ data }) => data);
};

describe('setting up an authenticator app', () => {
  it('takes effect once a code confirms the secret', async () => {
    const secret = await start();
    expect((await factors()).totpSince).toBeNull();
    const wrong = codeIn(secret, 10);
    await expect(confirm(wrong)).rejects.toMatchObject({ code: 'identity.code_wrong' });
    const codes = await confirm(codeIn(secret, 0));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
    expect(await factors()).toMatchObject({ recoveryCodes: { left: 10, total: 10 } });
    expect((await factors()).totpSince).not.toBeNull();
    expect(await emitted(factorAdded)).toEqual([{ factor: 'totp', by: userId }]);
  });

  it('twenty concurrent starts all succeed, and one after a deletion reports it', async () => {
    await Promise.all(Array.from({ length: 20 }, start));
    const admin = { caller: { role: 'admin', userId: 'admin-1' } } as const;
    const starts = Array.from({ length: 20 }, () => start().catch((error: unknown) => error));
    await opened.identity.ask(privacyEndpoints.eraseUser, { id: userId }, admin);
    for (const result of await Promise.all(starts))
      if (!Buffer.isBuffer(result)) expect(result).toMatchObject({ code: 'identity.user_not_found' });
    await expect(start()).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });

  it('replaces an unconfirmed secret, but not a confirmed one', async () => {
    const first = await start();
    const second = await start();
    await expect(confirm(codeIn(first, 0))).rejects.toMatchObject({ code: 'identity.code_wrong' });
    await confirm(codeIn(second, 0));
    await expect(start()).rejects.toMatchObject({ code: 'identity.totp_on' });
  });

  it('stores the secret encrypted and the recovery codes hashed', async () => {
    const { secret, codes } = await turnOn();
    const rows = await opened.db.query<object[]>(
      'SELECT * FROM totp_secrets JOIN recovery_codes USING (account_id) WHERE account_id = ?',
      [userId],
    );
    const stored = JSON.stringify(rows);
    expect(rows).toHaveLength(10);
    for (const text of [secret.toString('base64url'), secret.toString('hex'), ...codes])
      expect(stored).not.toContain(text.replace('-', ''));
  });

  it('is in the audit log with its reason when an admin removes it, which is not possible for another admin', async () => {
    await turnOn();
    await opened.identity.ask(factorEndpoints.removeFactors, { userId, reason: 'Lost the phone' }, admin);
    expect((await factors()).totpSince).toBeNull();
    // The password alone would let in a person who knows it, before the user.
    const { email } = (await opened.identity.ask(identityEndpoints.email, { id: userId }, asService())).data;
    const logIn = { email, password: ana.password, role: 'user' } as const;
    const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
    await expect(
      opened.identity.ask(logInEndpoints.verifyCredentials, logIn, anonymous),
    ).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
    expect(await emitted(passwordResetRequested)).toHaveLength(1);
    expect(await emitted(factorRemoved)).toEqual([
      { factor: 'totp', by: admin.caller.userId, reason: 'Lost the phone', generation: versionOfNow() },
    ]);
    const { data } = await opened.identity.ask(auditEndpoint, { action: 'factor.remove' }, admin);
    expect(data.filter(({ targetId }) => targetId === userId)).toMatchObject([
      { actorId: admin.caller.userId, before: { factor: 'totp' }, after: { reason: 'Lost the phone' } },
    ]);
    await expect(opened.identity.ask(factorEndpoints.startTotp, { userId }, admin)).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a code of the authenticator app', () => {
  it('is accepted one step early or late, but no further', async () => {
    const { secret } = await turnOn();
    await expect(prove({ code: codeIn(secret, -2) })).rejects.toMatchObject({ status: 400 });
    await prove({ code: codeIn(secret, -1) });
    await prove({ code: codeIn(secret, 0) });
    await prove({ code: codeIn(secret, 1) });
    await expect(prove({ code: codeIn(secret, 2) })).rejects.toMatchObject({ status: 400 });
  });

  it('works once, even if it is sent twenty times concurrently', async () => {
    const { secret } = await turnOn();
    const code = codeIn(secret, 0);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => prove({ code })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(prove({ code: codeIn(secret, -1) })).rejects.toMatchObject({ code: 'identity.code_wrong' });
  });

  it('of the set-up does not work again', async () => {
    const secret = await start();
    const code = codeIn(secret, 0);
    await confirm(code);
    await expect(prove({ code })).rejects.toMatchObject({ code: 'identity.code_wrong' });
  });

  it('does not work before the set-up and after the removal', async () => {
    const pending = await start();
    await expect(prove({ code: codeIn(pending, 0) })).rejects.toMatchObject({ status: 400 });
    await confirm(codeIn(pending, 0));
    aheadMs += 2 * STEP_MS;
    await opened.identity.ask(factorEndpoints.removeTotp, { userId }, self());
    await expect(prove({ code: codeIn(pending, 0) })).rejects.toMatchObject({ status: 400 });
  });
});

it('X23 a code is checked by the shared clock, whatever the process’s own clock', async () => {
  const ahead = await openIdentity({
    clock: () => new Date(Date.now() + minutes(10)),
    sharedClock: databaseNow,
  });
  const { ask } = ahead.identity;
  const { data } = await ask(signUpEndpoints.register, ana, anonymous);
  const user = { caller: { role: 'user', userId: data.id } } as const;
  const secret = secretIn((await ask(factorEndpoints.startTotp, { userId: data.id }, user)).data.secret);
  const step = stepAt(await databaseNow(ahead.db.manager));
  await ask(factorEndpoints.confirmTotp, { userId: data.id, code: codeOf(secret, step) }, user);
  const proof = { code: codeOf(secret, step + 1) };
  await ask(logInEndpoints.prove, { userId: data.id, proof }, service);
  await ahead.close();
});

describe('a recovery code', () => {
  it('works once, in any spelling, and is counted', async () => {
    const { codes } = await turnOn();
    const [first = '', second = ''] = codes;
    const spelled = first.toUpperCase().replace('-', ' ');
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => prove({ recoveryCode: spelled })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await emitted(recoveryCodeUsed)).toEqual([{ left: 9 }]);
    const { data } = await prove({ recoveryCode: second });
    expect(data.factors).toMatchObject({ totp: true, recoveryCodes: 8 });
    expect(await emitted(recoveryCodeUsed)).toEqual([{ left: 9 }, { left: 8 }]);
    await expect(prove({ recoveryCode: first })).rejects.toMatchObject({ status: 400 });
    expect(await emitted(recoveryCodeUsed), 'and a wrong one is no use').toHaveLength(2);
  });

  it('stops working with new codes, and with two-step verification', async () => {
    const { codes } = await turnOn();
    const [old = ''] = codes;
    const { data } = await opened.identity.ask(factorEndpoints.renewRecoveryCodes, { userId }, self());
    const [renewed = ''] = data.recoveryCodes;
    expect(await emitted(recoveryCodesRenewed)).toEqual([{ by: userId }]);
    await expect(prove({ recoveryCode: old })).rejects.toMatchObject({
      code: 'identity.recovery_code_wrong',
    });
    await opened.identity.ask(factorEndpoints.removeTotp, { userId }, self());
    await expect(prove({ recoveryCode: renewed })).rejects.toMatchObject({ status: 400 });
    await expect(
      opened.identity.ask(factorEndpoints.renewRecoveryCodes, { userId }, self()),
    ).rejects.toMatchObject({ code: 'identity.totp_off' });
  });

  it('of another account does not work', async () => {
    const { codes } = await turnOn();
    const { data } = await opened.identity.ask(
      signUpEndpoints.register,
      { ...ana, email: `${uuidv7()}@people.test` },
      anonymous,
    );
    userId = data.id;
    await expect(prove({ recoveryCode: codes[0] ?? '' })).rejects.toMatchObject({ status: 400 });
  });
});

describe('keys of factors', () => {
  const [old, recent] = ['o'.repeat(32), 'r'.repeat(32)];

  it('can be replaced without losing a set-up', () => {
    const sealed = createFactorKeys([old]).seal('a', Buffer.from('secret'));
    const keys = createFactorKeys([recent, old]);
    expect(Buffer.from(keys.open('a', sealed)).toString()).toBe('secret');
    expect(keys.hashesOf('a', 'code')).toContain(createFactorKeys([old]).hashesOf('a', 'code')[0]);
    expect(keys.seal('a', Buffer.from('secret')).keyId).not.toBe(sealed.keyId);
  });

  it('decrypt a secret only for its own account', () => {
    const keys = createFactorKeys([old]);
    const sealed = keys.seal('a', Buffer.from('secret'));
    expect(() => keys.open('b', sealed)).toThrow();
    expect(() => createFactorKeys([recent]).open('a', sealed)).toThrow(/FACTOR_KEY/);
  });
});

it('the operator removes lost factors of an admin together with the password, which is recorded and emitted', async () => {
  const email = `${uuidv7()}@shortlist.test`;
  const password = 'a long enough one';
  const parts = { db: opened.db, hasher: await createHasher(), clock: now };
  await createAdmin(parts, { email, password });
  userId = (await findAccountByEmail(opened.db.manager, email, 'admin'))?.id ?? '';
  await turnOn();
  const recover = () => recoverAdmin(parts, { email, password: 'another long one', removesFactors: true });
  expect(await recover()).toEqual({ password: 'changed', factors: 'removed' });
  const logIn = (tried: string) =>
    opened.identity.ask(
      logInEndpoints.verifyCredentials,
      { email, password: tried, role: 'admin' },
      { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 },
    );
  await logIn('another long one');
  await expect(logIn(password)).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
  expect((await factors()).totpSince).toBeNull();
  expect(await emitted(factorRemoved)).toEqual([
    { factor: 'totp', by: SYSTEM_ACTOR_ID, reason: 'Removed by the operator', generation: versionOfNow() },
  ]);
  expect(await recover()).toMatchObject({ factors: 'none' });
});
