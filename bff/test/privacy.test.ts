import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_FACTORS, respondUnless, useBff } from './support.ts';
import type { EndpointName, RawResponse } from './requests.ts';

const EMAIL = 'ana@people.test';
const DUE_AT = '2026-04-20T08:00:00.000Z';
const DELETION = { requestedAt: '2026-03-01T12:00:00.000Z', dueAt: DUE_AT };

const bff = await useBff();
let userId = '';
let refusals: Record<string, ErrorCode> = {};
let isPending = false;

const replyToDeletion = (method = ''): unknown => {
  isPending = method === 'POST' || (method === 'GET' && isPending);
  return { data: isPending ? DELETION : null, generation: 1 };
};
const verified = () => {
  const data = { id: userId, email: EMAIL, role: 'user', createdAt: '' };
  return { data: { ...data, ...(isPending ? { deletionDueAt: DUE_AT } : {}) }, factors: NO_FACTORS };
};

const replyTo = ({ method, url = '' }: IncomingMessage): unknown => {
  if (url.endsWith('/email')) return { data: { email: EMAIL, isVerified: true } };
  if (url === '/credentials/verify') return verified();
  if (url.endsWith('/revoke')) return { data: { continuation: 'ends', premiumUntil: DUE_AT } };
  if (url.endsWith('/deletion')) return replyToDeletion(method);
  return { data: { id: userId, email: EMAIL }, planState: { version: 1 } };
};

bff.upstream.respond = respondUnless(() => refusals, replyTo);
beforeEach(() => {
  userId = uuidv7();
  refusals = {};
  isPending = false;
});

const call = (name: EndpointName, token: string, body?: object): Promise<RawResponse> =>
  bff.call(name, { token, ...(body !== undefined && { body }) });
const logIn = async (): Promise<{ token: string; deletionDueAt?: string }> => {
  const { json } = await bff.call('login', { body: { email: EMAIL, password: 'open sesame' } });
  return (json as { data: { token: string; deletionDueAt?: string } }).data;
};
const sentTo = (path: string): unknown[] =>
  bff.upstream
    .requestsTo(path)
    .filter(({ method }) => method === 'POST')
    .map(({ json }) => json);

describe('the request to delete an account', () => {
  it('ends the subscription as chosen, keeps what is paid for, and ends every session', async () => {
    const [one, other] = [await logIn(), await logIn()];
    const body = { email: EMAIL, subscription: 'keep', reason: 'A new job' };
    const response = await call('requestDeletion', one.token, body);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ message: 'deletion requested', data: DELETION });
    expect(sentTo('/revoke')).toEqual([{ when: 'period_end' }]);
    expect(sentTo('/deletion')).toEqual([{ ...body, keepUntil: DUE_AT }]);
    for (const { token } of [one, other]) expect((await call('credits', token)).status).toBe(401);
  });

  it('changes nothing for another address, nor when the subscription cannot be ended', async () => {
    const { token } = await logIn();
    const mistyped = { email: 'anna@people.test', subscription: 'end_now' };
    const response = await call('requestDeletion', token, mistyped);
    expect(response.status).toBe(400);
    expect(response.body).toContain('"email":"This is not the email of your account."');
    expect(sentTo('/revoke')).toEqual([]);
    refusals = { '/revoke': 'billing.period_not_paid' };
    expect((await call('requestDeletion', token, { email: EMAIL, subscription: 'keep' })).status).toBe(409);
    expect(sentTo('/deletion')).toEqual([]);
    expect((await call('credits', token)).status).toBe(200);
  });
});

describe('a log-in while the account is about to be deleted', () => {
  it('may keep the account and log out, and nothing else', async () => {
    isPending = true;
    const { token, deletionDueAt } = await logIn();
    expect(deletionDueAt).toBe(DUE_AT);
    const closed = ['credits', 'subscription', 'dataExport', 'listDevices', 'factors', 'email'] as const;
    for (const name of closed) {
      const { status, code } = await call(name, token);
      expect([name, status, code]).toEqual([name, 403, 'identity.deletion_pending']);
    }
    expect((await call('checkUser', token)).json).toMatchObject({ deletionDueAt: DUE_AT });
    expect((await call('deletion', token)).json).toMatchObject({ data: DELETION });
    expect((await call('config', token)).status).toBe(200);
    expect((await call('logout', token)).status).toBe(200);
  });

  it('opens everything again, on every device, once the account is kept', async () => {
    isPending = true;
    const [one, other] = [await logIn(), await logIn()];
    expect((await call('keepAccount', one.token)).status).toBe(200);
    isPending = false;
    for (const { token } of [one, other]) expect((await call('credits', token)).status).toBe(200);
    expect((await call('checkUser', one.token)).json).not.toHaveProperty('deletionDueAt');
  });
});
