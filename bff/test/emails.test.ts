import { RESEND_PAUSE_SECONDS, RESENDS_PER_DAY, STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountFactors } from '@shortlist/contracts/api/factors';
import type { ErrorCode } from '@shortlist/contracts/errors';
import type { Suppression } from '@shortlist/contracts/api/email';
import type { IncomingMessage } from 'node:http';
import {
  ana,
  countStatuses,
  type EndpointName,
  type Input,
  newEmail as anEmail,
  newNetwork,
  times,
} from './requests.ts';
import { NO_FACTORS, respondUnless, respondWith, useBff } from './support.ts';
import { fromPage, type Jar, store } from './browser.ts';

const TOKEN = 'A'.repeat(43);
const INVITATION = { id: uuidv7(), email: 'invited@people.test' };
const MEMBER = { id: uuidv7(), email: 'admin@people.test' };

let aheadMs = 0;
let userId: string;
let email = '';
let newEmail = '';
let account: { email: string; isVerified: boolean; pendingEmail: string | null; confirmBy: null };
let factors: AccountFactors;
let suppressions: Suppression[];
/** What the services refuse, by the end of the target. */
let refusals: Record<string, ErrorCode>;

const replyTo = ({ url = '' }: IncomingMessage): unknown => {
  const changed = { userId, email: newEmail, version: 2, generation: 1 };
  if (url === '/suppressions/find') return { data: suppressions };
  if (url === '/team') return { data: { ownId: '', members: [MEMBER], invitations: [INVITATION] } };
  if (url.startsWith('/team/invitations')) return { data: INVITATION };
  if (url === '/email-changes/undo/check') return { data: { userId, email } };
  if (url === '/email-changes/undo') return { data: { ...changed, email } };
  if (url.endsWith('/confirm')) return { data: changed };
  if (url.endsWith('/credentials')) return { data: { factors, credentials: [] } };
  if (url.endsWith('/email-retries')) return { data: { email } };
  if (url.endsWith('/email')) return { data: account };
  const data = { id: userId, ...ana, email };
  return { data, planState: { version: 1 }, factors, url: 'https://checkout.stripe.test/' };
};

const clock = () => new Date(Date.now() + aheadMs);
const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' }, { clock });
const strict = await useBff({ REQUIRE_VERIFIED_EMAIL: 'checkout,api_keys' });
beforeEach(() => {
  [aheadMs, userId, factors, suppressions, refusals] = [0, uuidv7(), NO_FACTORS, [], {}];
  [email, newEmail] = [anEmail(), anEmail()];
  account = { email, isVerified: true, pendingEmail: null, confirmBy: null };
  for (const { upstream } of [bff, strict]) upstream.respond = respondUnless(() => refusals, replyTo);
});

const { requestsTo } = bff.upstream;
const bodiesOf = (url: string): unknown[] => requestsTo(url).map(({ json }) => json);
/** The requests at the services in their order. */
const order = (): string[] => bff.upstream.requests.map(({ method, url }) => `${method} ${url}`);
const bounced = (address: string, kind: Suppression['kind'] = 'bounced'): Suppression => ({
  email: address,
  kind,
  reason: '550 User unknown',
  at: '2026-11-20T09:41:00.000Z',
});

it.each(['subscribe', 'buyPack'] as const)(
  'A12 a checkout by %s is refused until the address is confirmed, where the operator requires that',
  async (name) => {
    account.isVerified = false;
    const { status, code } = await strict.call(name, { as: 'user' });
    expect([status, code]).toEqual([403, 'identity.email_unverified']);
    expect(strict.upstream.requestsTo('/checkout')).toEqual([]);
    expect((await bff.call(name, { as: 'user' })).status).toBe(200);
    account.isVerified = true;
    expect((await strict.call(name, { as: 'user' })).status).toBe(200);
  },
);

it.each([
  ['subscribe', 'user', '/checkout'],
  ['buyPack', 'user', '/checkout'],
  ['grantPlan', 'admin', '/grant'],
] as const)('A12 %s of a %s keeps the account before it asks for %s', async (name, role, end) => {
  await bff.call(name, role === 'user' ? { as: role, userId } : { as: role, id: userId });
  const [kept, asked = -1] = [`/unconfirmed-accounts/${userId}/keep`, end].map((target) =>
    order().findIndex((request) => request.endsWith(target)),
  );
  expect([kept, asked]).not.toContain(-1);
  expect(kept).toBeLessThan(asked);
});

