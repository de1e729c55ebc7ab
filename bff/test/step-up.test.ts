import { STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeIdentity, PASSWORD, RECOVERY_CODE, RIGHT_CODE, WRONG_CODE } from './fake-identity.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { send, useBff } from './support.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const bff = await useBff({ ADMIN_TWO_STEP: 'required' }, { clock });

let fake: ReturnType<typeof createFakeIdentity>;
beforeEach(() => {
  aheadMs = 0;
  fake = createFakeIdentity(bff);
});

const begin = async (role: 'user' | 'admin') => {
  const { token } = await bff.sessions.begin(fake.account.id, role);
  return { authorization: `Bearer ${token}` };
};
type Authorization = Awaited<ReturnType<typeof begin>>;
const passStepUp = (): void => void (aheadMs += (STEP_UP_SECONDS + 1) * 1000);
const call = async (method: string, path: string, headers: Record<string, string>, content = '') => {
  const { status, body } = await send(bff.port, path, { method, headers, body: content });
  return { status, code: (JSON.parse(body || '{}') as { error?: { code: string } }).error?.code };
};
const reauthenticate = (headers: Authorization, proof: object) =>
  fake.post('/api/session/reauthenticate', proof, headers);

const REFUSED = { status: 403, code: 'session.reauthentication_required' };

const GUARDED = [
  ['user', 'POST', '/api/factors/totp'],
  ['user', 'POST', '/api/factors/totp/confirm'],
  ['user', 'DELETE', '/api/factors/totp'],
  ['user', 'POST', '/api/factors/recovery-codes'],
  ['user', 'POST', '/api/factors/passkeys/options'],
  ['user', 'POST', '/api/factors/passkeys'],
  ['user', 'DELETE', `/api/factors/passkeys/${uuidv7()}`],
  ['user', 'DELETE', `/api/sessions/${uuidv7()}`],
  ['user', 'POST', '/api/sessions/end-others'],
  ['admin', 'DELETE', `/api/users/${uuidv7()}/sessions`],
  ['admin', 'GET', '/api/users.csv'],
  ['admin', 'DELETE', `/users/${uuidv7()}`],
  ['admin', 'POST', `/api/users/${uuidv7()}/factors/remove`],
  ['admin', 'POST', `/api/users/${uuidv7()}/api-keys/${uuidv7()}/end`],
  ['admin', 'POST', `/api/users/${uuidv7()}/connections/${uuidv7()}/end`],
  ['admin', publicEndpoints.grantPlan.method, publicEndpoints.grantPlan.path],
  ['admin', publicEndpoints.revokePlan.method, publicEndpoints.revokePlan.path],
  ['admin', 'PUT', `/api/admin/team/${uuidv7()}/role`],
  ['admin', 'POST', `/api/admin/tools/${uuidv7()}/disable`],
  ['admin', 'POST', `/api/admin/tools/${uuidv7()}/enable`],
] as const;

