import type { TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { beforeEach, describe, expect, it } from 'vitest';
import { days, hours } from '@shortlist/contracts/durations';
import { failuresKey } from '../src/limits/login-limits.ts';
import { createFakeIdentity, passkeyAnswer, RECOVERY_CODE, RIGHT_CODE, WRONG_CODE } from './fake-identity.ts';
import { times, useBff } from './support.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const bff = await useBff({}, { clock });

let fake: ReturnType<typeof createFakeIdentity>;
beforeEach(() => {
  aheadMs = 0;
  fake = createFakeIdentity(bff);
  fake.setFactors({ totp: true, recoveryCodes: 10 });
});

const ticketOf = async (headers = {}): Promise<string> => (await fake.logIn(headers)).body.data?.ticket ?? '';

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

  it('compares ten wrong codes an hour, over all tickets and however many come at once', async () => {
    const tickets = await Promise.all(times(5, () => ticketOf()));
    bff.upstream.requests.length = 0;
    const tries = tickets.flatMap((ticket) => times(5, () => ticket));
    const answers = await Promise.all(tries.map((ticket) => fake.secondStep(ticket, { code: WRONG_CODE })));
    expect(bff.upstream.requestsTo('/prove')).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_000);
    // The user's other ways still work.
    expect((await fake.secondStep(await ticketOf(), { recoveryCode: RECOVERY_CODE })).status).toBe(200);
  });

  it('does not clear the wrong passwords of the account before its second step', async () => {
    const failures = async () =>
      Number((await bff.redis.hget(failuresKey(fake.account.email), 'failures')) ?? 0);
    const ticket = await ticketOf();
    await ticketOf();
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
    const options = async (of: string) =>
      (await fake.post('/api/login/second-factor/passkey', { ticket: of })).body.data as {
        challenge?: string;
      };
    const challenge = (await options(other)).challenge;
    expect((await fake.secondStep(ticket, { passkey: passkeyAnswer(challenge) })).status).toBe(400);
    expect((await fake.secondStep(other, { passkey: passkeyAnswer(challenge) })).status).toBe(400);
    const answer = passkeyAnswer((await options(ticket)).challenge);
    expect((await fake.secondStep(ticket, { passkey: answer })).body.message).toBe('login');
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