it.each([
  ['resendVerification', 'resend-pause'],
  ['requestEmailChange', 'email-change-pause'],
] as const)(
  'A12 A13 %s passes once a minute and five times a day for an account, however many come at once',
  async (name, pause) => {
    const token = await bff.begin('user', userId);
    const request = () =>
      bff.call(name, { token, ...(name === 'requestEmailChange' && { body: { email: anEmail() } }) });
    const first = await Promise.all(times(10, request));
    expect(countStatuses(first)).toEqual({ 202: 1, 429: 9 });
    const wait = Number(first.find(({ status }) => status === 429)?.headers['retry-after']);
    expect(wait).toBeLessThanOrEqual(RESEND_PAUSE_SECONDS);
    const statuses: number[] = [];
    for (let round = 0; round < RESENDS_PER_DAY; round += 1) {
      await bff.redis.del(`limit:${pause}:${userId}`);
      statuses.push((await request()).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429]);
  },
);

it('A12 a sign-up with an address that an unconfirmed account has gets its profile once its link is used', async () => {
  const profiles = () => requestsTo('/profiles').filter(({ method }) => method === 'POST');
  const id = uuidv7();
  bff.upstream.respond = respondWith(() => ({ data: { id, email, createdAt: '' }, isPending: true }));
  const signUp = await bff.call('signup', { body: { ...ana, email, password: 'open sesame' } });
  expect(signUp.json).toEqual({ message: 'signup', data: { id, email, picture: null, isPending: true } });
  expect(profiles()).toEqual([]);
  const registered = { ...ana, email, id, picture: null, createdAt: '2026-03-01T12:00:00.000Z' };
  bff.upstream.respond = respondWith(() => ({ data: { userId: id, email, registered } }));
  const confirmed = await bff.call('verifyEmail', { body: { token: TOKEN } });
  expect(confirmed.json).toEqual({ data: { email } });
  expect(profiles().map(({ json }) => json)).toEqual([registered]);
});

/** Calls from an address, of a network of its own unless given. */
const post = (
  name: EndpointName,
  body: object,
  { from = `${newNetwork()}::1`, ...input }: Input & { from?: string; as?: 'user' } = {},
) => bff.call(name, { ...input, body, headers: { 'x-forwarded-for': from, ...input.headers } });
const begin = () => bff.begin('user', userId);
const isAlive = async (token: string): Promise<boolean> => (await bff.sessions.check(token)) !== null;
const passStepUp = (): void => void (aheadMs += (STEP_UP_SECONDS + 1) * 1_000);
const withPassword = () => ({ email: newEmail, currentPassword: 'open sesame' });

describe('a request to change the address', () => {
  const request = (token: string, body: object = withPassword(), from?: string) =>
    post('requestEmailChange', body, { token, ...(from !== undefined && { from }) });

  const TOTP = { ...NO_FACTORS, totp: true };
  const withoutPassword = () => ({ email: newEmail });

  it.each([
    [
      'passes with the current password, however long ago the log-in was',
      NO_FACTORS,
      withPassword,
      'old',
      202,
    ],
    ['passes without the password after a recent proof', NO_FACTORS, withoutPassword, 'recent', 202],
    ['passes without the password no longer after that', NO_FACTORS, withoutPassword, 'old', 403],
    ['needs a recent proof with a factor while two-step verification is on', TOTP, withPassword, 'old', 403],
  ])('A13 %s', async (...[, accountFactors, bodyOf, proof, status]) => {
    factors = accountFactors;
    const token = await begin();
    if (proof === 'old') passStepUp();
    const response = await request(token, bodyOf());
    expect(response.status).toBe(status);
    if (status === 403) expect(response.code).toBe('session.reauthentication_required');
    expect(bodiesOf('/email-change')).toEqual(status === 202 ? [bodyOf()] : []);
  });

  it('A13 with a wrong password counts like a log-in that failed, and not as a mail', async () => {
    const token = await begin();
    refusals = { '/email-change': 'identity.current_password_wrong' };
    const from = `${newNetwork()}::1`;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      statuses.push((await request(token, withPassword(), from)).status);
    expect(statuses).toEqual([...times(10, () => 400), 429]);
    refusals = {};
    expect((await request(token, { email: newEmail }, from)).status).toBe(202);
  });

  it('A13 is mailed to one mailbox five times an hour, whichever accounts and aliases name it', async () => {
    const [name, domain] = newEmail.split('@');
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      const body = { email: `${name}+${index}@${domain}` };
      statuses.push((await post('requestEmailChange', body, { as: 'user' })).status);
    }
    expect(statuses).toEqual([...times(5, () => 202), 429, 429]);
    const token = await begin();
    expect((await request(token)).status).toBe(429);
    newEmail = anEmail();
    const other = await request(token);
    expect(other.status, 'and a refusal counts neither as a mail of the account').toBe(202);
  });

  it('A13 is sent again while one is open', async () => {
    const token = await begin();
    const resend = async () => (await post('resendEmailChange', {}, { token })).status;
    expect(await resend()).toBe(202);
    expect(requestsTo('/email-change/resend')).toEqual([]);
    account.pendingEmail = newEmail;
    expect([await resend(), await resend()]).toEqual([202, 429]);
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
    expect([await isAlive(token), await isAlive(other)]).toEqual([true, false]);
    expect(bodiesOf(`/profiles/${userId}/email`)).toEqual([{ email: newEmail, version: 2 }]);
  });

  it('A13 by a link needs no session, and keeps that of no other account', async () => {
    const [ended, foreign] = [await begin(), await bff.begin('user')];
    for (const session of [{}, { token: foreign }])
      expect((await post('confirmEmailChange', { token: TOKEN }, session)).status).toBe(200);
    expect([await isAlive(ended), await isAlive(foreign)]).toEqual([false, true]);
  });

  it('A13 makes the browser a known one of the new address, which failures elsewhere do not hold up', async () => {
    const [token, jar]: [string, Jar] = [await begin(), new Map()];
    store(jar, await post('confirmEmailChange', { token: TOKEN }, { token, headers: fromPage(jar) }));
    expect([...jar.keys()]).toContain('device');
  });

  it('A13 succeeds although profile is away: its event updates the copy', async () => {
    refusals = { [`/profiles/${userId}/email`]: 'service.unavailable' };
    expect((await post('confirmEmailChange', { token: TOKEN })).status).toBe(200);
  });
});

