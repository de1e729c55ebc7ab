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
const bounced = (email: string): Suppression => ({
  email,
  kind: 'bounced',
  reason: '550 User unknown',
  at: '2026-11-20T09:41:00.000Z',
});

describe.each(['subscribe', 'buyPack'] as const)('a checkout by %s', (name) => {
  it('A12 is refused until the address is confirmed, before billing is called', async () => {
    account = { ...account, isVerified: false };
    expect(await strict.call(name, { as: 'user' })).toMatchObject({
      status: 403,
      code: 'identity.email_unverified',
    });
    expect(strict.upstream.requestsTo('/checkout')).toEqual([]);
    account = { ...account, isVerified: true };
    expect((await strict.call(name, { as: 'user' })).status).toBe(200);
  });

  it('A12 is allowed at once where the operator requires nothing', async () => {
    account = { ...account, isVerified: false };
    expect((await bff.call(name, { as: 'user' })).status).toBe(200);
  });

  it('A12 keeps the account before it opens', async () => {
    await bff.call(name, { as: 'user', userId });
    const [kept, opened] = [`/unconfirmed-accounts/${userId}/keep`, '/checkout'].map((end) =>
      order().findIndex((request) => request.endsWith(end)),
    );
    expect([kept, opened]).not.toContain(-1);
    expect(kept).toBeLessThan(opened ?? -1);
  });
});

it('A12 an account is kept before an admin grants it the plan', async () => {
  await bff.call('grantPlan', { as: 'admin', id: userId });
  const [kept, granted] = ['/keep', '/grant'].map((end) =>
    order().findIndex((request) => request.endsWith(end)),
  );
  expect([kept, granted]).not.toContain(-1);
  expect(kept).toBeLessThan(granted ?? -1);
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

describe('a sign-up with an address that an unconfirmed account has', () => {
  const user = () => ({ ...ana, email });
  const profiles = () => requestsTo('/profiles').filter(({ method }) => method === 'POST');

  it('A12 is pending, and has no profile yet', async () => {
    const id = uuidv7();
    bff.upstream.respond = respondWith(() => ({
      data: { id, email, createdAt: '' },
      isPending: true,
    }));
    const response = await bff.call('signup', { body: { ...user(), password: 'open sesame' } });
    expect(response.json).toEqual({
      message: 'signup',
      data: { id, email, picture: null, isPending: true },
    });
    expect(profiles()).toEqual([]);
  });

  it('A12 has one for the next read once its link is used', async () => {
    const registered = { ...user(), id: uuidv7(), picture: null, createdAt: '2026-03-01T12:00:00.000Z' };
    const data = { userId: registered.id, email, registered };
    bff.upstream.respond = respondWith(() => ({ data }));
    const response = await bff.call('verifyEmail', { body: { token: TOKEN } });
    expect(response.json).toEqual({ data: { email } });
    expect(profiles().map(({ json }) => json)).toEqual([registered]);
  });
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
    refusals = { '/email-change': 'identity.current_password_wrong' };
    const from = `${newNetwork()}::1`;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      statuses.push((await post('requestEmailChange', withPassword(), { token, from })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    refusals = {};
    expect((await post('requestEmailChange', { email: newEmail }, { token, from })).status).toBe(202);
  });

  it('A13 is mailed to one mailbox five times an hour, whichever accounts and aliases name it', async () => {
    const [name, domain] = newEmail.split('@');
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      const body = { email: `${name}+${index}@${domain}` };
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
    account = { ...account, pendingEmail: newEmail };
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
    refusals = { [`/profiles/${userId}/email`]: 'service.unavailable' };
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
});

const readEmail = async () => (await bff.call('email', { as: 'user' })).json as { data: unknown };

describe('the address of a user', () => {
  it('comes with the reason why nothing is sent to it', async () => {
    suppressions = [bounced(email)];
    expect((await readEmail()).data).toEqual({ ...account, suppression: { email, kind: 'bounced' } });
    suppressions = [{ ...bounced(email), kind: 'complained' }];
    expect((await readEmail()).data).toMatchObject({ suppression: { kind: 'complained' } });
    expect((await bff.callerOf('worker', requestsTo('/suppressions/find')[0])).role).toBe('service');
  });

  it('comes with that of the new one while a change waits for it', async () => {
    account = { ...account, pendingEmail: newEmail };
    suppressions = [bounced(email), bounced(newEmail)];
    expect((await readEmail()).data).toMatchObject({
      suppression: { email: newEmail },
    });
    suppressions = [bounced(email)];
    expect((await readEmail()).data).toMatchObject({
      suppression: { email },
    });
    expect(bodiesOf('/suppressions/find')).toEqual(Array(2).fill({ emails: [newEmail, email] }));
  });

  it.each([
    ['is not confirmed', () => ({ isVerified: false }), () => email],
    ['is the new one of a change', () => ({ pendingEmail: newEmail }), () => newEmail],
  ])(
    'hides the complaint of another person, whose it may be while it %s',
    async (...[, change, addressOf]) => {
      account = { ...account, ...change() };
      suppressions = [{ ...bounced(addressOf()), kind: 'complained' }];
      const suppression = { email: addressOf(), kind: 'bounced' };
      expect((await readEmail()).data).toEqual({ ...account, suppression });
      expect(await bff.call('retryEmail', { as: 'user' })).toMatchObject({
        status: 409,
        code: 'worker.complaint_kept',
      });
      expect(order().join()).not.toMatch(/lift|test-mail|resend|verif/);
    },
  );

  it('comes without it while worker does not respond', async () => {
    refusals = { '/suppressions/find': 'service.unavailable' };
    expect((await readEmail()).data).toEqual({ ...account, suppression: null });
  });
});

describe('a user who tries an address again', () => {
  const retry = (id = userId) => bff.call('retryEmail', { as: 'user', userId: id });

  it('has it lifted, and then gets a test', async () => {
    suppressions = [bounced(email)];
    expect((await retry()).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email }]);
    expect(order().slice(-2)).toEqual(['POST /suppressions/lift', `POST /users/${userId}/test-mail`]);
  });

  it('gets the link while the address is not confirmed', async () => {
    account = { ...account, isVerified: false };
    suppressions = [bounced(email)];
    expect((await retry()).status).toBe(202);
    expect(order().at(-2)).toBe('POST /suppressions/lift');
    expect(order().at(-1)).toMatch(/verif/);
    expect(order().join()).not.toContain('test-mail');
  });

  it('gets the link of the change at its new address', async () => {
    account = { ...account, pendingEmail: newEmail };
    suppressions = [bounced(newEmail), bounced(email)];
    expect((await retry()).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email: newEmail }]);
    expect(order().at(-1)).toBe(`POST /accounts/${userId}/email-change/resend`);
  });

  it('may take back the own complaint', async () => {
    suppressions = [{ ...bounced(email), kind: 'complained' }];
    expect((await retry()).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email }]);
  });

  it('gets nothing while mails arrive, and uses up nothing', async () => {
    for (let press = 0; press < RESENDS_PER_DAY + 1; press += 1) expect((await retry()).status).toBe(202);
    expect(order().join()).not.toMatch(/lift|test-mail/);
  });

  it('does so once a minute', async () => {
    suppressions = [bounced(email)];
    expect((await retry()).status).toBe(202);
    expect(await retry()).toMatchObject({ status: 429, code: 'request.rate_limited' });
    expect(requestsTo('/suppressions/lift')).toHaveLength(1);
    expect((await retry(uuidv7())).status).toBe(202);
  });

  it('may do so again at once after the provider did not take part, and got no mail', async () => {
    suppressions = [bounced(email)];
    refusals = { '/suppressions/lift': 'worker.suppression_kept' };
    expect(await retry()).toMatchObject({ status: 503, code: 'worker.suppression_kept' });
    expect(order().join()).not.toContain('test-mail');
    refusals = {};
    expect((await retry()).status).toBe(202);
  });
});

