import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import { NO_FACTORS } from './factors-reply.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type RawResponse, send, useBff } from './support.ts';

const TOKEN = 'A'.repeat(43);
const LIMIT = 30;

/** The refusals of identity by path; any other request succeeds. */
let refusals: Record<string, ErrorCode> = {};
let userId: string;
let email = '';

const replyTo = (url: string): unknown => {
  if (url === '/password-resets/check') return { data: { userId, email, role: 'user' } };
  if (url === '/password-resets/use') return { data: { userId, email, generation: 1 } };
  if (url.endsWith('/password')) return { generation: 1 };
  if (url.endsWith('/credentials')) return { data: { factors: NO_FACTORS, credentials: [] } };
  if (url.startsWith('/admins/')) return { data: { userId, email, name: null, role: 'owner' } };
  return { data: { id: userId, ...ana, email }, planState: { version: 1 }, factors: NO_FACTORS };
};

const strict = { SIGNUP_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' };
const bff = await useBff(strict);
beforeEach(() => {
  userId = uuidv7();
  refusals = {};
  email = `${uuidv7()}@people.test`;
  bff.upstream.respond = ({ url = '' }, response) => {
    const code = Object.entries(refusals).find(([path]) => url.includes(path))?.[1];
    response.writeHead(code === undefined ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(code === undefined ? replyTo(url) : { error: { code, message: 'x' } }));
  };
});

const newNetwork = (): string => `2001:db8:e${uuidv7().slice(-3)}:e${uuidv7().slice(-3)}`;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const json = (
  name: 'forgotPassword' | 'checkReset' | 'resetPassword' | 'changePassword' | 'login',
  body: object,
  { from = `${newNetwork()}::1`, token = '' }: { from?: string; token?: string } = {},
): Promise<RawResponse> =>
  send(bff.port, publicEndpoints[name].path, {
    method: publicEndpoints[name].method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
const statusCounts = (responses: RawResponse[]): Record<number, number> =>
  responses.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );
const codeOf = ({ body }: RawResponse): string =>
  (JSON.parse(body) as { error: { code: string } }).error.code;
const isAlive = async (token: string): Promise<boolean> => (await bff.sessions.check(token)) !== null;
const pathsOf = (): string[] => bff.upstream.requests.map(({ url }) => url);

describe('a reset of the password', () => {
  it('A10 ends every session of the user, those of the request included, and begins none', async () => {
    const sessions = await Promise.all(times(3, () => bff.sessions.begin(userId, 'user')));
    const other = await bff.sessions.begin(uuidv7(), 'user');
    const [first] = sessions;
    const response = await json(
      'resetPassword',
      { token: TOKEN, password: 'a new sesame' },
      { token: first?.token ?? '' },
    );
    expect(response.status).toBe(200);
    expect(response.body).not.toContain('token');
    for (const { token } of sessions) expect(await isAlive(token)).toBe(false);
    expect(await isAlive(other.token)).toBe(true);
  });

  it('A10 sends identity the names that the password must not equal', async () => {
    await json('resetPassword', { token: TOKEN, password: 'a new sesame' });
    const use = bff.upstream.requests.find(({ url }) => url === '/password-resets/use');
    expect(JSON.parse(String(use?.body))).toMatchObject({ words: [ana.firstName, ana.lastName] });
  });

  it('A10 clears the failed log-ins of the account', async () => {
    const from = `${newNetwork()}::1`;
    refusals = { '/credentials/verify': 'identity.credentials_wrong' };
    const attempt = () => json('login', { email, password: 'wrong one' }, { from });
    await Promise.all(times(10, attempt));
    expect((await attempt()).status).toBe(429);
    expect((await json('resetPassword', { token: TOKEN, password: 'a new sesame' }, { from })).status).toBe(
      200,
    );
    expect((await attempt()).status).toBe(401);
  });

  it('A10 clears the failed log-ins of the browser that has logged in here before', async () => {
    const jar: Jar = new Map();
    const fromBrowser = async (name: 'resetPassword' | 'login', body: object): Promise<number> => {
      const { method, path } = publicEndpoints[name];
      const headers = fromPage(jar, { 'x-forwarded-for': `${newNetwork()}::1` });
      const response = await send(bff.port, path, { method, headers, body: JSON.stringify(body) });
      store(jar, response);
      return response.status;
    };
    const credentials = { email, password: 'a password' };
    expect(await fromBrowser('login', credentials)).toBe(200);
    refusals = { '/credentials/verify': 'identity.credentials_wrong' };
    const failures = await Promise.all(times(11, () => fromBrowser('login', credentials)));
    expect(failures.toSorted()).toEqual([...times(10, () => 401), 429]);
    expect(await fromBrowser('resetPassword', { token: TOKEN, password: 'a new sesame' })).toBe(200);
    refusals = {};
    expect(await fromBrowser('login', credentials)).toBe(200);
  });

  it('A10 is limited by network', async () => {
    const network = newNetwork();
    const responses = await Promise.all(
      times(40, (index) => json('checkReset', { token: TOKEN }, { from: `${network}::${index}` })),
    );
    expect(statusCounts(responses)).toEqual({ 200: 30, 429: 10 });
  });
});

describe('a change of the own password', () => {
  const change = { currentPassword: 'open sesame', password: 'a new sesame' };

  it.each(['user', 'admin'] as const)('A9 ends the other sessions of the %s', async (role) => {
    const [current, other] = await Promise.all([
      bff.sessions.begin(userId, role),
      bff.sessions.begin(userId, role),
    ]);
    expect((await json('changePassword', change, { token: current.token })).status).toBe(200);
    expect(await isAlive(current.token)).toBe(true);
    expect(await isAlive(other.token)).toBe(false);
  });

  it('A6 clears the failed log-ins of the account', async () => {
    const { token } = await bff.sessions.begin(userId, 'user');
    refusals = { '/credentials/verify': 'identity.credentials_wrong' };
    const attempt = async () => (await json('login', { email, password: 'wrong one' })).status;
    await Promise.all(times(10, attempt));
    expect(await attempt()).toBe(429);
    expect((await json('changePassword', change, { token })).status).toBe(200);
    expect(await attempt()).toBe(401);
  });

  it('A9 with a wrong current password counts like a log-in that failed on a known device', async () => {
    refusals = {
      '/password': 'identity.current_password_wrong',
      '/credentials/verify': 'identity.credentials_wrong',
    };
    const { token } = await bff.sessions.begin(userId, 'user');
    const from = `${newNetwork()}::1`;
    const responses = await Promise.all(times(20, () => json('changePassword', change, { token, from })));
    expect(statusCounts(responses)).toEqual({ 400: 10, 429: 10 });
    const login = await json('login', { email, password: 'the right one' }, { from });
    expect(login.status, 'and holds up no log-in').toBe(401);
  });
});

describe('a new password in the profile', () => {
  const edit = async (role: 'user' | 'admin', fields: object): Promise<RawResponse> => {
    const { token } = await bff.sessions.begin(role === 'user' ? userId : uuidv7(), role);
    return send(bff.port, `/users/${userId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
      body: form(field('userData', JSON.stringify({ ...ana, ...fields }))),
    });
  };

  it('A9 is refused with a wrong current password, and nothing else is saved', async () => {
    refusals = { '/password/check': 'identity.current_password_wrong' };
    const response = await edit('user', { password: 'a new sesame', currentPassword: 'not this one' });
    expect(codeOf(response)).toBe('identity.current_password_wrong');
    expect(bff.upstream.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('A9 is checked with the current one and the names, and then changed', async () => {
    const change = { password: 'a new sesame', currentPassword: 'open sesame' };
    expect((await edit('user', change)).status).toBe(200);
    const [check, save] = bff.upstream.requests.filter(({ url }) => url.includes('/password'));
    const checked = { ...change, words: [ana.firstName, ana.lastName] };
    expect(JSON.parse(String(check?.body))).toEqual(checked);
    // The session that sets it stays.
    const saved = { ...checked, keptSessionId: expect.any(String) as string };
    expect(JSON.parse(String(save?.body))).toEqual(saved);
    expect(pathsOf().indexOf(check?.url ?? '')).toBeLessThan(pathsOf().indexOf(save?.url ?? ''));
  });

  it('A9 of another user needs no current password when an admin sets it', async () => {
    expect((await edit('admin', { password: 'a new sesame' })).status).toBe(200);
  });

  it.each(['user', 'admin'] as const)('A6 clears the failed log-ins when the %s sets it', async (role) => {
    refusals = { '/credentials/verify': 'identity.credentials_wrong' };
    const attempt = async () => (await json('login', { email, password: 'wrong one' })).status;
    await Promise.all(times(10, attempt));
    expect(await attempt()).toBe(429);
    await edit(role, { city: 'Oslo' });
    expect(await attempt(), 'and an edit without a password clears none').toBe(429);
    await edit(role, { password: 'a new sesame', currentPassword: 'open sesame' });
    expect(await attempt()).toBe(401);
  });
});
