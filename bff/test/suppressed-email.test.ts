import type { Suppression } from '@shortlist/contracts/api/email';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { RESENDS_PER_DAY } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { refuseWith, respondWith, useBff } from './support.ts';

const EMAIL = 'ada@people.test';
const NEW = 'ada.new@people.test';
const bounced = (email: string): Suppression => ({
  email,
  kind: 'bounced',
  reason: '550 User unknown',
  at: '2026-11-20T09:41:00.000Z',
});
const INVITATION = { id: uuidv7(), email: 'invited@people.test' };
const MEMBER = { id: uuidv7(), email: 'admin@people.test' };

let account = { email: EMAIL, isVerified: true, pendingEmail: null as string | null, confirmBy: null };
let suppressions: Suppression[] = [];
/** What worker refuses. */
let failing: Record<string, ErrorCode> = {};

const replyTo = (url: string): object => {
  if (url === '/suppressions/find') return { data: suppressions };
  if (url === '/team') return { data: { ownId: '', members: [MEMBER], invitations: [INVITATION] } };
  if (url.endsWith('/email-retries')) return { data: { email: EMAIL } };
  return url.endsWith('/email') ? { data: account } : { data: INVITATION };
};
const bff = await useBff();
bff.upstream.respond = (request, response, body) => {
  const { url = '' } = request;
  const code = failing[url];
  const respond = code === undefined ? respondWith(() => replyTo(url)) : refuseWith(code);
  respond(request, response, body);
};
beforeEach(() => {
  account = { email: EMAIL, isVerified: true, pendingEmail: null, confirmBy: null };
  suppressions = [];
  failing = {};
});

const callsTo = bff.upstream.requestsTo;
const bodiesOf = (url: string): unknown[] => callsTo(url).map(({ json }) => json);
const readEmail = async () => (await bff.call('email', { as: 'user' })).json as { data: unknown };
const order = (): string[] => bff.upstream.requests.map(({ method, url }) => `${method} ${url}`);

describe('the address of a user', () => {
  it('comes with the reason why nothing is sent to it', async () => {
    suppressions = [bounced(EMAIL)];
    expect((await readEmail()).data).toEqual({ ...account, suppression: { email: EMAIL, kind: 'bounced' } });
    suppressions = [{ ...bounced(EMAIL), kind: 'complained' }];
    expect((await readEmail()).data).toMatchObject({ suppression: { kind: 'complained' } });
    expect((await bff.callerOf('worker', callsTo('/suppressions/find')[0])).role).toBe('service');
  });

  it('comes with that of the new one while a change waits for it', async () => {
    account = { ...account, pendingEmail: NEW };
    suppressions = [bounced(EMAIL), bounced(NEW)];
    expect((await readEmail()).data).toMatchObject({
      suppression: { email: NEW },
    });
    suppressions = [bounced(EMAIL)];
    expect((await readEmail()).data).toMatchObject({
      suppression: { email: EMAIL },
    });
    expect(bodiesOf('/suppressions/find')).toEqual(Array(2).fill({ emails: [NEW, EMAIL] }));
  });

  it.each([
    ['is not confirmed', { isVerified: false }, EMAIL],
    ['is the new one of a change', { pendingEmail: NEW }, NEW],
  ])('hides the complaint of another person, whose it may be while it %s', async (_when, change, email) => {
    account = { ...account, ...change };
    suppressions = [{ ...bounced(email), kind: 'complained' }];
    expect((await readEmail()).data).toEqual({ ...account, suppression: { email, kind: 'bounced' } });
    const { status, code } = await bff.call('retryEmail', { as: 'user' });
    expect([status, code]).toEqual([409, 'worker.complaint_kept']);
    expect(order().join()).not.toMatch(/lift|test-mail|resend|verif/);
  });

  it('comes without it while worker does not respond', async () => {
    failing = { '/suppressions/find': 'service.unavailable' };
    expect((await readEmail()).data).toEqual({ ...account, suppression: null });
  });
});