describe('an admin who tries an address again', () => {
  it.each([
    ['user', 'retryUserEmail'],
    ['admin', 'retryAdminEmail'],
  ] as const)('of an account with the role %s is recorded first', async (role, name) => {
    const id = uuidv7();
    expect((await bff.call(name, { as: 'admin', id })).status).toBe(200);
    expect(order()).toEqual([`POST /accounts/${id}/email-retries`, 'POST /suppressions/lift']);
    expect(bodiesOf(`/accounts/${id}/email-retries`)).toEqual([{ role }]);
    expect((await bff.callerOf('identity', bff.upstream.requests[0])).role).toBe('admin');
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email }]);
  });

  it('lifts nothing without the record', async () => {
    const id = uuidv7();
    refusals = { [`/accounts/${id}/email-retries`]: 'identity.user_not_found' };
    expect((await bff.call('retryUserEmail', { as: 'admin', id })).status).toBe(404);
    expect(requestsTo('/suppressions/lift')).toEqual([]);
  });
});

describe('the team', () => {
  it('comes with the addresses to which nothing is sent', async () => {
    suppressions = [bounced(MEMBER.email)];
    const readTeam = async () => (await bff.call('team', { as: 'admin' })).json as { data: unknown };
    expect((await readTeam()).data).toMatchObject({ members: [MEMBER], suppressions });
    expect(bodiesOf('/suppressions/find')).toEqual([{ emails: [MEMBER.email, INVITATION.email] }]);
    refusals = { '/suppressions/find': 'service.unavailable' };
    expect((await readTeam()).data).toMatchObject({ suppressions: [] });
  });

  const resend = () => bff.call('resendInvitation', { as: 'admin', id: INVITATION.id });

  it('has an invitation that came back sent to its address again', async () => {
    suppressions = [bounced(INVITATION.email)];
    expect((await resend()).status).toBe(200);
    expect(bodiesOf('/suppressions/find')).toEqual([{ emails: [INVITATION.email] }]);
    expect(order().slice(-2)).toEqual([
      'POST /suppressions/lift',
      `POST /team/invitations/${INVITATION.id}/resend`,
    ]);
  });

  it('has an invitation sent again as before while mails arrive, or worker does not say', async () => {
    expect((await resend()).status).toBe(200);
    refusals = { '/suppressions/find': 'service.unavailable' };
    expect((await resend()).status).toBe(200);
    expect(requestsTo(`/team/invitations/${INVITATION.id}/resend`)).toHaveLength(2);
    expect(requestsTo('/suppressions/lift')).toEqual([]);
  });

  it('does not send an invitation of which the provider keeps the address', async () => {
    suppressions = [bounced(INVITATION.email)];
    refusals = { '/suppressions/lift': 'worker.suppression_kept' };
    expect((await resend()).code).toBe('worker.suppression_kept');
    expect(requestsTo(`/team/invitations/${INVITATION.id}/resend`)).toEqual([]);
  });
});
