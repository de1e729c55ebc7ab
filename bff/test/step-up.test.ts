import { STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { roleFor } from './authorisation-matrix.ts';
import { createFakeIdentity, PASSWORD, RECOVERY_CODE, RIGHT_CODE, WRONG_CODE } from './fake-identity.ts';
import { ana } from './multipart.ts';
import { bearer, type EndpointName, endpointNames, type Input } from './requests.ts';
import { useBff } from './support.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const bff = await useBff({ ADMIN_TWO_STEP: 'required' }, { clock });

let fake: ReturnType<typeof createFakeIdentity>;
beforeEach(() => {
  aheadMs = 0;
  fake = createFakeIdentity(bff);
});

const begin = async (role: 'user' | 'admin') => bearer(await bff.begin(role, fake.account.id));
type Authorization = Awaited<ReturnType<typeof begin>>;
const passStepUp = (): void => void (aheadMs += (STEP_UP_SECONDS + 1) * 1000);
const call = async (name: EndpointName, headers: Record<string, string>, input: Input = {}) => {
  const { status, code } = await bff.call(name, { id: uuidv7(), ...input, headers });
  return { status, code };
};
const reauthenticate = (headers: Authorization, proof: object) =>
  fake.post('/api/session/reauthenticate', proof, headers);

const REFUSED = { status: 403, code: 'session.reauthentication_required' };

const GUARDED = [
  'startTotp',
  'confirmTotp',
  'removeTotp',
  'renewRecoveryCodes',
  'passkeyOptions',
  'addPasskey',
  'removePasskey',
  'endSession',
  'endOtherSessions',
  'endUserSessions',
  'exportUsers',
  'deleteUser',
  'removeUserFactors',
  'endUserKey',
  'endUserConnection',
  'grantPlan',
  'revokePlan',
  'changeAdminRole',
  'disableTool',
  'enableTool',
  'requestDeletion',
  'requestDataExport',
  'downloadData',
  'createApiKey',
  'approveConnection',
] as const;

describe('an endpoint that requires a recent proof', () => {
  it.each(GUARDED)('as %s is refused ten minutes after the log-in', async (name) => {
    const headers = await begin(roleFor(name));
    expect((await call(name, headers)).code).not.toBe(REFUSED.code);
    passStepUp();
    bff.upstream.requests.length = 0;
    expect(await call(name, headers)).toEqual(REFUSED);
    expect(bff.upstream.requests).toEqual([]);
  });

  it.each(['user', 'admin'] as const)('as %s, is needed to end all sessions', async (role) => {
    const headers = await begin(role);
    passStepUp();
    expect(await call('endAllSessions', headers)).toEqual(REFUSED);
    expect((await reauthenticate(headers, { password: PASSWORD })).status).toBe(200);
    expect((await call('endAllSessions', headers)).status).toBe(200);
  });

  const setPassword = (headers: Authorization, id: string, password: object) =>
    call('updateUser', headers, { id, body: { ...ana, ...password } });

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
    const byPage = () => call('changePassword', headers, { body: change });
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
    const remove = async () => (await call('removeTotp', headers)).status;
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
    expect((await bff.call('checkAdmin', { headers })).json).toMatchObject({ needsSecondFactor: true });
    const refused: string[] = [];
    for (const name of endpointNames.filter((each) => each !== 'logout')) {
      const { code } = await call(name, headers, { id: fake.account.id });
      if (code === 'session.second_factor_required') refused.push(name);
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
    expect((await call('userTotals', headers)).status).toBe(403);
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await call('userTotals', headers)).status).toBe(200);
  });

  it('has one session after that: others that a password alone began end', async () => {
    fake.account.role = 'admin';
    const [first, other] = [(await fake.logIn()).body, (await fake.logIn()).body];
    const headers = { authorization: `Bearer ${first.credentials?.token}` };
    const others = { authorization: `Bearer ${other.credentials?.token}` };
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await fake.post('/api/factors/passkeys/options', {}, others)).status).toBe(401);
    expect((await call('userTotals', headers)).status).toBe(200);
  });

  it('is one who removes the last factor: other sessions end, this one may only set up another', async () => {
    fake.account.role = 'admin';
    const [headers, other] = [await begin('admin'), await begin('admin')];
    expect((await call('removeTotp', headers)).status).toBe(200);
    expect(await call('userTotals', headers)).toMatchObject({
      code: 'session.second_factor_required',
    });
    expect((await call('userTotals', other)).status).toBe(401);
  });

  it('is not one with a passkey, who logs in with it after the password', async () => {
    fake.account.role = 'admin';
    fake.setFactors({ passkeys: 1 });
    const { body } = await fake.logIn();
    expect(body.message).toBe('second factor');
    expect(body.data?.methods).toEqual(['passkey']);
  });
});