describe('an endpoint that requires a recent proof', () => {
  it.each(GUARDED)('as %s, %s %s is refused ten minutes after the log-in', async (role, method, path) => {
    const headers = await begin(role);
    expect((await call(method, path, headers)).code).not.toBe('session.reauthentication_required');
    passStepUp();
    bff.upstream.requests.length = 0;
    expect(await call(method, path, headers)).toEqual({
      status: 403,
      code: 'session.reauthentication_required',
    });
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(['user', 'admin'] as const)('as %s, is needed to end all sessions', async (role) => {
    const headers = await begin(role);
    passStepUp();
    const refused = { status: 403, code: 'session.reauthentication_required' };
    expect(await call('POST', '/api/sessions/end-all', headers)).toEqual(refused);
    expect((await reauthenticate(headers, { password: PASSWORD })).status).toBe(200);
    expect((await call('POST', '/api/sessions/end-all', headers)).status).toBe(200);
  });

  const setPassword = async (headers: Authorization, id: string, password: object) => {
    const { status, body } = await send(bff.port, `/users/${id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': MULTIPART },
      body: form(field('userData', JSON.stringify({ ...ana, ...password }))),
    });
    return { status, code: (JSON.parse(body) as { error?: { code: string } }).error?.code };
  };

  it('is required of an admin who sets the password of a user, and not for the rest of the profile', async () => {
    const headers = await begin('admin');
    passStepUp();
    const id = uuidv7();
    bff.upstream.requests.length = 0;
    expect(await setPassword(headers, id, { password: 'a new sesame' })).toEqual(REFUSED);
    expect(bff.upstream.requests).toEqual([]);
    expect((await setPassword(headers, id, {})).status).toBe(200);
  });

  it('is required for the own password, which the current one does not replace, while two-step verification is on', async () => {
    const headers = await begin('user');
    passStepUp();
    const change = { password: 'a new sesame', currentPassword: PASSWORD };
    const json = { ...headers, 'content-type': 'application/json' };
    const byPage = () => call('PUT', '/api/password', json, JSON.stringify(change));
    const byProfile = () => setPassword(headers, fake.account.id, change);
    fake.setFactors({ totp: true, recoveryCodes: 8 });
    expect([await byPage(), await byProfile()]).toEqual([REFUSED, REFUSED]);
    expect(bff.upstream.requests.filter(({ url }) => url.includes('/password'))).toEqual([]);
    fake.setFactors({ totp: false });
    expect([(await byPage()).status, (await byProfile()).status]).toEqual([200, 200]);
  });

  it('takes the passkey of an admin who must have a second factor, not the password', async () => {
    fake.account.role = 'admin';
    fake.setFactors({ passkeys: 1 });
    const headers = await begin('admin');
    passStepUp();
    expect((await reauthenticate(headers, { password: PASSWORD })).status).toBe(400);
  });

  it('is open again for ten minutes after the password', async () => {
    const headers = await begin('user');
    passStepUp();
    const remove = async () => (await call('DELETE', '/api/factors/totp', headers)).status;
    expect(await remove()).toBe(403);
    expect((await reauthenticate(headers, { password: 'another one' })).status).toBe(400);
    expect(await remove()).toBe(403);
    expect((await reauthenticate(headers, { password: PASSWORD })).status).toBe(200);
    expect(await remove()).toBe(200);
    passStepUp();
    expect(await remove()).toBe(403);
  });

  it('takes a code, not the password, while two-step verification is on', async () => {
    fake.setFactors({ totp: true, recoveryCodes: 1 });
    const headers = await begin('user');
    const { body } = await fake.post('/api/session/reauthentication', {}, headers);
    expect(body.data?.methods).toEqual(['totp', 'recovery']);
    expect((await reauthenticate(headers, { password: PASSWORD })).status).toBe(400);
    expect((await reauthenticate(headers, { code: RIGHT_CODE })).status).toBe(200);
    expect((await reauthenticate(headers, { recoveryCode: RECOVERY_CODE })).status).toBe(200);
  });

  it('compares ten wrong codes of one session, however many come at once', async () => {
    fake.setFactors({ totp: true });
    const headers = await begin('user');
    const tries = await Promise.all(
      Array.from({ length: 30 }, () => reauthenticate(headers, { code: WRONG_CODE })),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10);
    expect((await reauthenticate(headers, { code: RIGHT_CODE })).status).toBe(429);
  });
});

describe('an admin who must have a second factor and has none', () => {
  const FREE = new Set(['checkAdmin', 'config', 'login', 'adminLogin', 'logout', 'factors', 'startTotp']);

  it('gets a session that may only set one up', async () => {
    fake.account.role = 'admin';
    const { body } = await fake.logIn();
    expect(body).toMatchObject({ message: 'login success', needsSecondFactor: true });
    const headers = { authorization: `Bearer ${body.credentials?.token}` };
    const check = await send(bff.port, '/check_authentication', { headers });
    expect(JSON.parse(check.body)).toMatchObject({ needsSecondFactor: true });
    const refused: string[] = [];
    for (const [name, { method, path }] of Object.entries(publicEndpoints)) {
      if (name === 'logout') continue;
      const target = path.replace(/:[a-zA-Z]+/, fake.account.id);
      if ((await call(method, target, headers)).code === 'session.second_factor_required') refused.push(name);
    }
    expect(refused).toEqual(
      expect.arrayContaining(['listUsers', 'exportUsers', 'deleteUser', 'audit', 'signup', 'updateUser']),
    );
    expect(refused.filter((name) => FREE.has(name))).toEqual([]);
  });

  it('may do everything after that, without a new log-in', async () => {
    fake.account.role = 'admin';
    const { body } = await fake.logIn();
    const headers = { authorization: `Bearer ${body.credentials?.token}` };
    expect((await call('GET', '/api/users/totals', headers)).status).toBe(403);
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await call('GET', '/api/users/totals', headers)).status).toBe(200);
  });

  it('has one session after that: others that a password alone began end', async () => {
    fake.account.role = 'admin';
    const [first, other] = [(await fake.logIn()).body, (await fake.logIn()).body];
    const headers = { authorization: `Bearer ${first.credentials?.token}` };
    const others = { authorization: `Bearer ${other.credentials?.token}` };
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await fake.post('/api/factors/passkeys/options', {}, others)).status).toBe(401);
    expect((await call('GET', '/api/users/totals', headers)).status).toBe(200);
  });

  it('is one who removes the last factor: other sessions end, this one may only set up another', async () => {
    fake.account.role = 'admin';
    const [headers, other] = [await begin('admin'), await begin('admin')];
    expect((await call('DELETE', '/api/factors/totp', headers)).status).toBe(200);
    expect(await call('GET', '/api/users/totals', headers)).toMatchObject({
      code: 'session.second_factor_required',
    });
    expect((await call('GET', '/api/users/totals', other)).status).toBe(401);
  });

  it('is not one with a passkey, who logs in with it after the password', async () => {
    fake.account.role = 'admin';
    fake.setFactors({ passkeys: 1 });
    const { body } = await fake.logIn();
    expect(body.message).toBe('second factor');
    expect(body.data?.methods).toEqual(['passkey']);
  });
});
