import type { TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { beforeEach, describe, expect, it } from 'vitest';
import { days, hours } from '@shortlist/contracts/durations';
import { SECOND_STEP_TRIES, STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { failuresKey } from '../src/limits/login-limits.ts';
import {
  createFakeIdentity,
  passkeyAnswer,
  PASSWORD,
  RECOVERY_CODE,
  RIGHT_CODE,
  WRONG_CODE,
} from './fake-identity.ts';
import { useBff } from './support.ts';
import { ana, bearer, type EndpointName, endpointNames, type Input, times } from './requests.ts';
import { fromPage, type Jar, store } from './browser.ts';

const WRONG_RECOVERY_CODE = 'cba8765432';
const HOME = { 'x-forwarded-for': '198.51.100.7' };
const PER_HOUR = 10;
const PER_DAY = 30;

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' }, { clock });
const strict = await useBff({ ADMIN_TWO_STEP: 'required' }, { clock });

let fake: ReturnType<typeof createFakeIdentity>;
beforeEach(() => {
  aheadMs = 0;
  fake = createFakeIdentity(bff);
  fake.setFactors({ totp: true, recoveryCodes: 10 });
});

/** Takes the first step. Log-ins without a second one slow unknown clients down, which is another limit. */
const ticketOf = async (headers: Record<string, string> = {}): Promise<string> => {
  await bff.redis.del(failuresKey(fake.account.email));
  return (await fake.logIn(headers)).body.data?.ticket ?? '';
};
const passkeyProof = async (ticket: string, headers: Record<string, string> = {}) => {
  const { body } = await fake.post('/api/login/second-factor/passkey', { ticket }, headers);
  return { passkey: passkeyAnswer((body.data as { challenge?: string } | undefined)?.challenge) };
};
const secondStepStatus = async (...step: Parameters<typeof fake.secondStep>): Promise<number> =>
  (await fake.secondStep(...step)).status;

describe('a log-in with two-step verification', () => {
  it('has no session before the code, is in the history by its last step, and each wrong code as a failure', async () => {
    const first = await fake.logIn();
    expect(first.status).toBe(200);
    expect(first.body.message).toBe('second factor');
    expect(first.body.data).toEqual({ ticket: expect.any(String) as string, methods: ['totp', 'recovery'] });
    const ticket = first.body.data?.ticket ?? '';
    expect(await secondStepStatus(ticket, { code: WRONG_CODE })).toBe(400);
    const second = await fake.secondStep(ticket, { code: RIGHT_CODE });
    expect(second.body.message).toBe('login');
    expect(JSON.stringify(second.headers['set-cookie']), 'which trusts no device').not.toContain('trusted=');
    expect(await bff.sessions.check(second.body.data?.token ?? '')).toMatchObject({ role: 'user' });
    const recorded = (path: string): unknown[] =>
      bff.upstream.requestsTo(path).map(({ json }) => (json as { method: string }).method);
    expect(recorded('/failed-sign-ins')).toEqual(['code']);
    expect(recorded(`/accounts/${fake.account.id}/sign-ins`)).toEqual(['code']);
  });

  it('of an admin ends as the log-in of an admin, also with a recovery code', async () => {
    fake.account.role = 'admin';
    const { body } = await fake.secondStep(await ticketOf(), { recoveryCode: RECOVERY_CODE });
    expect(body.message).toBe('login success');
    expect(await bff.sessions.check(body.credentials?.token ?? '')).toMatchObject({ role: 'admin' });
  });

  it('works once per ticket, also when the right code is sent twenty times at once', async () => {
    const ticket = await ticketOf();
    const tries = await Promise.all(times(20, () => secondStepStatus(ticket, { code: RIGHT_CODE })));
    expect(tries.filter((status) => status === 200)).toHaveLength(1);
    const { body } = await fake.secondStep(ticket, { code: RIGHT_CODE });
    expect(body.error?.code).toBe('session.second_step_ended');
  });

  it('names the tries that are left, and ends with the fifth wrong code', async () => {
    const ticket = await ticketOf();
    for (const left of ['4 tries left', '3 tries left', '2 tries left', '1 try left']) {
      const { status, body } = await fake.secondStep(ticket, { code: WRONG_CODE });
      expect(status).toBe(400);
      expect(body.error?.fields?.['code']).toContain(left);
    }
    for (const code of [WRONG_CODE, RIGHT_CODE]) {
      const { status, body } = await fake.secondStep(ticket, { code });
      expect([status, body.error?.code]).toEqual([401, 'session.second_step_ended']);
    }
  });

  it('does not clear the wrong passwords of the account before its second step', async () => {
    const failures = async () =>
      Number((await bff.redis.hget(failuresKey(fake.account.email), 'failures')) ?? 0);
    const ticket = await ticketOf();
    await fake.logIn();
    expect(await failures()).toBe(2);
    await fake.secondStep(ticket, { code: RIGHT_CODE });
    expect(await failures()).toBe(0);
  });

  it('takes one method that the account has, a ticket that was issued, and factors that stay as they were', async () => {
    const ticket = await ticketOf();
    expect(await secondStepStatus(ticket, { passkey: passkeyAnswer('c') })).toBe(400);
    expect(await secondStepStatus('x'.repeat(43), { code: RIGHT_CODE })).toBe(401);
    expect(await secondStepStatus(ticket, {})).toBe(400);
    const both = { code: RIGHT_CODE, recoveryCode: RECOVERY_CODE };
    expect(await secondStepStatus(ticket, both)).toBe(400);
    fake.setFactors({ fingerprint: 'another' });
    expect(await secondStepStatus(ticket, { code: RIGHT_CODE })).toBe(401);
  });

  it('stores no ticket in Redis as it is, and forgets it after five minutes', async () => {
    const ticket = await ticketOf();
    const keys = await bff.redis.keys('second-step:*');
    expect(keys.join()).not.toContain(ticket);
    for (const key of keys) expect(await bff.redis.ttl(key)).toBeLessThanOrEqual(300);
  });

  it('is completed by a passkey, with a challenge for this log-in alone', async () => {
    fake.setFactors({ passkeys: 1 });
    const [ticket, other] = [await ticketOf(), await ticketOf()];
    const foreign = await passkeyProof(other);
    for (const each of [ticket, other]) expect(await secondStepStatus(each, foreign)).toBe(400);
    expect((await fake.secondStep(ticket, await passkeyProof(ticket))).body.message).toBe('login');
  });
});

/** The cookies of a browser in which the account has logged in, and that it trusts. */
const trustBrowser = async (): Promise<Jar> => {
  const jar: Jar = new Map();
  const ticket = await ticketOf(HOME);
  const answer = await fake.secondStep(ticket, { code: RIGHT_CODE, remember: true }, fromPage(jar, HOME));
  const line = answer.headers['set-cookie']?.find((cookie) => cookie.startsWith('trusted='));
  expect(line).toContain('HttpOnly; SameSite=Strict');
  store(jar, answer);
  return jar;
};
/** The message of a log-in with the password. */
const logInFrom = async (jar: Jar): Promise<string | undefined> =>
  (await fake.logIn(fromPage(jar, HOME))).body.message;

describe('a trusted device', () => {
  it('skips the second step for thirty days', async () => {
    const jar = await trustBrowser();
    expect(await logInFrom(jar)).toBe('login');
    aheadMs = days(31);
    expect(await logInFrom(jar)).toBe('second factor');
  });

  it('ends with a change of the password or of a factor, and is of one account', async () => {
    const jar = await trustBrowser();
    fake.setFactors({ fingerprint: 'another' });
    expect(await logInFrom(jar)).toBe('second factor');
    fake = createFakeIdentity(bff);
    fake.setFactors({ totp: true });
    expect(await logInFrom(jar)).toBe('second factor');
  });

  it('is listed for its user, who removes it, and no other account does', async () => {
    const jar = await trustBrowser();
    await trustBrowser();
    const token = await bff.begin('user', fake.account.id);
    const list = async (): Promise<TrustedDeviceView[]> =>
      ((await bff.call('listTrustedDevices', { token })).json as { data: TrustedDeviceView[] }).data;
    const data = await list();
    expect(data).toHaveLength(2);
    const [, first] = data;
    expect(Date.parse(first?.endsAt ?? '') - Date.parse(first?.trustedAt ?? '')).toBe(days(30));
    const remove = async (session: { token?: string; as?: 'user' }) =>
      (await bff.call('removeTrustedDevice', { ...session, id: first?.id ?? '' })).status;
    expect(await remove({ as: 'user' })).toBe(404);
    expect(await logInFrom(jar)).toBe('login');
    expect(await remove({ token })).toBe(200);
    expect(await logInFrom(jar)).toBe('second factor');
    expect(await list()).toHaveLength(1);
    fake.setFactors({ fingerprint: 'another' });
    expect(await list()).toEqual([]);
  });

  it('is one of the twenty that were trusted last', async () => {
    const first = await trustBrowser();
    for (let count = 0; count < 20; count += 1) {
      aheadMs += 1_000;
      await trustBrowser();
    }
    expect(await logInFrom(first)).toBe('second factor');
  });

  it('has a cookie from which nothing of the account can be made', async () => {
    const jar = await trustBrowser();
    const secret = jar.get('trusted') ?? '';
    const forged = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    jar.set('trusted', forged);
    expect(await logInFrom(jar)).toBe('second factor');
    const keys = await bff.redis.keys('trusted-devices:*');
    const stored = await Promise.all(keys.map((key) => bff.redis.hgetall(key)));
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

it('a log-in of an admin is recorded when it is complete: on a trusted device, and by a password that suffices', async () => {
  fake.account.role = 'admin';
  const jar = await trustBrowser();
  const expectRecorded = async (from: Jar): Promise<void> => {
    bff.upstream.requests.length = 0;
    expect(await logInFrom(from)).toBe('login success');
    expect(bff.upstream.requestsTo(`/accounts/${fake.account.id}/sign-ins`)).toHaveLength(1);
  };
  await expectRecorded(jar);
  fake.setFactors({ totp: false, recoveryCodes: 0, passkeys: 1 });
  await expectRecorded(new Map());
});

describe('a log-in with a passkey alone', () => {
  const prompt = async () =>
    (await fake.post('/api/login/passkey/options', {})).body.data as Record<string, unknown>;
  const answer = (challenge: unknown) =>
    fake.post('/api/login/passkey', { passkey: passkeyAnswer(challenge), role: 'user' });

  it('has a session at once, by a challenge of ours that works once', async () => {
    const { challenge, ...options } = await prompt();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    expect((await answer(challenge)).body.message).toBe('login');
    const again = await answer(challenge);
    expect([again.status, again.body.error?.code]).toEqual([400, 'identity.passkey_refused']);
    for (const invented of ['c'.repeat(43), {}]) expect((await answer(invented)).status).toBe(400);
  });

  it('A6 passes while the account makes passwords wait', async () => {
    const inAnHour = Date.now() + hours(1);
    await bff.redis.hset(failuresKey(fake.account.email), { failures: 30, until: inAnHour });
    expect((await fake.logIn()).status).toBe(429);
    expect((await answer((await prompt())['challenge'])).status).toBe(200);
  });
});

let network = 0;
/** A network of an outsider, another one each time. */
const elsewhere = () => ({ 'x-forwarded-for': `203.0.${(network += 1) % 250}.9` });
/** Takes both steps of a log-in. */
const logIn = async (proof: object, headers: Record<string, string>) => {
  const ticket = await ticketOf(headers);
  const input = proof === passkeyProof ? await passkeyProof(ticket, headers) : proof;
  return secondStepStatus(ticket, input, headers);
};
const comparisons = (): number => bff.upstream.requestsTo('/prove').length;

/** An outsider who knows the password tries wrong proofs for an hour, from a new network each time. */
const attack = async (proof: object, headersOf: () => Record<string, string> = elsewhere): Promise<void> => {
  for (let count = 0; count < PER_HOUR; count += SECOND_STEP_TRIES) {
    const ticket = await ticketOf(headersOf());
    for (let tried = 0; tried < SECOND_STEP_TRIES; tried += 1)
      await fake.secondStep(ticket, proof, headersOf());
  }
};

const startSession = async () => bearer(await bff.begin('user', fake.account.id));
const stepUp = async (proof: object, session: Record<string, string>): Promise<number> =>
  (await fake.post('/api/session/reauthenticate', proof, session)).status;

describe('ten wrong codes of an outsider who knows the password', () => {
  beforeEach(() => fake.setFactors({ passkeys: 1 }));

  it('stop further codes of unknown clients, whatever their network, and however many come at once', async () => {
    const tickets: string[] = [];
    for (let count = 0; count < 5; count += 1) tickets.push(await ticketOf(elsewhere()));
    const tries = tickets.flatMap((ticket) => times(SECOND_STEP_TRIES, () => ticket));
    const answers = await Promise.all(
      tries.map((ticket) => fake.secondStep(ticket, { code: WRONG_CODE }, elsewhere())),
    );
    expect(comparisons()).toBe(PER_HOUR);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await logIn({ code: RIGHT_CODE }, elsewhere())).toBe(429);
  });

  it('stop nothing else: no other factor, no browser that has logged in before, and no session', async () => {
    const [jar, session] = [await trustBrowser(), await startSession()];
    await attack({ code: WRONG_CODE });
    expect(await logIn({ recoveryCode: RECOVERY_CODE }, HOME)).toBe(200);
    expect(await logIn(passkeyProof, HOME)).toBe(200);
    expect(await logInFrom(jar), 'trusted').toBe('login');
    jar.delete('trusted');
    expect(await logIn({ code: RIGHT_CODE }, fromPage(jar, HOME))).toBe(200);
    expect(await stepUp({ code: RIGHT_CODE }, session)).toBe(200);
    expect(await logIn({ code: RIGHT_CODE }, elsewhere()), 'and go on to stop unknown clients').toBe(429);
  });

  it('are thirty a day at most, however often the hour passes', async () => {
    for (let hour = 0; hour < 5; hour += 1) {
      await attack({ code: WRONG_CODE });
      await bff.redis.del(`limit:proof:code:${fake.account.id}`);
    }
    expect(comparisons()).toBe(PER_DAY);
    const session = await startSession();
    expect(await stepUp({ code: RIGHT_CODE }, session), 'and stop no session by then').toBe(200);
  });
});

it.each<[string, object, object]>([
  ['recovery codes', { recoveryCode: WRONG_RECOVERY_CODE }, { recoveryCode: RECOVERY_CODE }],
  ['passkeys', { passkey: passkeyAnswer('x'.repeat(43)) }, passkeyProof],
])('wrong %s, which no one can guess, stop them from that network alone', async (_name, wrong, right) => {
  fake.setFactors({ passkeys: 1 });
  const there = elsewhere();
  await attack(wrong, () => there);
  expect(await logIn(right, there)).toBe(429);
  expect(await logIn(right, HOME)).toBe(200);
});

describe('a client that the account knows', () => {
  it('has ten wrong codes an hour of its own, which stop no other one', async () => {
    const [one, other] = [await startSession(), await startSession()];
    const jar = await trustBrowser();
    jar.delete('trusted');
    const tries = await Promise.all(times(30, () => stepUp({ code: WRONG_CODE }, one)));
    expect(tries.filter((status) => status === 400)).toHaveLength(PER_HOUR);
    expect(await stepUp({ code: RIGHT_CODE }, one)).toBe(429);
    expect(await stepUp({ code: RIGHT_CODE }, other)).toBe(200);
    expect(await logIn({ code: RIGHT_CODE }, fromPage(jar, HOME))).toBe(200);
    expect(await logIn({ code: RIGHT_CODE }, HOME)).toBe(200);
  });

  it.each([
    ['codes', { totp: true }, { code: WRONG_CODE }],
    ['passwords', { totp: false }, { password: 'another one' }],
  ])(
    'compares thirty wrong %s a day over all sessions, however many begin',
    async (...[, factors, proof]) => {
      fake.setFactors(factors);
      for (let session = 0; session < 5; session += 1) {
        const headers = await startSession();
        await Promise.all(times(PER_HOUR, () => stepUp(proof, headers)));
      }
      expect(comparisons()).toBe(PER_DAY);
    },
  );

  it('is not stopped by right proofs', async () => {
    fake.setFactors({ totp: false });
    const session = await startSession();
    for (let round = 0; round < PER_DAY + 5; round += 1)
      expect(await stepUp({ password: PASSWORD }, session)).toBe(200);
  });
});

const begin = async (role: 'user' | 'admin') => bearer(await strict.begin(role, fake.account.id));
const passStepUp = (): void => void (aheadMs += (STEP_UP_SECONDS + 1) * 1000);
/** Begins a session whose proof is no longer recent. */
const beginEarlier = async (role: 'user' | 'admin') => {
  const headers = await begin(role);
  passStepUp();
  return headers;
};
const call = async (name: EndpointName, headers: Record<string, string>, input: Input = {}) => {
  const { status, code } = await strict.call(name, { id: uuidv7(), ...input, headers });
  return { status, code };
};

const REFUSED = { status: 403, code: 'session.reauthentication_required' };

describe('a recent proof', () => {
  beforeEach(() => {
    fake = createFakeIdentity(strict);
  });

  const setPassword = (headers: Record<string, string>, id: string, password: object) =>
    call('updateUser', headers, { id, body: { ...ana, ...password } });

  it('is required of an admin who sets the password of a user, and not for the rest of the profile', async () => {
    const headers = await beginEarlier('admin');
    const id = uuidv7();
    strict.upstream.requests.length = 0;
    expect(await setPassword(headers, id, { password: 'a new sesame' })).toEqual(REFUSED);
    expect(strict.upstream.requests).toEqual([]);
    expect((await setPassword(headers, id, {})).status).toBe(200);
  });

  it('is required for the own password, which the current one does not replace, while two-step verification is on', async () => {
    const headers = await beginEarlier('user');
    const change = { password: 'a new sesame', currentPassword: PASSWORD };
    const byPage = () => call('changePassword', headers, { body: change });
    const byProfile = () => setPassword(headers, fake.account.id, change);
    fake.setFactors({ totp: true, recoveryCodes: 8 });
    expect([await byPage(), await byProfile()]).toEqual([REFUSED, REFUSED]);
    expect(strict.upstream.requests.filter(({ url }) => url.includes('/password'))).toEqual([]);
    fake.setFactors({ totp: false });
    expect([(await byPage()).status, (await byProfile()).status]).toEqual([200, 200]);
  });

  it.each([
    ['user', 'removeTotp'],
    ['user', 'endAllSessions'],
    ['admin', 'endAllSessions'],
  ] as const)('lets a %s call %s for ten minutes after the password', async (role, name) => {
    const headers = await beginEarlier(role);
    expect(await call(name, headers)).toEqual(REFUSED);
    expect(await stepUp({ password: 'another one' }, headers)).toBe(400);
    expect(await call(name, headers)).toEqual(REFUSED);
    expect(await stepUp({ password: PASSWORD }, headers)).toBe(200);
    passStepUp();
    expect(await call(name, headers)).toEqual(REFUSED);
    expect(await stepUp({ password: PASSWORD }, headers)).toBe(200);
    expect((await call(name, headers)).status).toBe(200);
  });

  it('takes a code, not the password, while two-step verification is on', async () => {
    fake.setFactors({ totp: true, recoveryCodes: 1 });
    const headers = await begin('user');
    const { body } = await fake.post('/api/session/reauthentication', {}, headers);
    expect(body.data?.methods).toEqual(['totp', 'recovery']);
    expect(await stepUp({ password: PASSWORD }, headers)).toBe(400);
    expect(await stepUp({ code: RIGHT_CODE }, headers)).toBe(200);
    expect(await stepUp({ recoveryCode: RECOVERY_CODE }, headers)).toBe(200);
  });
});

describe('an admin who must have a second factor and has none', () => {
  beforeEach(() => {
    fake = createFakeIdentity(strict);
    fake.account.role = 'admin';
  });

  const FREE = new Set(['checkAdmin', 'config', 'login', 'adminLogin', 'logout', 'factors', 'startTotp']);
  const logInByPassword = async () => {
    const { body } = await fake.logIn();
    expect(body).toMatchObject({ message: 'login success', needsSecondFactor: true });
    return bearer(body.credentials?.token ?? '');
  };

  it('gets a session that may only set one up', async () => {
    const headers = await logInByPassword();
    expect((await strict.call('checkAdmin', { headers })).json).toMatchObject({ needsSecondFactor: true });
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

  it('may do everything after that without a new log-in, and others that a password alone began end', async () => {
    const [headers, others] = [await logInByPassword(), await logInByPassword()];
    expect((await call('userTotals', headers)).status).toBe(403);
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await fake.post('/api/factors/passkeys/options', {}, others)).status).toBe(401);
    expect((await call('userTotals', headers)).status).toBe(200);
  });

  it('is one who removes the last factor: other sessions end, this one may only set up another', async () => {
    const [headers, other] = [await begin('admin'), await begin('admin')];
    expect((await call('removeTotp', headers)).status).toBe(200);
    const { code } = await call('userTotals', headers);
    expect(code).toBe('session.second_factor_required');
    expect((await call('userTotals', other)).status).toBe(401);
  });

  it('is not one with a passkey, who needs it after the password, and for a recent proof instead of it', async () => {
    fake.setFactors({ passkeys: 1 });
    const { body } = await fake.logIn();
    expect(body.message).toBe('second factor');
    expect(body.data?.methods).toEqual(['passkey']);
    expect(await stepUp({ password: PASSWORD }, await beginEarlier('admin'))).toBe(400);
  });
});