describe('a user who tries an address again', () => {
  const retry = (userId: string) => bff.call('retryEmail', { as: 'user', userId });

  it('has it lifted, and then gets a test', async () => {
    const userId = uuidv7();
    suppressions = [bounced(EMAIL)];
    expect((await retry(userId)).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email: EMAIL }]);
    expect(order().slice(-2)).toEqual(['POST /suppressions/lift', `POST /users/${userId}/test-mail`]);
  });

  it('gets the link while the address is not confirmed', async () => {
    const userId = uuidv7();
    account = { ...account, isVerified: false };
    suppressions = [bounced(EMAIL)];
    expect((await retry(userId)).status).toBe(202);
    expect(order().at(-2)).toBe('POST /suppressions/lift');
    expect(order().at(-1)).toMatch(/verif/);
    expect(order().join()).not.toContain('test-mail');
  });

  it('gets the link of the change at its new address', async () => {
    const userId = uuidv7();
    account = { ...account, pendingEmail: NEW };
    suppressions = [bounced(NEW), bounced(EMAIL)];
    expect((await retry(userId)).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email: NEW }]);
    expect(order().at(-1)).toBe(`POST /accounts/${userId}/email-change/resend`);
  });

  it('may take back the own complaint', async () => {
    const userId = uuidv7();
    suppressions = [{ ...bounced(EMAIL), kind: 'complained' }];
    expect((await retry(userId)).status).toBe(202);
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email: EMAIL }]);
  });

  it('gets nothing while mails arrive, and uses up nothing', async () => {
    const userId = uuidv7();
    for (let press = 0; press < RESENDS_PER_DAY + 1; press += 1)
      expect((await retry(userId)).status).toBe(202);
    expect(order().join()).not.toMatch(/lift|test-mail/);
  });

  it('does so once a minute', async () => {
    const userId = uuidv7();
    suppressions = [bounced(EMAIL)];
    expect((await retry(userId)).status).toBe(202);
    const second = await retry(userId);
    expect([second.status, second.code]).toEqual([429, 'request.rate_limited']);
    expect(callsTo('/suppressions/lift')).toHaveLength(1);
    expect((await retry(uuidv7())).status).toBe(202);
  });

  it('may do so again at once after the provider did not take part, and got no mail', async () => {
    const userId = uuidv7();
    suppressions = [bounced(EMAIL)];
    failing = { '/suppressions/lift': 'worker.suppression_kept' };
    const refused = await retry(userId);
    expect([refused.status, refused.code]).toEqual([503, 'worker.suppression_kept']);
    expect(order().join()).not.toContain('test-mail');
    failing = {};
    expect((await retry(userId)).status).toBe(202);
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
    expect(bodiesOf('/suppressions/lift')).toEqual([{ email: EMAIL }]);
  });

  it('lifts nothing without the record', async () => {
    const id = uuidv7();
    failing = { [`/accounts/${id}/email-retries`]: 'identity.user_not_found' };
    expect((await bff.call('retryUserEmail', { as: 'admin', id })).status).toBe(404);
    expect(callsTo('/suppressions/lift')).toEqual([]);
  });
});

describe('the team', () => {
  it('comes with the addresses to which nothing is sent', async () => {
    suppressions = [bounced(MEMBER.email)];
    const readTeam = async () => (await bff.call('team', { as: 'admin' })).json as { data: unknown };
    expect((await readTeam()).data).toMatchObject({ members: [MEMBER], suppressions });
    expect(bodiesOf('/suppressions/find')).toEqual([{ emails: [MEMBER.email, INVITATION.email] }]);
    failing = { '/suppressions/find': 'service.unavailable' };
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
    failing = { '/suppressions/find': 'service.unavailable' };
    expect((await resend()).status).toBe(200);
    expect(callsTo(`/team/invitations/${INVITATION.id}/resend`)).toHaveLength(2);
    expect(callsTo('/suppressions/lift')).toEqual([]);
  });

  it('does not send an invitation of which the provider keeps the address', async () => {
    suppressions = [bounced(INVITATION.email)];
    failing = { '/suppressions/lift': 'worker.suppression_kept' };
    expect((await resend()).code).toBe('worker.suppression_kept');
    expect(callsTo(`/team/invitations/${INVITATION.id}/resend`)).toEqual([]);
  });
});
