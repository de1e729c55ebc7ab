import type { AccountFactors } from '@shortlist/contracts/api/factors';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { RESENDS_PER_DAY, STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import { NO_FACTORS } from './factors-reply.ts';
import { ana } from './multipart.ts';
import type { EndpointName, Input } from './requests.ts';
import { newEmail as anEmail, newNetwork, refuseWith, respondWith, times, useBff } from './support.ts';

const TOKEN = 'A'.repeat(43);
const NETWORK_LIMIT = 8;

let aheadMs = 0;
let userId: string;
let email = '';
let newEmail = '';
let factors: AccountFactors = NO_FACTORS;
let pendingEmail: string | null = null;
let refusal: { path: string; code: ErrorCode } | null = null;

const changed = () => ({ userId, email: newEmail, version: 2, generation: 1 });
const replyTo = (url: string): unknown => {
  if (url === '/email-changes/undo/check') return { data: { userId, email } };
  if (url === '/email-changes/undo') return { data: { ...changed(), email } };
  if (url.endsWith('/confirm')) return { data: changed() };
  if (url.endsWith('/credentials')) return { data: { factors, credentials: [] } };
  if (url.endsWith('/email')) return { data: { email, isVerified: true, pendingEmail } };
  return { data: { id: userId, ...ana, email }, planState: { version: 1 }, factors };
};

const clock = () => new Date(Date.now() + aheadMs);
const bff = await useBff({ SIGNUP_LIMIT: String(NETWORK_LIMIT), TRUSTED_PROXIES: '127.0.0.1' }, { clock });
bff.upstream.respond = (request, response, body) => {
  const { url = '' } = request;
  const isRefused = refusal !== null && url.endsWith(refusal.path);
  const respond = isRefused && refusal ? refuseWith(refusal.code) : respondWith(() => replyTo(url));
  respond(request, response, body);
};
beforeEach(() => {
  [aheadMs, userId, factors, pendingEmail, refusal] = [0, uuidv7(), NO_FACTORS, null, null];
  [email, newEmail] = [anEmail(), anEmail()];
});

/** Calls from an address, of a network of its own unless given. */
const post = (
  name: EndpointName,
  body: object,
  { from = `${newNetwork()}::1`, ...input }: Input & { from?: string; as?: 'user' } = {},
) => bff.call(name, { ...input, body, headers: { 'x-forwarded-for': from, ...input.headers } });
const begin = () => bff.begin('user', userId);
const isAlive = async (token: string): Promise<boolean> => (await bff.sessions.check(token)) !== null;
const { requestsTo } = bff.upstream;
const passStepUp = (): void => void (aheadMs += (STEP_UP_SECONDS + 1) * 1_000);
const withPassword = () => ({ email: newEmail, currentPassword: 'open sesame' });
const endPause = (): Promise<unknown> => bff.redis.del(`limit:email-change-pause:${userId}`);

describe('a request to change the address', () => {
  it('A13 passes with the current password, however long ago the log-in was', async () => {
    const token = await begin();
    passStepUp();
    expect((await post('requestEmailChange', withPassword(), { token })).status).toBe(202);
    const [request] = requestsTo('/email-change');
    expect(request?.json).toEqual(withPassword());
  });

  it('A13 passes without the password only after a recent proof', async () => {
    const token = await begin();
    expect((await post('requestEmailChange', { email: newEmail }, { token })).status).toBe(202);
    await endPause();
    passStepUp();
    const response = await post('requestEmailChange', { email: newEmail }, { token });
    expect(response.code).toBe('session.reauthentication_required');
    expect(requestsTo('/email-change')).toHaveLength(1);
  });

  it('A13 needs a recent proof with a factor, not the password, while two-step verification is on', async () => {
    factors = { ...NO_FACTORS, totp: true };
    const token = await begin();
    passStepUp();
    const response = await post('requestEmailChange', withPassword(), { token });
    expect(response.code).toBe('session.reauthentication_required');
    expect(requestsTo('/email-change')).toEqual([]);
  });

  it('A13 with a wrong password counts like a log-in that failed, and not as a mail', async () => {
    const token = await begin();
    refusal = { path: '/email-change', code: 'identity.current_password_wrong' };
    const from = `${newNetwork()}::1`;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      statuses.push((await post('requestEmailChange', withPassword(), { token, from })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    refusal = null;
    expect((await post('requestEmailChange', { email: newEmail }, { token, from })).status).toBe(202);
  });

  it('A13 passes once a minute and five times a day for an account, however many come at once', async () => {
    const token = await begin();
    const request = () => post('requestEmailChange', { email: anEmail() }, { token });
    const first = await Promise.all(times(10, request));
    expect(first.map(({ status }) => status).toSorted()).toEqual([202, ...Array<number>(9).fill(429)]);
    const statuses: number[] = [];
    for (let round = 0; round < RESENDS_PER_DAY; round += 1) {
      await endPause();
      statuses.push((await request()).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429]);
  });

  it('A13 is limited for one network over all accounts', async () => {
    const from = `${newNetwork()}::1`;
    const statuses: number[] = [];
    for (let account = 0; account < NETWORK_LIMIT + 1; account += 1) {
      const body = { email: anEmail() };
      statuses.push((await post('requestEmailChange', body, { as: 'user', from })).status);
    }
    expect(statuses).toEqual([...Array<number>(NETWORK_LIMIT).fill(202), 429]);
  });

  it('A13 is mailed to one mailbox five times an hour, whichever accounts and aliases name it', async () => {
    const [name, domain] = newEmail.split('@');
    const statuses: number[] = [];
    for (let account = 0; account < 7; account += 1) {
      const body = { email: `${name}+${account}@${domain}` };
      statuses.push((await post('requestEmailChange', body, { as: 'user' })).status);
    }
    expect(statuses).toEqual([...Array<number>(5).fill(202), 429, 429]);
    const token = await begin();
    expect((await post('requestEmailChange', withPassword(), { token })).status).toBe(429);
    newEmail = anEmail();
    const other = await post('requestEmailChange', withPassword(), { token });
    expect(other.status, 'and a refusal counts neither as a mail of the account').toBe(202);
  });

  it('A13 is sent again while one is open', async () => {
    const token = await begin();
    expect((await post('resendEmailChange', {}, { token })).status).toBe(202);
    expect(requestsTo('/email-change/resend')).toEqual([]);
    pendingEmail = newEmail;
    expect((await post('resendEmailChange', {}, { token })).status).toBe(202);
    expect((await post('resendEmailChange', {}, { token })).status).toBe(429);
    expect(requestsTo('/email-change/resend')).toHaveLength(1);
  });
});

describe('the confirmation of a new address', () => {
  it.each([
    ['confirmEmailChange', { token: TOKEN }],
    ['confirmEmailChangeCode', { code: '012345' }],
  ] as const)('A13 by %s ends the other sessions and updates the copy of profile', async (name, body) => {
    const [token, other] = [await begin(), await begin()];
    const response = await post(name, body, { token });
    expect(response.json).toEqual({ data: { email: newEmail } });
    expect(await isAlive(token)).toBe(true);
    expect(await isAlive(other)).toBe(false);
    const [copy] = requestsTo('/email');
    expect(copy?.url).toBe(`/profiles/${userId}/email`);
    expect(copy?.json).toEqual({ email: newEmail, version: 2 });
  });

  it('A13 by a link needs no session, and keeps that of no other account', async () => {
    const ended = await begin();
    const foreign = await bff.begin('user');
    expect((await post('confirmEmailChange', { token: TOKEN })).status).toBe(200);
    expect((await post('confirmEmailChange', { token: TOKEN }, { token: foreign })).status).toBe(200);
    expect(await isAlive(ended)).toBe(false);
    expect(await isAlive(foreign)).toBe(true);
  });

  it('A13 makes the browser a known one of the new address, which failures elsewhere do not hold up', async () => {
    const token = await begin();
    const jar: Jar = new Map();
    store(jar, await post('confirmEmailChange', { token: TOKEN }, { token, headers: fromPage(jar) }));
    expect([...jar.keys()]).toContain('device');
  });

  it('A13 succeeds although profile is away: its event updates the copy', async () => {
    refusal = { path: `/profiles/${userId}/email`, code: 'service.unavailable' };
    expect((await post('confirmEmailChange', { token: TOKEN })).status).toBe(200);
  });
});

describe('an undo', () => {
  it('A13 ends every session, that of the request included', async () => {
    const [token, other] = [await begin(), await begin()];
    const response = await post('undoEmailChange', { token: TOKEN, password: 'mine again today' }, { token });
    expect(response.json).toEqual({ data: { email } });
    expect([await isAlive(token), await isAlive(other)]).toEqual([false, false]);
    const [undo] = requestsTo('/email-changes/undo');
    expect(undo?.json).toEqual({
      token: TOKEN,
      password: 'mine again today',
      words: [ana.firstName, ana.lastName],
    });
  });

  it('A13 without a new password is refused before its link is used', async () => {
    expect((await post('undoEmailChange', { token: TOKEN })).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('A13 names the address that it brings back', async () => {
    const response = await post('checkEmailUndo', { token: TOKEN });
    expect(response.json).toEqual({ data: { email } });
  });

  it('A13 is limited by network', async () => {
    const network = newNetwork();
    const responses = await Promise.all(
      times(40, (index) => post('checkEmailUndo', { token: TOKEN }, { from: `${network}::${index}` })),
    );
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});
