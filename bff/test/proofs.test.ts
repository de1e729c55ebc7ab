import type { TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { beforeEach, describe, expect, it } from 'vitest';
import { days, hours } from '@shortlist/contracts/durations';
import { SECOND_STEP_TRIES, STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { failuresKey } from '../src/limits/login-limits.ts';
import {
  type Answer,
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
const passkeyFor = async (ticket: string, headers: Record<string, string> = {}) => {
  const { body } = await fake.post('/api/login/second-factor/passkey', { ticket }, headers);
  return passkeyAnswer((body.data as { challenge?: string } | undefined)?.challenge);
};

describe('a log-in with two-step verification', () => {
  it('has no session after the password, and one after the code', async () => {
    const first = await fake.logIn();
    expect(first.status).toBe(200);
    expect(first.body.message).toBe('second factor');
    expect(first.body.data).toEqual({ ticket: expect.any(String) as string, methods: ['totp', 'recovery'] });
    const second = await fake.secondStep(first.body.data?.ticket ?? '', { code: RIGHT_CODE });
    expect(second.body.message).toBe('login');
    expect(await bff.sessions.check(second.body.data?.token ?? '')).toMatchObject({ role: 'user' });
  });

  it('is in the history by its last step, and each wrong code as a failure', async () => {
    const ticket = await ticketOf();
    await fake.secondStep(ticket, { code: WRONG_CODE });
    await fake.secondStep(ticket, { code: RIGHT_CODE });
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
    const answers = await Promise.all(times(20, () => fake.secondStep(ticket, { code: RIGHT_CODE })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await fake.secondStep(ticket, { code: RIGHT_CODE })).body.error?.code).toBe(
      'session.second_step_ended',
    );
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

  it('ends when the password or a factor changes between the steps', async () => {
    const ticket = await ticketOf();
    fake.setFactors({ fingerprint: 'another' });
    expect((await fake.secondStep(ticket, { code: RIGHT_CODE })).status).toBe(401);
  });

  it('takes no method that the account does not have, and no ticket that was not issued', async () => {
    const ticket = await ticketOf();
    const answer = passkeyAnswer('c');
    expect((await fake.secondStep(ticket, { passkey: answer })).status).toBe(400);
    expect((await fake.secondStep('x'.repeat(43), { code: RIGHT_CODE })).status).toBe(401);
    expect((await fake.secondStep(ticket, {})).status).toBe(400);
    expect((await fake.secondStep(ticket, { code: RIGHT_CODE, recoveryCode: RECOVERY_CODE })).status).toBe(
      400,
    );
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
    const foreign = await passkeyFor(other);
    for (const each of [ticket, other])
      expect((await fake.secondStep(each, { passkey: foreign })).status).toBe(400);
    const passkey = await passkeyFor(ticket);
    expect((await fake.secondStep(ticket, { passkey })).body.message).toBe('login');
  });
});

describe('a trusted device', () => {
  const trust = async (): Promise<{ cookie: string }> => {
    const { headers } = await fake.secondStep(await ticketOf(), { code: RIGHT_CODE, remember: true });
    const line = headers['set-cookie']?.find((cookie) => cookie.startsWith('trusted=')) ?? '';
    expect(line).toContain('HttpOnly; SameSite=Strict');
    return { cookie: line.split(';')[0] ?? '' };
  };
  /** The cross-site check wants a browser's own cookies beside; an anonymous client of ours gets them first. */
  const withPage = async ({ cookie }: { cookie: string }): Promise<Record<string, string>> => {
    const page = await bff.call('config');
    const cookies = (page.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
    const token = cookies.find((pair) => pair.startsWith('XSRF-TOKEN='))?.split('=')[1] ?? '';
    return { cookie: [...cookies, cookie].join('; '), 'x-xsrf-token': token };
  };

  it('skips the second step for thirty days', async () => {
    const headers = await withPage(await trust());
    expect((await fake.logIn(headers)).body.message).toBe('login');
    aheadMs = days(31);
    expect((await fake.logIn(headers)).body.message).toBe('second factor');
  });

  it('has a cookie only by the choice of the user', async () => {
    const { headers } = await fake.secondStep(await ticketOf(), { code: RIGHT_CODE });
    expect(JSON.stringify(headers['set-cookie'])).not.toContain('trusted=');
  });

  it('ends with a change of the password or of a factor, and is of one account', async () => {
    const headers = await withPage(await trust());
    fake.setFactors({ fingerprint: 'another' });
    expect((await fake.logIn(headers)).body.message).toBe('second factor');
    fake = createFakeIdentity(bff);
    fake.setFactors({ totp: true });
    expect((await fake.logIn(headers)).body.message).toBe('second factor');
  });

  it('is listed for its user, who removes it, and no other account does', async () => {
    const headers = await withPage(await trust());
    await trust();
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
    expect((await fake.logIn(headers)).body.message).toBe('login');
    expect(await remove({ token })).toBe(200);
    expect((await fake.logIn(headers)).body.message).toBe('second factor');
    expect(await list()).toHaveLength(1);
    fake.setFactors({ fingerprint: 'another' });
    expect(await list()).toEqual([]);
  });

  it('is one of the twenty that were trusted last', async () => {
    const first = await withPage(await trust());
    for (let count = 0; count < 20; count += 1) {
      aheadMs += 1_000;
      await trust();
    }
    expect((await fake.logIn(first)).body.message).toBe('second factor');
  });

  it('has a cookie from which nothing of the account can be made', async () => {
    const { cookie } = await trust();
    const forged = await withPage({ cookie: cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) });
    expect((await fake.logIn(forged)).body.message).toBe('second factor');
    const stored = JSON.stringify(
      await Promise.all((await bff.redis.keys('trusted-devices:*')).map((key) => bff.redis.hgetall(key))),
    );
    expect(stored).not.toContain(cookie.split('=')[1]);
  });

  it('of an admin is recorded as a log-in', async () => {
    fake.account.role = 'admin';
    const headers = await withPage(await trust());
    bff.upstream.requests.length = 0;
    expect((await fake.logIn(headers)).body.message).toBe('login success');
    expect(bff.upstream.requests.map(({ url }) => url)).toContain(`/accounts/${fake.account.id}/sign-ins`);
  });
});

it('a log-in of an admin whose passkey is not required is recorded when it is complete', async () => {
  fake.account.role = 'admin';
  fake.setFactors({ totp: false, recoveryCodes: 0, passkeys: 1 });
  expect((await fake.logIn()).body.message).toBe('login success');
  const paths = bff.upstream.requests.map(({ url }) => url);
  expect(paths).toContain(`/accounts/${fake.account.id}/sign-ins`);
});

describe('a log-in with a passkey alone', () => {
  const prompt = async () =>
    (await fake.post('/api/login/passkey/options', {})).body.data as Record<string, unknown>;

  it('has a session at once, by a challenge that works once', async () => {
    const options = await prompt();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    const input = { passkey: passkeyAnswer(options['challenge']), role: 'user' };
    const { body } = await fake.post('/api/login/passkey', input);
    expect(body.message).toBe('login');
    const again = await fake.post('/api/login/passkey', input);
    expect([again.status, again.body.error?.code]).toEqual([400, 'identity.passkey_refused']);
  });

  it('A6 passes while the account makes passwords wait', async () => {
    const inAnHour = Date.now() + hours(1);
    await bff.redis.hset(failuresKey(fake.account.email), { failures: 30, until: inAnHour });
    expect((await fake.logIn()).status).toBe(429);
    const input = { passkey: passkeyAnswer((await prompt())['challenge']), role: 'user' };
    expect((await fake.post('/api/login/passkey', input)).status).toBe(200);
  });

  it('takes no challenge of our own making', async () => {
    const input = { passkey: passkeyAnswer('c'.repeat(43)), role: 'user' };
    expect((await fake.post('/api/login/passkey', input)).status).toBe(400);
    expect((await fake.post('/api/login/passkey', { ...input, passkey: passkeyAnswer({}) })).status).toBe(
      400,
    );
  });
});

let network = 0;
/** A network of an outsider, another one each time. */
const elsewhere = () => ({ 'x-forwarded-for': `203.0.${(network += 1) % 250}.9` });
/** Takes both steps of a log-in. */
const logIn = async (proof: object, headers: Record<string, string>): Promise<Answer> =>
  fake.secondStep(await ticketOf(headers), proof, headers);
const comparisons = (): number => bff.upstream.requestsTo('/prove').length;

/** An outsider who knows the password tries wrong proofs, from a new network each time. */
const attack = async (
  proof: object,
  { tries, headersOf = elsewhere }: { tries: number; headersOf?: () => Record<string, string> },
): Promise<void> => {
  for (let count = 0; count < tries; count += SECOND_STEP_TRIES) {
    const ticket = await ticketOf(headersOf());
    for (let tried = 0; tried < SECOND_STEP_TRIES; tried += 1)
      await fake.secondStep(ticket, proof, headersOf());
  }
};

/** The cookies of a browser that has logged in to the account. */
const knownBrowser = async (): Promise<Jar> => {
  const jar: Jar = new Map();
  const ticket = await ticketOf(HOME);
  const answer = await fake.secondStep(ticket, { code: RIGHT_CODE, remember: true }, fromPage(jar, HOME));
  store(jar, answer);
  return jar;
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
    expect((await logIn({ code: RIGHT_CODE }, elsewhere())).status).toBe(429);
  });

  it('stop neither the passkey nor a recovery code of the user, on a new device', async () => {
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect((await logIn({ recoveryCode: RECOVERY_CODE }, HOME)).status).toBe(200);
    const ticket = await ticketOf(HOME);
    const passkey = await passkeyFor(ticket, HOME);
    expect((await fake.secondStep(ticket, { passkey }, HOME)).status).toBe(200);
  });

  it('stop no code on a browser that has logged in before, and no trusted device', async () => {
    const jar = await knownBrowser();
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect((await fake.logIn(fromPage(jar, HOME))).body.message, 'trusted').toBe('login');
    jar.delete('trusted');
    expect((await logIn({ code: RIGHT_CODE }, fromPage(jar, HOME))).status).toBe(200);
  });

  it('stop no step-up of a session', async () => {
    const session = await startSession();
    await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
    expect(await stepUp({ code: RIGHT_CODE }, session)).toBe(200);
  });

  it('are thirty a day at most, however often the hour passes', async () => {
    for (let hour = 0; hour < 5; hour += 1) {
      await attack({ code: WRONG_CODE }, { tries: PER_HOUR });
      await bff.redis.del(`limit:proof:code:${fake.account.id}`);
    }
    expect(comparisons()).toBe(PER_DAY);
    const session = await startSession();
    expect(await stepUp({ code: RIGHT_CODE }, session), 'and stop no session by then').toBe(200);
  });
});

describe('wrong proofs that no one can guess', () => {
  it('stop recovery codes from that network alone', async () => {
    const there = elsewhere();
    await attack({ recoveryCode: WRONG_RECOVERY_CODE }, { tries: PER_HOUR, headersOf: () => there });
    expect((await logIn({ recoveryCode: RECOVERY_CODE }, there)).status).toBe(429);
    expect((await logIn({ recoveryCode: RECOVERY_CODE }, HOME)).status).toBe(200);
  });

  it('stop passkeys from that network alone', async () => {
    fake.setFactors({ passkeys: 1 });
    const there = elsewhere();
    await attack({ passkey: passkeyAnswer('x'.repeat(43)) }, { tries: PER_HOUR, headersOf: () => there });
    const ticket = await ticketOf(there);
    const refused = await fake.secondStep(ticket, { passkey: await passkeyFor(ticket, there) }, there);
    expect(refused.status).toBe(429);
    const other = await ticketOf(HOME);
    const passed = await fake.secondStep(other, { passkey: await passkeyFor(other, HOME) }, HOME);
    expect(passed.status).toBe(200);
  });
});

describe('a client that the account knows', () => {
  it('has ten wrong codes an hour of its own, which stop no other one', async () => {
    const [one, other] = [await startSession(), await startSession()];
    const jar = await knownBrowser();
    jar.delete('trusted');
    const tries = await Promise.all(times(30, () => stepUp({ code: WRONG_CODE }, one)));
    expect(tries.filter((status) => status === 400)).toHaveLength(PER_HOUR);
    expect(await stepUp({ code: RIGHT_CODE }, one)).toBe(429);
    expect(await stepUp({ code: RIGHT_CODE }, other)).toBe(200);
    expect((await logIn({ code: RIGHT_CODE }, fromPage(jar, HOME))).status).toBe(200);
    expect((await logIn({ code: RIGHT_CODE }, HOME)).status).toBe(200);
  });

  it.each([
    ['codes', { totp: true }, { code: WRONG_CODE }],
    ['passwords', { totp: false }, { password: 'another one' }],
  ])(
    'compares thirty wrong %s a day over all sessions, however many begin',
    async (_name, factors, proof) => {
      fake.setFactors(factors);
      for (let session = 0; session < 5; session += 1) {
        const headers = await startSession();
        await Promise.all(Array.from({ length: PER_HOUR }, () => stepUp(proof, headers)));
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
type Authorization = ReturnType<typeof bearer>;
const passStepUp = (): void => void (aheadMs += (STEP_UP_SECONDS + 1) * 1000);
const call = async (name: EndpointName, headers: Record<string, string>, input: Input = {}) => {
  const { status, code } = await strict.call(name, { id: uuidv7(), ...input, headers });
  return { status, code };
};
const reauthenticate = (headers: Authorization, proof: object) =>
  fake.post('/api/session/reauthenticate', proof, headers);

const REFUSED = { status: 403, code: 'session.reauthentication_required' };

describe('a recent proof', () => {
  beforeEach(() => {
    fake = createFakeIdentity(strict);
  });

  it.each(['user', 'admin'] as const)('of a %s is needed to end all sessions', async (role) => {
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
    strict.upstream.requests.length = 0;
    expect(await setPassword(headers, id, { password: 'a new sesame' })).toEqual(REFUSED);
    expect(strict.upstream.requests).toEqual([]);
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
    expect(strict.upstream.requests.filter(({ url }) => url.includes('/password'))).toEqual([]);
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
});

describe('an admin who must have a second factor and has none', () => {
  beforeEach(() => {
    fake = createFakeIdentity(strict);
    fake.account.role = 'admin';
  });

  const FREE = new Set(['checkAdmin', 'config', 'login', 'adminLogin', 'logout', 'factors', 'startTotp']);

  it('gets a session that may only set one up', async () => {
    const { body } = await fake.logIn();
    expect(body).toMatchObject({ message: 'login success', needsSecondFactor: true });
    const headers = { authorization: `Bearer ${body.credentials?.token}` };
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

  it('may do everything after that, without a new log-in', async () => {
    const { body } = await fake.logIn();
    const headers = { authorization: `Bearer ${body.credentials?.token}` };
    expect((await call('userTotals', headers)).status).toBe(403);
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await call('userTotals', headers)).status).toBe(200);
  });

  it('has one session after that: others that a password alone began end', async () => {
    const [first, other] = [(await fake.logIn()).body, (await fake.logIn()).body];
    const headers = { authorization: `Bearer ${first.credentials?.token}` };
    const others = { authorization: `Bearer ${other.credentials?.token}` };
    expect((await fake.post('/api/factors/totp/confirm', { code: RIGHT_CODE }, headers)).status).toBe(200);
    expect((await fake.post('/api/factors/passkeys/options', {}, others)).status).toBe(401);
    expect((await call('userTotals', headers)).status).toBe(200);
  });

  it('is one who removes the last factor: other sessions end, this one may only set up another', async () => {
    const [headers, other] = [await begin('admin'), await begin('admin')];
    expect((await call('removeTotp', headers)).status).toBe(200);
    expect(await call('userTotals', headers)).toMatchObject({
      code: 'session.second_factor_required',
    });
    expect((await call('userTotals', other)).status).toBe(401);
  });

  it('is not one with a passkey, who logs in with it after the password', async () => {
    fake.setFactors({ passkeys: 1 });
    const { body } = await fake.logIn();
    expect(body.message).toBe('second factor');
    expect(body.data?.methods).toEqual(['passkey']);
  });
});