it('A13 an undo names the address that it brings back, and ends every session, that of the request included', async () => {
  const [token, other] = [await begin(), await begin()];
  expect((await post('undoEmailChange', { token: TOKEN })).status, 'without a new password').toBe(400);
  expect(bff.upstream.requests).toEqual([]);
  expect((await post('checkEmailUndo', { token: TOKEN })).json).toEqual({ data: { email } });
  const body = { token: TOKEN, password: 'mine again today' };
  expect((await post('undoEmailChange', body, { token })).json).toEqual({ data: { email } });
  expect([await isAlive(token), await isAlive(other)]).toEqual([false, false]);
  const words = [ana.firstName, ana.lastName];
  expect(bodiesOf('/email-changes/undo')).toEqual([{ ...body, words }]);
});

const readEmail = async () =>
  ((await bff.call('email', { as: 'user' })).json as { data: { suppression: unknown } }).data;

describe('the address of a user', () => {
  it('comes with the reason why nothing is sent to it, and without it while worker does not respond', async () => {
    for (const kind of ['bounced', 'complained'] as const) {
      suppressions = [bounced(email, kind)];
      expect(await readEmail()).toEqual({ ...account, suppression: { email, kind } });
    }
    expect((await bff.callerOf('worker', requestsTo('/suppressions/find')[0])).role).toBe('service');
    refusals = { '/suppressions/find': 'service.unavailable' };
    expect(await readEmail()).toEqual({ ...account, suppression: null });
  });

  it('comes with that of the new one while a change waits for it', async () => {
    account.pendingEmail = newEmail;
    suppressions = [bounced(email), bounced(newEmail)];
    expect((await readEmail()).suppression).toMatchObject({ email: newEmail });
    suppressions = [bounced(email)];
    expect((await readEmail()).suppression).toMatchObject({ email });
    expect(bodiesOf('/suppressions/find')).toEqual(Array(2).fill({ emails: [newEmail, email] }));
  });

  it.each([
    ['is not confirmed', () => ({ isVerified: false }), () => email],
    ['is the new one of a change', () => ({ pendingEmail: newEmail }), () => newEmail],
  ])(
    'hides the complaint of another person, whose it may be while it %s',
    async (...[, change, addressOf]) => {
      account = { ...account, ...change() };
      suppressions = [bounced(addressOf(), 'complained')];
      const suppression = { email: addressOf(), kind: 'bounced' };
      expect(await readEmail()).toEqual({ ...account, suppression });
      const { status, code } = await bff.call('retryEmail', { as: 'user' });
      expect([status, code]).toEqual([409, 'worker.complaint_kept']);
      expect(order().join()).not.toMatch(/lift|test-mail|resend|verif/);
    },
  );
});

describe('a user who tries an address again', () => {
  const complaint = () => [bounced(email, 'complained')];
  const retry = (id = userId) => bff.call('retryEmail', { as: 'user', userId: id });

  it.each<[string, () => Partial<typeof account>, () => Suppression[], string]>([
    ['gets a test', () => ({}), () => [bounced(email)], '/users/:id/test-mail'],
    ['gets a test, after the own complaint, too', () => ({}), complaint, '/users/:id/test-mail'],
    [
      'gets the link while the address is not confirmed',
      () => ({ isVerified: false }),
      () => [bounced(email)],
      '/accounts/:id/email/verification',
    ],
    [
      'gets the link of the change at its new address',
      () => ({ pendingEmail: newEmail }),
      () => [bounced(newEmail), bounced(email)],
      '/accounts/:id/email-change/resend',
    ],
  ])('has it lifted, and then %s', async (...[, change, suppressed, sent]) => {
    [account, suppressions] = [{ ...account, ...change() }, suppressed()];
    expect((await retry()).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email: suppressions[0]?.email }]);
    expect(order().slice(-2)).toEqual(['POST /suppressions/lift', `POST ${sent.replace(':id', userId)}`]);
  });

  it('gets nothing while mails arrive, and uses up nothing', async () => {
    for (let press = 0; press < RESENDS_PER_DAY + 1; press += 1) expect((await retry()).status).toBe(202);
    expect(order().join()).not.toMatch(/lift|test-mail/);
  });

  it('does so once a minute, not counting one in which the provider did not take part, and which got no mail', async () => {
    suppressions = [bounced(email)];
    refusals = { '/suppressions/lift': 'worker.suppression_kept' };
    expect(await retry()).toMatchObject({ status: 503, code: 'worker.suppression_kept' });
    expect(order().join()).not.toContain('test-mail');
    refusals = {};
    expect((await retry()).status).toBe(202);
    expect(await retry()).toMatchObject({ status: 429, code: 'request.rate_limited' });
    expect(requestsTo('/suppressions/lift')).toHaveLength(2);
    expect((await retry(uuidv7())).status).toBe(202);
  });
});

it.each([
  ['user', 'retryUserEmail'],
  ['admin', 'retryAdminEmail'],
] as const)(
  'an admin who tries the address of a %s again is recorded first, or lifts nothing',
  async (role, name) => {
    const id = uuidv7();
    const retry = async () => (await bff.call(name, { as: 'admin', id })).status;
    refusals = { [`/accounts/${id}/email-retries`]: 'identity.user_not_found' };
    expect(await retry()).toBe(404);
    expect(requestsTo('/suppressions/lift')).toEqual([]);
    refusals = {};
    bff.upstream.requests.length = 0;
    expect(await retry()).toBe(200);
    expect(order()).toEqual([`POST /accounts/${id}/email-retries`, 'POST /suppressions/lift']);
    expect(bodiesOf(`/accounts/${id}/email-retries`)).toEqual([{ role }]);
    expect((await bff.callerOf('identity', bff.upstream.requests[0])).role).toBe('admin');
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email }]);
  },
);

describe('the team', () => {
  it('comes with the addresses to which nothing is sent', async () => {
    const readTeam = async () => ((await bff.call('team', { as: 'admin' })).json as { data: unknown }).data;
    suppressions = [bounced(MEMBER.email)];
    expect(await readTeam()).toMatchObject({ members: [MEMBER], suppressions });
    expect(bodiesOf('/suppressions/find')).toEqual([{ emails: [MEMBER.email, INVITATION.email] }]);
    refusals = { '/suppressions/find': 'service.unavailable' };
    expect(await readTeam()).toMatchObject({ suppressions: [] });
  });

  const RESENT = `/team/invitations/${INVITATION.id}/resend`;
  const resend = () => bff.call('resendInvitation', { as: 'admin', id: INVITATION.id });

  it('has an invitation that came back sent to its address again, unless the provider keeps the address', async () => {
    suppressions = [bounced(INVITATION.email)];
    refusals = { '/suppressions/lift': 'worker.suppression_kept' };
    expect((await resend()).code).toBe('worker.suppression_kept');
    expect(requestsTo(RESENT)).toEqual([]);
    refusals = {};
    bff.upstream.requests.length = 0;
    expect((await resend()).status).toBe(200);
    expect(bodiesOf('/suppressions/find')).toEqual([{ emails: [INVITATION.email] }]);
    expect(order().slice(-2)).toEqual(['POST /suppressions/lift', `POST ${RESENT}`]);
  });

  it('has an invitation sent again as before while mails arrive, or worker does not say', async () => {
    expect((await resend()).status).toBe(200);
    refusals = { '/suppressions/find': 'service.unavailable' };
    expect((await resend()).status).toBe(200);
    expect(requestsTo(RESENT)).toHaveLength(2);
    expect(requestsTo('/suppressions/lift')).toEqual([]);
  });
});
